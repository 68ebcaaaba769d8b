"""Trains the embedded run's image codec on a folder of PNGs, on a single core; interrupted, it resumes.

python -m assets.embedded.recipe.fetch_emoji --out build/emoji
python -m assets.embedded.recipe.train_codec --images build/emoji --state build/codec.state
"""

import argparse
import io
import time
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from core.codec.config import read_config
from core.codec.training import CodecTrainer, CodecTraining, StepReport
from core.codec.vqgan import ImageCodec
from core.codec.weights import save_weights
from core.data.images import open_image
from core.data.pixels import square_pixels
from core.storage.files import write_atomically

CODEC = Path(__file__).parents[1] / "codec"
REPORT_STEPS = 50
SAVE_STEPS = 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--images", type=Path, required=True, help="folder of PNGs")
    parser.add_argument("--state", type=Path, required=True, help="file to resume from, saved now and then")
    parser.add_argument("--out", type=Path, default=CODEC, help="folder with config.yaml, for the weights")
    parser.add_argument("--steps", type=int, default=CodecTraining.steps)
    parser.add_argument("--seed", type=int, default=CodecTraining.seed)
    arguments = parser.parse_args()
    # Sums change in their last bits with the number of threads.
    torch.set_num_threads(1)
    images = read_images(arguments.images, read_config(arguments.out / "config.yaml").resolution)
    settings = replace(CodecTraining(), steps=arguments.steps, seed=arguments.seed)
    train(arguments.out, images, settings, arguments.state)


def train(out: Path, images: Tensor, settings: CodecTraining, state: Path) -> None:
    """Train from the saved state or from the start, and leave the weights beside the configuration."""
    trainer = CodecTrainer(read_config(out / "config.yaml"), images, settings)
    if state.exists():
        trainer.load_state_dict(torch.load(state, weights_only=True))
    print(f"{len(images)} images, from step {trainer.step}, {asdict(settings)}", flush=True)
    started = time.monotonic()
    while trainer.step < settings.steps:
        report = trainer.train_step()
        if trainer.step % REPORT_STEPS == 0:
            print(_line(report, time.monotonic() - started), flush=True)
        if trainer.step % SAVE_STEPS == 0 or trainer.step == settings.steps:
            _save(trainer, out, state)
    print(evaluate(ImageCodec(trainer.model), images), flush=True)


def read_images(folder: Path, resolution: int) -> Tensor:
    """Read all PNGs of a folder and of those in it, by name, on white: uint8 (n, 3, resolution, resolution)."""
    pixels = [
        square_pixels(open_image(path.read_bytes()), resolution) for path in sorted(folder.rglob("*.png"))
    ]
    if not pixels:
        raise SystemExit(f"{folder} has no PNG images.")
    return torch.from_numpy((np.stack(pixels) * 255).round().astype(np.uint8))


def evaluate(codec: ImageCodec, images: Tensor) -> str:
    """Return the mean PSNR of the images, and how many codes they use, in a line."""
    psnr, codes = reproduction(codec, images)
    return f"PSNR {float(psnr.mean()):.2f} dB, {len(codes.unique())} of {codec.codebook_size} codes used"


def reproduction(codec: ImageCodec, images: Tensor) -> tuple[Tensor, Tensor]:
    """Encode and decode images, uint8 (n, 3, height, width); return each one's PSNR in dB, and its codes."""
    psnr, codes = [], []
    for batch in images.split(64):
        pixels = batch.float() / 255
        codes.append(codec.encode(pixels))
        error = (codec.decode(codes[-1]) - pixels).square().mean(dim=(1, 2, 3))
        psnr.append(-10 * torch.log10(error.clamp(min=1e-10)))
    return torch.cat(psnr), torch.cat(codes)


def _line(report: StepReport, seconds: float) -> str:
    return (
        f"step {report.step + 1}  {seconds:.0f} s  loss {report.reconstruction:.4f}  "
        f"PSNR {report.psnr:.2f} dB  commitment {report.commitment:.4f}  revived {report.revived}  "
        f"adversarial {report.adversarial:.3f}  discriminator {report.discriminator:.3f}"
    )


def _save(trainer: CodecTrainer, out: Path, state: Path) -> None:
    buffer = io.BytesIO()
    torch.save(trainer.state_dict(), buffer)
    write_atomically(state, buffer.getvalue())
    save_weights(trainer.model.state_dict(), out / "vqgan.safetensors")


if __name__ == "__main__":
    main()
