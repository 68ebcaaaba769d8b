"""Reads sources of the Hub, which ``HF_ENDPOINT`` names, whole and from places within; prints JSON.

python -m tests.core.data.sources.hub_reader '{"source": "owner/name", "subset": null}' ...
"""

import json
import sys
from typing import Any

from core.data.images import BrokenImageError
from core.data.sources.open import open_source
from core.data.sources.source import START, ImageSource, SourcePlace
from core.errors import DataError


def listed(source: ImageSource, place: SourcePlace = START) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for image in source.images(place):
        try:
            size, problem = len(image.read()), ""
        except BrokenImageError as error:
            size, problem = 0, error.what
        found.append(
            {"name": image.name, "caption": image.caption, "nsfw": image.nsfw, "after": image.after}
            | {"bytes": size, "problem": problem, "size": image.size}
        )
    return found


def read(words: dict[str, Any]) -> dict[str, Any]:
    try:
        source = open_source(words.pop("source"), **words)
        images = listed(source)
        for number in range(0, len(images), 3):
            assert listed(source, tuple(images[number]["after"])) == images[number + 1 :]
        return {"images": images, "identity": source.identity, "length": source.length}
    except DataError as error:
        return {"error": error.what, "remedy": error.remedy}


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(json.dumps(read(json.loads(argument))))
