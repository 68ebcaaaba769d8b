"""Bytes that emoji take as PNG, and how exactly the embedded codec reproduces them from their codes.

*png* are bytes a picture, as it was published, and *codes* those of its codes in whole bits, before any compression
(`codes` measures what they take in a shard). PSNR is the peak signal-to-noise ratio of a picture on white, in dB:
mean and lowest of all pictures. Without ``--pictures`` they are the eight that the codec's tests use. All of them
are laid out by ``python -m assets.embedded.recipe.fetch_emoji --out FOLDER``.
"""

import argparse
from pathlib import Path
from statistics import mean

import torch

from assets.embedded.recipe.train_codec import CODEC, read_images, reproduction
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded, told
from core.codec.vqgan import load_codec

PICTURES = Path(__file__).parents[2] / "tests" / "core" / "codec" / "noto"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--pictures", type=Path, default=PICTURES, help="folder of PNG files of 64 x 64")
    given = parser.parse_args()
    torch.set_num_threads(1)
    report = BenchmarkReport("emoji_codec", __doc__ or "")
    with told():
        codec = load_codec(CODEC / "config.yaml", CODEC / "vqgan.safetensors")
    images = read_images(given.pictures, codec.grid * codec.downsampling)
    psnr, codes = reproduction(codec, images)
    row = {
        "pictures": len(images),
        "png": rounded(mean(path.stat().st_size for path in given.pictures.glob("*.png"))),
        "codes": codes[0].numel() * (codec.codebook_size - 1).bit_length() / 8,
        "psnr": rounded(float(psnr.mean())),
        "lowest_psnr": rounded(float(psnr.min())),
        "different_codes": len(codes.unique()),
    }
    report.write([row], folder=given.out, codebook=codec.codebook_size)


if __name__ == "__main__":
    main()
