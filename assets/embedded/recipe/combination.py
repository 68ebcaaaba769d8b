"""Takes captions apart into a thing and its attribute, such as "red heart" or "thumbs up, dark skin tone"."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

_TONED = re.compile(r"(?P<thing>[^,]+), (?P<tone>[a-z-]+) skin tone(?P<rest>.*)")


@dataclass(frozen=True)
class Combination:
    """A thing and its attribute, as a caption names them; other captions are a thing as a whole."""

    thing: str
    attribute: str = ""

    @classmethod
    def parse(cls, caption: str, shapes: Mapping[str, Collection[str]]) -> "Combination":
        """Take ``caption`` apart, if it is "THING, TONE skin tone" or "COLOUR SHAPE".

        ``shapes`` has the colours of each shape. Any other caption is a thing without an attribute.
        """
        if toned := _TONED.fullmatch(caption):
            return cls(toned["thing"] + toned["rest"], toned["tone"])
        colour, _, shape = caption.rpartition(" ")
        return cls(shape, colour) if colour in shapes.get(shape, ()) else cls(caption)

    def is_variant_of(self, other: "Combination") -> bool:
        """Return True if this is the thing of ``other`` with another attribute."""
        return self.thing == other.thing and bool(self.attribute) and self.attribute != other.attribute

    def is_unlike(self, other: "Combination") -> bool:
        """Return True if neither thing nor attribute is that of ``other``."""
        return self.thing != other.thing and self.attribute != other.attribute
