"""An image codec as taming's authors publish it, made a folder of ours: its configuration, and safetensors."""

import shutil
from pathlib import Path

from safetensors import SafetensorError

from core.codec.vqgan import ImageCodec, load_codec
from core.disk import Disk
from core.errors import CodecError
from core.replacement import clear_up, replace_directory

_CONFIG, _WEIGHTS = "config.yaml", "vqgan.safetensors"
_DISK = Disk()


def import_codec(weights: Path, config: Path | None, out: Path, *, disk: Disk = _DISK) -> ImageCodec:
    """Write a codec's folder from a ``.ckpt`` or safetensors file, without losing a bit, and read it back.

    Without a ``config``, the one that lies beside the weights as it was published.

    Raises:
        CodecError: a file is missing, damaged, unsafe or does not fit, or the folder holds something else.
    """
    config, out = config or _config_of(weights), out.resolve()
    codec = load_codec(config, weights)

    def write(incoming: Path) -> None:
        shutil.copyfile(config, incoming / _CONFIG)
        disk.flush(incoming / _CONFIG)
        disk.write_tensors(incoming / _WEIGHTS, codec.weights())

    try:
        clear_up(out, disk)
        _refuse_foreign(out)
        replace_directory(out, write, disk)
    except (OSError, SafetensorError) as error:
        raise CodecError(
            f"The codec could not be written to {out}: {getattr(error, 'strerror', None) or error}.",
            "Free space on that disk or choose another folder; what was there still is.",
        ) from error
    return load_codec(out / _CONFIG, out / _WEIGHTS)


def _config_of(weights: Path) -> Path:
    """taming publishes ``checkpoints/last.ckpt`` and ``configs/model.yaml``; copies often lie side by side."""
    beside = [*weights.parent.glob("*.yaml"), *weights.parent.glob("*.yml")]
    published = weights.parent.parent / "configs" / "model.yaml"
    if len(beside) == 1:
        return beside[0]
    if not beside and published.is_file():
        return published
    raise CodecError(
        f"{weights} needs its configuration, and beside it lie {len(beside)} that it could be.",
        "Name the YAML file that was published with it by --config.",
    )


def _refuse_foreign(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    foreign = sorted(names - {_CONFIG, _WEIGHTS})
    if foreign:
        raise CodecError(
            f"{folder} holds {foreign[0]}, which is no part of a codec.", "Choose another folder by --out."
        )
