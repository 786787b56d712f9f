"""axe-core, asked about the book's own content."""

from functools import cache
from pathlib import Path

#: What the theme of colours and the width of the window may change.
LOOK = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")

RUN = """async ([whole, rules]) => {
  // The strokes of a drawn formula are hidden from what reads aloud, and are half of a chapter's
  // elements: without them axe, which has the MathML beside them, is a third faster.
  document.querySelectorAll('mjx-container > svg').forEach(drawn => drawn.replaceChildren());
  const article = document.querySelector('.bd-article-container');
  const context = whole || !article ? document : article;
  // A page in a frame is a page of the book, visited by itself.
  const options = {iframes: false, preload: false, resultTypes: ['violations']};
  if (rules) options.runOnly = rules;
  const found = [];
  for (const violation of (await axe.run(context, options)).violations)
    for (const node of violation.nodes) {
      // axe reads no MathML: a heading that is a formula seems empty to it, and to no reader.
      if (violation.id === 'empty-table-header' &&
          document.querySelector(node.target[0]).querySelector('mjx-assistive-mml math')) continue;
      found.push(violation.id + ': ' + node.target.join(' ') + ' ' + node.html.slice(0, 100)
        + ' ' + node.failureSummary.split('\\n').pop().trim());
    }
  return found;
}"""


@cache
def axe():
    """The text of axe-core, which an installed package carries."""
    import axe_playwright_python

    return Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")


def violations(tab, whole=False, rules=None):
    """What axe-core finds in the article, or on the whole page; all rules, or the named ones."""
    if not tab.evaluate("() => 'axe' in window"):
        tab.evaluate(axe())
    return tab.evaluate(RUN, [whole, rules])
