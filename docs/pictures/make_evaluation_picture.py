"""Makes `evaluation.png`: some prompts of a report of `idlebrush evaluate`, in a real browser.

    .venv/bin/python -m docs.pictures.make_evaluation_picture FOLDER PROMPT...

FOLDER is the report's; the prompts are shown in the order in which they are given.
"""

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from playwright.sync_api import ViewportSize, sync_playwright

from core.evaluation.document import PAGE

_PICTURE = Path(__file__).with_name("evaluation.png")
_SIZE: ViewportSize = {"width": 1000, "height": 800}
_COLOURS = 112
_GAP = 12
_PAPER = "#faf9f6"


def articles(folder: Path, prompts: Sequence[str]) -> list[Image.Image]:
    """Return what the report in ``folder`` shows of each prompt."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport=_SIZE, color_scheme="light")
        page.goto((folder / PAGE).resolve().as_uri())
        shown = [
            page.locator(f"article:has(.drawn figcaption:text-is({json.dumps(prompt)}))").screenshot()
            for prompt in prompts
        ]
        browser.close()
    return [Image.open(io.BytesIO(content)).convert("RGB") for content in shown]


def stacked(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return pictures of one width below each other, on paper."""
    height = sum(picture.height + _GAP for picture in pictures) - _GAP
    whole, top = Image.new("RGB", (pictures[0].width, height), _PAPER), 0
    for picture in pictures:
        whole.paste(picture, (0, top))
        top += picture.height + _GAP
    return whole


def main() -> None:
    folder, *prompts = sys.argv[1:]
    picture = stacked(articles(Path(folder), prompts))
    picture.quantize(_COLOURS, dither=Image.Dither.NONE).save(_PICTURE, optimize=True)


if __name__ == "__main__":
    main()
