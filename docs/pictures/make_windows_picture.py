"""Makes `windows-first-run.png` from the pictures that `make test-windows` took of the app under Wine.

.venv/bin/python -m docs.pictures.make_windows_picture
"""

from pathlib import Path

from PIL import Image

from docs.pictures import palette
from tests.windows.run import FOLDER
from tests.windows.test_first_run import PICTURES, SCREENS

_TARGET = Path(__file__).with_name("windows-first-run.png")
_ROW = 3
_SIZE = (680, 480)
_GAP = 16
_BEHIND = "#8a8f98"


def main() -> None:
    """Put the screens side by side, in the order in which they are seen."""
    rows = -(-len(SCREENS) // _ROW)
    width, height = (side + _GAP for side in _SIZE)
    sheet = Image.new("RGB", (_ROW * width + _GAP, rows * height + _GAP), _BEHIND)
    for number, name in enumerate(SCREENS):
        with Image.open(FOLDER / PICTURES.relative_to("/") / f"{name}.png") as screen:
            shown = screen.convert("RGB").resize(_SIZE, Image.Resampling.LANCZOS)
        sheet.paste(shown, (_GAP + number % _ROW * width, _GAP + number // _ROW * height))
    palette.save(sheet, _TARGET)


if __name__ == "__main__":
    main()
