"""The numbers that decide the choice, in one place, each with what it is worth.

Worth is the mean accuracy on unlabelled samples that is lost without it, or gained with another
value, over some dozens of paired draws of up to seven sets; "nothing" is less than could be told
(0.002). Where nothing is said, it was not measured on its own. `benchmarks/graph_ablation.py` tries
each of them again.
"""

# Samples that take part
COMPARED = 1000  # samples on which candidates are compared; 2000 bring 0.0015 for more time
PER_CLUSTER = 20  # but so many of every cluster: a hundred classes would have ten samples each
COMPARED_UNTESTED = 4000  # so many with one label of each class, where there is but one fold: which
# samples are drawn was nearly all of the luck, 0.02 between seeds of photographs, and now 0.00
ENOUGH_HIDDEN = 150  # labels hidden on all samples: more make graphs for little news. That the
# best graph without labels may win there: nothing at 3,000 samples, 0.002 at 9,000, 0.009 at 20,000
AXES = 100  # principal axes that are kept of any features
AXES_SAMPLES = 1000  # samples that shape them; with 500 nothing is lost

# What is believed before any label is hidden
LASTING = 0.3  # power of the priors that stays once labels are hidden; priors in all: 0.006
CUTS = (0.02, 0.07)  # normalised cuts between which a graph falls apart more or less clearly;
# without the upper bound, one label per class loses 0.03: faces fall apart by their light
TILT = 1.0  # power of them by which a graph loses weight where labels are one of each class: at
# most a factor of 3.5. With 0.7, or any power that is bounded so, the same within 0.002; with 5 and
# no bound, two sets of faces whose pixels fall apart by the light have 0.50 and 0.65 instead of
# 0.83 and 0.86
TILT_UNLABELLED = 5.0  # the same where no classes are labelled, and nothing else is known; without
# it pictures that differ in colour alone are not told apart, and umist loses 0.04
LABELS_APART = 0.5  # power of the likelihood ratio that labels lie apart as they do in clusters
# that are classes; 0.25 to 1 are within 0.005 of it, on lit faces 1 gains what small sets lose
GIVEN = 0.1  # weight of each graph with axes of given labels; these graphs in all: 0.017
SHRINKAGE = 0.3  # of these axes; 0.1 and 0.5 side by side bring nothing and take a sixth longer
PROPAGATED = 3.0  # weight of all graphs with axes of propagated labels, beside 1 of all without
# labels; these graphs in all: 0.009
SHRINKAGES = (0.1, 0.5)  # of axes of propagated and of tentative labels; with 0.5 alone, and priors
# that do not last, 0.004 in all, and 0.009 without the shape of pictures

# What hidden labels say
DOUBT = 0.02  # part of every prediction that counts as a guess: one error must not decide, and a
# score this near to 0 is perfect
SHARPNESS = 8.0  # how much a difference of scores counts, relative to the best one
KINDS = 2  # kinds of features that get axes of propagated and of tentative labels; one: 0.003
BLENDED = 4  # graphs in the blend, at most; 6 bring nothing
SMALLEST = 0.02  # weight, beside the best, of a graph worth its edges

# Axes of tentative labels
TENTATIVE = 0.75  # their share in the blend; such graphs in all: 0.007, with one label 0.03
FEW = (0.1, 10)  # share of labelled samples, and labels per class, below which they are made; if
# only where no label can be hidden, 0.001 of above a thousand samples
WORSE = 2.0  # logarithm of the odds by which hidden labels must be predicted worse with them, to
# leave them out: on rows that are no pictures that brings 0.002, with pictures nothing
POOR_GUESS = 5  # labels per cluster below which a second guess is made; the second guess: 0.005
CONFIDENT = (0.3, 0.65, 1.0)  # parts of every class that are labelled by each guess, with one label
# of each; (0.3, 0.6, 0.9, 1) is the same, two guesses (0.5, 1) lose 0.005, guesses that all take
# part in from the first lose 0.01
SHARPENED = 3.0  # power of memberships before classes are balanced; 2 to 5 within 0.003
BALANCED = 0.5  # power of the factors that would make classes equal; without: 0.007. With 1 the
# same on the mean: digits gain 0.02, umist, of 19 to 48 a class, loses 0.05

# A linear view beside the graph
VIEW_AXES = 300  # its principal axes; on embeddings 200 to 400 are within 0.005, and 100 lose 0.02
# to 0.03 with 81 classes
VIEW_WEIGHT = 1.0  # beside the mean degree; 3 is as good, 0.3 loses up to 0.01 and 0.1 up to 0.02
VIEW_WORSE = 1.0  # logarithm of the odds by which hidden labels must be predicted worse with it, to
# leave it out. Few labels cannot tell a gain of 0.02, and pictures lose at most 0.001 by it
VIEW_NEEDED = 0.1  # mean logarithm by which hidden labels must be missed for a view to be made:
# what is predicted better has nothing to gain
VIEW_SAMPLES = 20_000  # above which there is none: its coordinates would fill the memory
