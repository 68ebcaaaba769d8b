"""Imports models and codecs from the files in which their weights were published."""

import shutil
from dataclasses import replace
from pathlib import Path

from safetensors import SafetensorError

from core.codec.vqgan import ImageCodec, load_codec
from core.errors import CheckpointError, CodecError
from core.model.config import ModelConfig, preset
from core.published.dalle_hivemind import import_state, read_state_file
from core.published.document import LONGEST_NAME, FileOrigin, ModelDocument
from core.published.model import CodecFiles, Model, TokenizerFile
from core.published.model_folder import WEIGHTS, is_model, open_model
from core.published.writing import write_model
from core.ranking.scorer import ScorerRanker
from core.run.contact import ClipRanking
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.storage.disk import Disk
from core.storage.files import sha256_of
from core.storage.replacement import clear_up, replace_directory
from core.text import CaptionTokenizer, clean

_MANIFEST = "run.toml"


def config_like(named: str) -> ModelConfig:
    """Return the configuration of the model that ``named`` refers to.

    ``named`` is a preset, the manifest or the folder of a run, or the folder of a published model.

    Raises:
        CheckpointError: it is none of these.
        ManifestError: the manifest cannot be used.
    """
    path = Path(named)
    if is_model(path):
        return open_model(path).document.model
    if (path / _MANIFEST).is_file():
        path = path / _MANIFEST
    if path.is_file():
        return picture_rules(RunManifest.load(path).training).model
    try:
        return preset(named)
    except ValueError as error:
        raise CheckpointError(
            f"{named} is not a run's manifest, a model's folder or a preset. {error}", "Check the path."
        ) from error


_CONFIG, _WEIGHTS = "config.yaml", "vqgan.safetensors"


def import_codec(weights: Path, config: Path | None, out: Path) -> ImageCodec:
    """Write a codec's folder from a ``.ckpt`` or safetensors file, with the values unchanged, and read it back.

    Args:
        weights: File of the weights.
        config: File of the configuration; None: the one that lies beside the weights as it was published.
        out: Folder to write; a codec that is there is replaced.

    Raises:
        CodecError: a file is missing, damaged, unsafe or does not fit, or the folder holds something else.
    """
    config, out, disk = config or _config_of(weights), out.resolve(), Disk()
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
    """Return the configuration that lies beside the weights.

    taming publishes ``checkpoints/last.ckpt`` and ``configs/model.yaml``; copies often lie side by side.
    """
    beside = [*weights.parent.glob("*.yaml"), *weights.parent.glob("*.yml")]
    published = weights.parent.parent / "configs" / "model.yaml"
    if len(beside) == 1:
        return beside[0]
    if not beside and published.is_file():
        return published
    raise CodecError(
        f"{weights} needs its configuration, and beside it lie {len(beside)} that it could be.",
        "Set --config to the YAML file that was published with it.",
    )


def _refuse_foreign(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    foreign = sorted(names - {_CONFIG, _WEIGHTS})
    if foreign:
        raise CodecError(
            f"{folder} holds {foreign[0]}, which does not belong to a codec.",
            "Choose another folder with --out.",
        )


def import_model(
    source: Path,
    out: Path,
    *,
    like: ModelConfig | None = None,
    tokenizer: TokenizerFile | None = None,
    codec: CodecFiles | None = None,
    ranker: ClipRanking | Path | None = None,
    guidance: float | None = None,
    name: str | None = None,
) -> ModelDocument:
    """Write a model's folder from dalle-hivemind's state dict, or from a folder that was exported.

    Args:
        source: The state dict's file, or the exported folder, or its ``model.safetensors``.
        out: Folder to write.
        like: Configuration that the file does not tell; without it, the paper's in the sizes that the file
            tells.
        tokenizer: Tokenizer to go with the model, instead of one that the folder has.
        codec: Codec to go with the model, instead of one that the folder has.
        ranker: Ranker of the model's pictures, instead of one that the folder has: a model on the Hub, or a scorer's
            file.
        guidance: Factor by which its drawings are guided, without a unit; None: that of the folder, or 1.
        name: Name by which the state dict's file was published; None: its name here.

    Raises:
        CheckpointError: the source is unsafe, damaged or no such model, or the folder cannot be written.
        TextError: the tokenizer cannot be used.
        CodecError: the codec cannot be used.
        RankingError: the scorer cannot be used, or is for another tokenizer.
    """
    folder = source.parent if source.name == WEIGHTS else source
    if is_model(folder):
        model = open_model(folder).model()
        if like not in (None, model.config):
            raise CheckpointError(
                f"The model in {folder} does not match the model given with --like.", "Leave out --like."
            )
    else:
        config, parameters = import_state(read_state_file(source), like)
        published = clean(name or source.name)[:LONGEST_NAME]
        model = Model(config, parameters, FileOrigin(name=published, sha256=sha256_of(source)))
    _check_fit(model.config, tokenizer, codec, ranker)
    whole = replace(
        model,
        tokenizer=tokenizer or model.tokenizer,
        codec=codec or model.codec,
        ranker=ranker or model.ranker,
        usual_guidance=guidance or model.usual_guidance,
    )
    return write_model(out, whole)


def _check_fit(
    config: ModelConfig,
    tokenizer: TokenizerFile | None,
    codec: CodecFiles | None,
    ranker: ClipRanking | Path | None,
) -> None:
    """Check that tokenizer, codec and scorer for a model can be used, and are made for its sizes."""
    if tokenizer is not None:
        loaded = CaptionTokenizer.load(
            tokenizer.path,
            length=config.text_length,
            eos_id=tokenizer.eos_id,
            pad_id=tokenizer.pad_id,
            vocab=config.text_vocab,
        )
        if isinstance(ranker, Path):
            ScorerRanker.load(ranker, loaded)
    if codec is not None:
        codes = load_codec(codec.config, codec.weights).codebook_size
        if codes != config.image_vocab:
            raise CheckpointError(
                f"The codec has {codes} codes, and the model draws with {config.image_vocab}.",
                "Use the codec that the model was trained with.",
            )
