"""The shape of the pictures that networks are given here."""

SHAPE = (9, 7)
