"""Takes captions apart into a thing and what is said of it, such as "red heart" or "thumbs up, dark skin tone"."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from assets.embedded.recipe.fetch_emoji import shapes
from assets.embedded.recipe.scenes import SceneGrammar

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


def combination_of(caption: str, grammar: SceneGrammar) -> Combination:
    """Return what ``caption`` combines: that of the scene that the ``grammar`` has by this name, or of an emoji."""
    scene = grammar.by_caption.get(caption)
    return Combination(scene.thing, scene.attribute) if scene else Combination.parse(caption, shapes())
