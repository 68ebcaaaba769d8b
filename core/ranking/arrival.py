"""The type of a download's callback, apart from rankers: what only fetches a model need not load torch."""

from collections.abc import Callable

Arrived = Callable[[int, int], None]
"""Callback of a download: takes the bytes that have arrived, and the bytes of the whole."""
