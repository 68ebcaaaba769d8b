"""The description of a fuzzed parser, and the judgement of what it does with one input."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class FuzzTarget:
    """A parser of the product that reads bytes from others."""

    name: str
    seeds: tuple[bytes, ...]
    """Valid inputs, made by the product's own packers."""
    parse: Callable[[bytes], object]
    """The product's own entry point; it returns False or None for what it refuses without an error."""
    refusals: tuple[type[Exception], ...] = ()
    """The errors by which it refuses an input, as its documentation says."""
    dictionary: tuple[bytes, ...] = ()
    """Pieces of inputs that mutations insert, beside those that suit every parser."""

    def accepts(self, data: bytes) -> bool:
        """Return true if the parser accepts ``data``, and false if it refuses it as documented.

        Every other error of the parser is raised as it is: it is a fault of the product.
        """
        try:
            found = self.parse(data)
        except self.refusals:
            return False
        return found is not None and found is not False


def text_in(data: bytes) -> str:
    """Return ``data`` as the text that the product would get: what is not UTF-8 never reaches its parsers."""
    return data.decode(errors="replace")
