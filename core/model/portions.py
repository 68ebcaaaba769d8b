"""How much of a step is worked on at a time: known to the model, and to what predicts its memory; free of torch."""

ROWS_ON_CPU = 704
ROWS_ON_GPU = 1 << 14
"""Rows that feed-forward takes: each time it goes over the gradients of all its weights."""

SCORES_ON_CPU = 1 << 20
SCORES_ON_GPU = 1 << 26
"""Attention scores, in elements: what stays in a CPU's cache, or keeps a GPU busy."""

LARGEST_SUMS = 1 << 24
"""Elements of a vocabulary's weight up to which its gradient is computed with the loss, where the logits are at
hand, and held until the loss is differentiated. Of a larger one the logits are computed again then: models with so
many channels have little else to hold, and the vocabulary takes a small part of their time."""
