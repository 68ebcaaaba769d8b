"""Enumerates the scenes of the starter run: what stands where in which colour, how captions say it, what is held out.

A scene combines one thing, or two, with a colour, a number, a backdrop, a place or a tone. ``scenes.toml`` says which
combinations no training scene has. All scenes are laid out on the grid of codes, so that a thing of one size has the
same codes wherever it stands.
"""

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from assets.embedded.recipe.colours import Colour

SCENES = Path(__file__).with_name("scenes.toml")
SIDE = 64
"""Width and height of a picture in pixels."""
BIG, MEDIUM, SMALL = 64, 48, 32
"""Widths of a thing in pixels: multiples of the 8 pixels of a code."""
SIZES = {"big": BIG, "small": SMALL}
NUMBERS = {
    "two": ((0, 16), (32, 16)),
    "three": ((16, 0), (0, 32), (32, 32)),
    "four": ((0, 0), (32, 0), (0, 32), (32, 32)),
}
"""Corners, from the left and from above in pixels, at which several small things stand."""
PLACES = {"top left": (0, 0), "top right": (32, 0), "bottom left": (0, 32), "bottom right": (32, 32)}
RELATIONS = {"left of": ((0, 16), (32, 16)), "above": ((16, 0), (16, 32))}
TONES = ("light", "medium-light", "medium", "medium-dark", "dark")
_HELD_OUT_PAIRS = 8
"""Pairs of things of which one is held out."""


class SceneKind(StrEnum):
    """Kinds of scenes, by what they combine."""

    ALONE = "alone"
    """A thing and a colour."""
    SIZES = "sizes"
    NUMBERS = "numbers"
    BACKDROPS = "backdrops"
    PLACES = "places"
    PAIRS = "pairs"
    TONES = "tones"
    """A gesture and a skin tone."""


@dataclass(frozen=True)
class Thing:
    """A thing, its picture, and what it has in no training scene."""

    name: str
    emoji: str
    """Caption of its picture among the emoji."""
    colour: str
    backdrop: str
    number: str
    place: str
    plural: str = ""

    @property
    def several(self) -> str:
        """The name of more than one."""
        return self.plural or f"{self.name}s"


@dataclass(frozen=True)
class ScenePart:
    """One thing in a scene."""

    emoji: str
    colour: str
    """Name of its colour; empty: its own colours."""
    width: int
    left: int
    top: int


@dataclass(frozen=True)
class ComposedScene:
    """Content of a picture, and the captions that say it."""

    kind: SceneKind
    thing: str
    """The thing, or the first of a pair."""
    attribute: str
    """All that is said of the thing, in words, with what it stands beside; empty where only it is named."""
    captions: tuple[str, ...]
    parts: tuple[ScenePart, ...]
    backdrop: str = ""
    """Name of the colour behind the things; empty: white."""
    is_held_out: bool = False
    """True if its combination is kept from training."""


@dataclass(frozen=True)
class SceneGrammar:
    """All things, colours and gestures, and the scenes that they make up."""

    things: tuple[Thing, ...]
    gestures: Mapping[str, str]
    """The tone that each gesture has in no training scene."""
    colours: Mapping[str, Colour]
    shares: Mapping[str, float]
    """Share of the possible scenes of a kind that are in the training set."""

    @classmethod
    def load(cls, path: Path = SCENES) -> Self:
        """Read a file like ``scenes.toml``."""
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        return cls(
            tuple(Thing(name, **parts) for name, parts in tables["things"].items()),
            tables["gestures"],
            {name: Colour(name, *place) for name, place in tables["colours"].items()},
            tables["shares"],
        )

    @cached_property
    def by_caption(self) -> dict[str, ComposedScene]:
        """All scenes, each under all of its captions."""
        return {caption: scene for scene in self.scenes() for caption in scene.captions}

    def training(self) -> list[ComposedScene]:
        """Return the scenes of the training set."""
        return [
            scene
            for scene in self.scenes()
            if not scene.is_held_out and _draw(scene.captions[0]) < self.shares[scene.kind]
        ]

    def held_out(self) -> list[ComposedScene]:
        """Return the scenes of the held-out set: some of those that are in no training set."""
        return [scene for scene in self.scenes() if scene.is_held_out and _is_asked(scene)]

    def scenes(self) -> Iterator[ComposedScene]:
        """Yield all scenes, of the training set or not."""
        for thing in self.things:
            for colour in ("", *self.colours):
                yield from _scenes_of(thing, colour, tuple(self.colours))
        yield from self._pairs()
        for gesture, missing in self.gestures.items():
            yield from _toned(gesture, missing)

    def _pairs(self) -> Iterator[ComposedScene]:
        """Yield each thing beside, and above, each other one: in their own colours, and in others."""
        for first in self.things:
            for second in self.things:
                if first is not second:
                    for relation in RELATIONS:
                        yield _pair(first, second, relation, "", "")
                        yield _pair(first, second, relation, *self._two_colours(first, second, relation))

    def _two_colours(self, first: Thing, second: Thing, relation: str) -> tuple[str, str]:
        """Return a colour that the first thing may have, and one of the second, which keeps its own now and then."""
        allowed = [[colour for colour in self.colours if colour != thing.colour] for thing in (first, second)]
        draws = [_draw(thing.name, first.name, second.name, relation) for thing in (first, second)]
        of_second = ["", "", *allowed[1]]
        return allowed[0][int(draws[0] * len(allowed[0]))], of_second[int(draws[1] * len(of_second))]


def _scenes_of(thing: Thing, colour: str, colours: tuple[str, ...]) -> Iterator[ComposedScene]:
    """Yield the scenes of one thing in one colour, empty for its own."""
    name, several = f"{colour} {thing.name}".strip(), f"{colour} {thing.several}".strip()
    new = bool(colour) and colour == thing.colour

    def scene(
        kind: SceneKind,
        said: str,
        captions: tuple[str, ...],
        width: int,
        *corners: tuple[int, int],
        **more: Any,
    ) -> ComposedScene:
        parts = tuple(ScenePart(thing.emoji, colour, width, left, top) for left, top in corners)
        attribute = " ".join(filter(None, (said, colour)))
        return ComposedScene(kind, thing.name, attribute, captions, parts, **{"is_held_out": new, **more})

    # A colour is the hardest to combine, so a thing alone has most wordings.
    in_colour = f"{_one(thing.name)} in {colour}" if colour else f"only {_one(name)}"
    yield scene(SceneKind.ALONE, "", (name, _one(name), f"one {name}", in_colour), MEDIUM, (8, 8))
    for size, width in SIZES.items():
        corner = (SIDE - width) // 2, (SIDE - width) // 2
        yield scene(SceneKind.SIZES, size, (f"{size} {name}", f"a {size} {name}"), width, corner)
    for number, corners in NUMBERS.items():
        held = new or number == thing.number
        yield scene(SceneKind.NUMBERS, number, (f"{number} {several}",), SMALL, *corners, is_held_out=held)
    for place, corner in PLACES.items():
        held = new or place == thing.place
        yield scene(SceneKind.PLACES, place, (f"{name} at the {place}",), SMALL, corner, is_held_out=held)
    for backdrop in colours:
        if backdrop != colour:
            captions = f"{name} on {backdrop}", f"{_one(name)} on {_one(backdrop)} square"
            more = {"is_held_out": new or backdrop == thing.backdrop, "backdrop": backdrop}
            yield scene(SceneKind.BACKDROPS, f"on {backdrop}", captions, MEDIUM, (8, 8), **more)


def _pair(first: Thing, second: Thing, relation: str, first_colour: str, second_colour: str) -> ComposedScene:
    """Return two things beside each other."""
    names = f"{first_colour} {first.name}".strip(), f"{second_colour} {second.name}".strip()
    corners = RELATIONS[relation]
    return ComposedScene(
        SceneKind.PAIRS,
        first.name,
        f"{first_colour} {relation} {names[1]}".strip(),
        (f"{names[0]} {relation} {names[1]}",),
        (
            ScenePart(first.emoji, first_colour, SMALL, *corners[0]),
            ScenePart(second.emoji, second_colour, SMALL, *corners[1]),
        ),
        is_held_out=_draw(*sorted((first.name, second.name))) < 1 / _HELD_OUT_PAIRS,
    )


def _toned(gesture: str, missing: str) -> Iterator[ComposedScene]:
    """Yield a gesture without a tone and in all of them."""
    for tone in ("", *TONES):
        captions = (f"{gesture}, {tone} skin tone", f"{gesture} with {tone} skin") if tone else (gesture,)
        part = ScenePart(captions[0], "", BIG, 0, 0)
        yield ComposedScene(SceneKind.TONES, gesture, tone, captions, (part,), is_held_out=tone == missing)


def _is_asked(scene: ComposedScene) -> bool:
    """Return True for scenes of the held-out set: those that lack one combination, and some that lack more."""
    plain = not any(part.colour for part in scene.parts)
    share = {SceneKind.PAIRS: 0.15 * plain, SceneKind.SIZES: 0.0, SceneKind.BACKDROPS: 1.0 if plain else 0.1}
    default = 1.0 if plain or scene.kind is SceneKind.ALONE else 0.0
    return _draw(scene.captions[0], "asked") < share.get(scene.kind, default)


def _one(name: str) -> str:
    """Return the name with its article."""
    sounds_like_a_vowel = name[0] in "aeio" or name.startswith("umbrella")
    return f"{'an' if sounds_like_a_vowel else 'a'} {name}"


def _draw(*words: str) -> float:
    """Return a number in [0, 1) that hangs on the words alone."""
    digest = hashlib.sha256("|".join(words).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
