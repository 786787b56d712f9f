"""Colours of the whole book: one for each method and each outcome. No other module names a colour.

They are Okabe and Ito's palette, which readers with colour blindness can distinguish. The light
colours are a little darker, so that thin lines show on white. In figures markers differ, too.
"""

__all__ = ["COLOURS", "METHODS", "OUTCOMES"]

COLOURS = {
    "blue": "#0072B2",
    "orange": "#D55E00",
    "green": "#009E73",
    "purple": "#AA4499",
    "grey": "#666666",
    "black": "#000000",
    "amber": "#C98B00",
    "sky": "#3A9BD9",
    "brown": "#7F4F24",
    "olive": "#77810F",
    "indigo": "#332288",
}

#: By method. Variants of one method differ in marker, filling and line, not in colour.
METHODS = {
    "SVM": COLOURS["orange"],
    "Bayesian transduction": COLOURS["blue"],
    "Bayes point": COLOURS["green"],
    "Gibbs": COLOURS["green"],
    "TSVM": COLOURS["purple"],
    "U-SVM": COLOURS["amber"],
    "naive Bayes": COLOURS["black"],
    "ridge": COLOURS["grey"],
    "transductive ridge": COLOURS["sky"],
    "AdaBoost": COLOURS["brown"],
    "Gaussian process": COLOURS["olive"],
    "label spreading": COLOURS["indigo"],
}

#: By outcome of a claim: for pictures, boxes of claims, bars of findings.
OUTCOMES = {
    "comes out": "#0072B2",
    "in part": "#E8C46A",
    "does not come out": "#D55E00",
    "undecided": "#D9D9D9",
    "not testable here": "#FFFFFF",
}
