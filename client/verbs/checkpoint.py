"""The verbs `checkpoint import`, `checkpoint export` and `checkpoint verify`."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from client.paths import Paths
from client.verbs.options import AsJson, needs
from core.packages import PackageSet

if TYPE_CHECKING:
    from core.published.document import ModelDocument

checkpoint = typer.Typer(
    help="Import, export and verify checkpoints and published models.", no_args_is_help=True
)

CODEC_SUFFIX = ".ckpt"
"""Suffix of the files in which image codecs are published; models come as .pt and .safetensors."""


def register(app: typer.Typer) -> None:
    app.add_typer(checkpoint, name="checkpoint")


@checkpoint.command("import")
@needs(PackageSet.TRAINER)
def import_(
    file: Annotated[
        Path,
        typer.Argument(
            help="dalle-hivemind's model_state.pt, an exported folder, or an image codec's .ckpt."
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder to write. Default: `model` or `codec` in the current folder.")
    ] = None,
    like: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="Model to expect: a run's manifest, a model's folder, or dalle. Default: derived from shapes.",
        ),
    ] = None,
    tokenizer: Annotated[
        Path | None, typer.Option(help="The model's tokenizer.json, to draw from prompts.")
    ] = None,
    codec: Annotated[
        Path | None, typer.Option(help="Folder of the model's codec, to draw pictures; import that first.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="YAML file of a codec, if it is not beside the .ckpt.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Convert published weights to a folder that Idlebrush can use. No code in them is executed."""
    is_codec = file.suffix == CODEC_SUFFIX
    of_models: dict[str, object] = {"--like": like, "--tokenizer": tokenizer, "--codec": codec}
    _refuse_unused(file, of_models if is_codec else {"--config": config})
    if is_codec:
        _import_codec(file, config, out or Path("codec"), as_json)
        return
    from core.published.importing import config_like, import_model
    from core.published.model import CodecFiles, TokenizerFile

    folder = out or Path("model")
    document = import_model(
        file,
        folder,
        like=config_like(like) if like else None,
        tokenizer=TokenizerFile(tokenizer) if tokenizer else None,
        codec=CodecFiles.of_folder(codec) if codec else None,
    )
    _report(folder, document, as_json)


@checkpoint.command()
@needs(PackageSet.TRAINER)
def export(
    source: Annotated[Path, typer.Argument(help="Folder of a checkpoint, or of a model.")],
    out: Annotated[Path, typer.Option(help="Folder to write.")],
    run: Annotated[
        Path | None,
        typer.Option(help="Folder or manifest of the checkpoint's run, if it is not found nearby."),
    ] = None,
    licence: Annotated[
        str | None,
        typer.Option("--license", metavar="ID", help="Licence by its name on the Hub, such as apache-2.0."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a folder to publish: safetensors, the files that drawing needs, and a model card."""
    from client.generation.sources import find_source
    from core.published.export import export_checkpoint, export_model
    from core.published.model_folder import is_model

    if is_model(source):
        document = export_model(source, out, licence)
    else:
        found = find_source(Paths.of_user(), run, source)
        document = export_checkpoint(found.checkpoint, found.manifest, found.base, out, licence)
    _report(out, document, as_json)


@checkpoint.command()
@needs(PackageSet.TRAINER)
def verify(
    folder: Annotated[Path, typer.Argument(help="Folder of the checkpoint or the model.")],
    as_json: AsJson = False,
) -> None:
    """Check every byte of a checkpoint or a model, and show what it holds."""
    from core.published.model_folder import is_model, open_model
    from core.storage.checkpoint import verify as verify_checkpoint

    if is_model(folder):
        model = open_model(folder)
        model.model()
        _report(folder, model.document, as_json)
        return
    report = verify_checkpoint(folder)
    if as_json:
        print(json.dumps(asdict(report)))
    else:
        print(f"A valid checkpoint of the run {report.run} after epoch {report.epoch}:")
        print(f"{report.parameters:,} parameters with the digest {report.parameter_digest}.")


def _refuse_unused(file: Path, options: Mapping[str, object]) -> None:
    if given := [name for name, value in options.items() if value is not None]:
        raise typer.BadParameter(f"{given[0]} does not apply to {file.name}", param_hint=given[0])


def _import_codec(weights: Path, config: Path | None, out: Path, as_json: bool) -> None:
    from core.published.importing import import_codec

    codec = import_codec(weights, config, out)
    if as_json:
        summary: dict[str, Any] = {"codes": codec.codebook_size, "downsampling": codec.downsampling}
        print(json.dumps({"folder": str(out), **summary}))
    else:
        print(
            f"{out} holds a codec with {codec.codebook_size:,} codes; each code stands for {codec.downsampling} x "
            f"{codec.downsampling} pixels."
        )


def _report(folder: Path, document: "ModelDocument", as_json: bool) -> None:
    from core.run.describe import parameter_count

    parameters = parameter_count(document.model)
    if as_json:
        summary = {"folder": str(folder), "parameters": parameters}
        print(json.dumps(summary | document.model_dump(mode="json")))
        return
    print(f"{folder} holds a valid model of {parameters:,} parameters in {document.model.depth} layers.")
    print(f"Digest of the parameters: {document.parameter_digest}")
    for missing, option in ((document.text, "--tokenizer"), (document.codec, "--codec")):
        if missing is None:
            print(f"To draw with it, import it with {option} as well.")
