"""Families of models, one package each; `core.run.training.families` finds them."""
