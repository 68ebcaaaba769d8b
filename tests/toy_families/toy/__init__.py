"""A third family: a table of how likely each byte follows each other one. Nothing outside this folder knows it."""
