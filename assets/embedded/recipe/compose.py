"""Draws the scenes of the starter run out of the emoji's pictures, and adds them to the folder of these.

python -m assets.embedded.recipe.fetch_emoji --out build/emoji
python -m assets.embedded.recipe.compose --folder build/emoji
"""

import argparse
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageFilter

from assets.embedded.recipe.colours import recoloured
from assets.embedded.recipe.fetch_emoji import METADATA, mixed, read_records
from assets.embedded.recipe.scenes import BIG, SIDE, ComposedScene, SceneGrammar, ScenePart

SUBFOLDER = "scenes"
"""Folder of the scenes within that of the emoji."""
_RIM = 3
"""Pixels of white around a thing on a backdrop.

They keep the colours of thing and backdrop out of each other's codes: else there would have to be codes for each two
colours.
"""
_FINER = 4
"""Factor by which the rim is drawn larger, for a smooth edge."""


class Composer:
    """Draws scenes; pictures of things are made once."""

    def __init__(self, grammar: SceneGrammar, emoji: Path) -> None:
        """Draw by the colours of the ``grammar`` and the pictures in the folder ``emoji``, which fetch_emoji made."""
        self._grammar, self._emoji = grammar, emoji
        self._files = {record["caption"]: record["file_name"] for record in _of_emoji(emoji)}
        self._picture_of = cache(self._make_picture)

    def draw(self, scene: ComposedScene) -> Image.Image:
        """Return the picture of a scene, in RGB."""
        backdrop = self._grammar.colours[scene.backdrop].rgb if scene.backdrop else (255, 255, 255)
        picture = Image.new("RGB", (SIDE, SIDE), backdrop)
        if scene.backdrop:
            picture.paste((255, 255, 255), (0, 0), self._rim(scene))
        for part in scene.parts:
            thing = self._picture(part)
            picture.paste(thing, (part.left, part.top), thing)
        return picture

    def _rim(self, scene: ComposedScene) -> Image.Image:
        """Return the shape of all things of a scene with a rim around it, as a mask."""
        mask = Image.new("L", (SIDE, SIDE))
        for part in scene.parts:
            opacity = self._picture(part).getchannel("A")
            mask.paste(opacity, (part.left, part.top), opacity)
        large = mask.resize((_FINER * SIDE, _FINER * SIDE), Image.Resampling.BICUBIC)
        wider = large.filter(ImageFilter.MaxFilter(2 * _FINER * _RIM + 1)).filter(
            ImageFilter.GaussianBlur(_FINER)
        )
        edged = wider.point([255 * (level > 127) for level in range(256)])
        return edged.resize((SIDE, SIDE), Image.Resampling.BOX)

    def _picture(self, part: ScenePart) -> Image.Image:
        return self._picture_of(part.emoji, part.colour, part.width)

    def _make_picture(self, emoji: str, colour: str, width: int) -> Image.Image:
        """Return a thing in a colour and a width, in RGBA."""
        picture = Image.open(self._emoji / self._files[emoji]).convert("RGBA")
        if colour:
            levels = recoloured(np.asarray(picture) / 255, self._grammar.colours[colour])
            picture = Image.fromarray((levels * 255).round().astype(np.uint8))
        if width == BIG:
            return picture
        # Hidden colours must not bleed into the edge: they count by their opacity.
        return picture.convert("RGBa").resize((width, width), Image.Resampling.LANCZOS).convert("RGBA")


def add_scenes(grammar: SceneGrammar, folder: Path) -> None:
    """Add the pictures of both sets to a folder of emoji, and to its ``metadata.jsonl`` a line for each caption."""
    composer = Composer(grammar, folder)
    (folder / SUBFOLDER).mkdir(exist_ok=True)
    records = _of_emoji(folder)
    for split, scenes in (("starter", grammar.training()), ("starter-heldout", grammar.held_out())):
        for scene in scenes:
            name = f"{SUBFOLDER}/{scene.captions[0].replace(' ', '-').replace(',', '')}.png"
            composer.draw(scene).save(folder / name)
            captions = scene.captions[: None if split == "starter" else 1]
            records += [_record(name, caption, split) for caption in captions]
    text = "".join(json.dumps(record) + "\n" for record in sorted(records, key=mixed))
    (folder / METADATA).write_text(text, encoding="utf-8")


def _of_emoji(folder: Path) -> list[dict[str, Any]]:
    """Return the folder's records without those of scenes that were added before."""
    return [record for record in read_records(folder) if not record["file_name"].startswith(f"{SUBFOLDER}/")]


def _record(name: str, caption: str, split: str) -> dict[str, Any]:
    return {"file_name": name, "caption": caption, "split": [split], "NSFW": "UNLIKELY"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, required=True, help="folder that fetch_emoji filled")
    add_scenes(SceneGrammar.load(), parser.parse_args().folder)


if __name__ == "__main__":
    main()
