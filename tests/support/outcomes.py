"""What the rules decide on the evidence of a measure."""

from transductive_compendium.verdicts.rules import decide_ordering, ordering_p


def ordering_outcome(evidence):
    """Outcome of an ordering that is judged alone, with no adjustment for other claims."""
    return decide_ordering(evidence, ordering_p(evidence)).outcome
