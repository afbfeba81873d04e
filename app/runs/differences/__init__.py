"""The page of disagreements between verifiers: what differs, why, and people's rulings.

check_pairs     the checks of two verdicts on one answer, beside each other
contrast        two verdicts on one answer, side by side, for a ruling
counted_side    a drawing of what only one of two verdicts counts
disagreements   the page
explanation     why two verdicts differ: what decides, the checks, the figures, the rule and the code
figure_pairs    the figures of two verdicts on one answer, beside each other
filters         the filters of the page
parting         replays how somebody came to an answer, from where two verifiers part
ruling_bar      the line in which a person rules on a difference between two verifiers
tree            the differences by task, pair of verifiers and check
why_view        the rule of a check, what both verifiers said, and the code that judged
"""
