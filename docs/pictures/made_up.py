"""What pictures of website and app show: one run, names, and drawings that get clearer, lent by `demo.png`."""

from functools import cache
from pathlib import Path

from PIL import Image, ImageFilter

HERE = Path(__file__).parent
TITLE = "Emoji for everyone"
"""Title of the run: another person organises it, with the model and the prompts of the embedded one."""
TOTAL_EPOCHS, EPOCHS = 600, 320
"""Epochs in the run's schedule, and those that it has made."""
LOSS, TRAINING_PEERS, SAMPLES_PER_SECOND = 2.0241, 12, 61.4
TARGET_BATCH_SIZE, GATHERED, SECONDS_OF_EPOCH = 8_192, 5_920, 130.0
"""Samples of an epoch, samples of the next one so far, and seconds that an epoch takes."""
SECONDS_TO_NEXT = (TARGET_BATCH_SIZE - GATHERED) / SAMPLES_PER_SECOND
PICTURED_EPOCHS = (1, 20, 40, 60, 80, 120, 160, 200, 240, 280, EPOCHS)
"""Epochs after which the prompts were drawn."""
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


@cache
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


def picture_after(epoch: int) -> Image.Image:
    """Return the pictures that the run draws after so many epochs."""
    return drawn(min(1.0, epoch / 240))
