"""What pictures of website and app show: names, and drawings that get clearer, lent by `demo.png`."""

from pathlib import Path

from PIL import Image, ImageFilter

HERE = Path(__file__).parent
TILE, COLUMNS = 128, 4
NAMES = (
    "mirela",
    "okonkwo",
    "jstn",
    "paintbox",
    "haruki-lab",
    "lina.k",
    "quietfan",
    "devraj",
    "Noor",
    "t0bias",
)


def drawn(clarity: float) -> Image.Image:
    """Return the pictures of `demo.png` without their captions, the more blurred the less clear."""
    sheet = Image.open(HERE / "demo.png").convert("RGB")
    grid = Image.new("RGB", (COLUMNS * TILE, 3 * TILE), "white")
    for number in range(12):
        x, y = 8 + number % 4 * 136, 8 + number // 4 * 162
        tile = sheet.crop((x, y, x + TILE, y + TILE))
        mean = tile.resize((1, 1), Image.Resampling.BOX).resize(tile.size)
        soft = tile.filter(ImageFilter.GaussianBlur(22 * (1 - clarity) ** 1.5))
        grid.paste(Image.blend(mean, soft, 0.25 + 0.75 * clarity), (number % 4 * TILE, number // 4 * TILE))
    return grid
