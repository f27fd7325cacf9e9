"""The numbers that decide the choice, in one place, each with what it is worth.

Worth is the mean accuracy on unlabelled samples that is lost without it, or gained with another
value, over some dozens of paired draws of up to seven sets; "nothing" is less than could be told
(0.002). Where nothing is said, it was not measured on its own. `benchmarks/graph_ablation.py` tries
each of them again.
"""

# Samples that take part
COMPARED = 1000  # samples on which candidates are compared; 2000 bring 0.0015 for more time
PER_CLUSTER = 20  # but so many of every cluster: a hundred classes would have ten samples each
ENOUGH_HIDDEN = 150  # labels hidden on all samples: more make graphs for little news
AXES = 100  # principal axes that are kept of any features
AXES_SAMPLES = 1000  # samples that shape them; with 500 nothing is lost

# What is believed before any label is hidden
LASTING = 0.3  # power of the priors that stays once labels are hidden; priors in all: 0.006
CUTS = (0.02, 0.07)  # normalised cuts between which a graph falls apart more or less clearly;
# without the upper bound, one label per class loses 0.03: faces fall apart by their light
TILT = 5.0  # power of them by which a graph loses weight where no label can be hidden; without
# it pictures that differ in colour alone are not told apart, and umist loses 0.04
GIVEN = 0.1  # weight of each graph with axes of given labels; these graphs in all: 0.017
SHRINKAGE = 0.3  # of these axes; 0.1 and 0.5 side by side bring nothing and take a sixth longer
PROPAGATED = 3.0  # weight of all graphs with axes of propagated labels beside all without labels
SHRINKAGES = (0.1, 0.5)  # of axes of propagated and of tentative labels

# What hidden labels say
DOUBT = 0.02  # part of every prediction that counts as a guess: one error must not decide
PERFECT = 0.02  # size of a score that counts as perfect: all beyond is luck
SHARPNESS = 8.0  # how much a difference of scores counts, relative to the best one
KINDS = 2  # kinds of features that get axes of propagated and of tentative labels
BLENDED = 4  # graphs in the blend, at most; 6 bring nothing
SMALLEST = 0.02  # weight, beside the best, of a graph worth its edges

# Axes of tentative labels
TENTATIVE = 0.75  # their share in the blend
FEW = (0.1, 10)  # share of labelled samples, and labels per class, below which they are made
POOR_GUESS = 5  # labels per cluster below which a second guess is made; the second guess: 0.005
