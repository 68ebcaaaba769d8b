"""The verbs `checkpoint import`, `checkpoint export` and `checkpoint verify`."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from client.paths import Paths
from client.verbs.options import AsJson, needs
from core.packages import PackageSet

if TYPE_CHECKING:
    from core.model.family.publishing import PublishedModel

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
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="dalle-hivemind's model_state.pt, an exported folder, or an image codec's .ckpt; or the name of a"
            " recipe, whose published weights, tokenizer and codec are fetched from the Hub.",
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
    fetched: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder for a recipe's files. Default: `fetched` in the current folder."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Convert published weights to a folder that Idlebrush can use. No code in them is executed."""
    file = Path(source)
    if _is_recipe(source):
        others = {"--like": like, "--tokenizer": tokenizer, "--codec": codec, "--config": config}
        _refuse_unused(file, others)
        _import_recipe(source, fetched, out or Path("model"), as_json)
        return
    _refuse_unused(file, {"--fetched": fetched})
    is_codec = file.suffix == CODEC_SUFFIX
    of_models: dict[str, object] = {"--like": like, "--tokenizer": tokenizer, "--codec": codec}
    _refuse_unused(file, of_models if is_codec else {"--config": config})
    if is_codec:
        _import_codec(file, config, out or Path("codec"), as_json)
        return
    from core.published.export import published
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
    _report(folder, published(document), as_json)


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
    """Write a folder to publish: safetensors, the files that using it needs, and a model card."""
    from client.generation.sources import find_source
    from core.published.export import export_checkpoint, published_form

    if (form := published_form(source)) is not None:
        model = form.export_again(source, out, licence)
    else:
        found = find_source(Paths.of_user(), run, source)
        model = export_checkpoint(found.checkpoint, found.manifest, found.base, out, licence)
    _report(out, model, as_json)


@checkpoint.command()
@needs(PackageSet.TRAINER)
def verify(
    folder: Annotated[Path, typer.Argument(help="Folder of the checkpoint or the model.")],
    as_json: AsJson = False,
) -> None:
    """Check every byte of a checkpoint or a model, and show what it holds."""
    from core.published.export import published_form
    from core.storage.checkpoint import verify as verify_checkpoint

    if (form := published_form(folder)) is not None:
        _report(folder, form.verify(folder), as_json)
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


def _is_recipe(source: str) -> bool:
    """Return True for the name of a recipe, unless a file or a folder here has that name, and for a recipe's file."""
    from client.recipes.recipe import recipe_names

    path = Path(source)
    return path.suffix == ".toml" or (source in recipe_names() and not path.exists())


def _import_recipe(named: str, fetched: Path | None, out: Path, as_json: bool) -> None:
    from rich.console import Console

    from client.recipes.recipe import Recipe
    from client.recipes.session import hub_session
    from client.recipes.weights import import_published
    from core.published.export import published

    recipe = Recipe.load(named)
    with hub_session(Console(stderr=True), os.environ) as fetcher:
        document = import_published(recipe, fetched or Path("fetched"), out, fetcher)
    _report(out, published(document), as_json)


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


def _report(folder: Path, model: "PublishedModel", as_json: bool) -> None:
    if as_json:
        summary = {"folder": str(folder), "parameters": model.parameters}
        print(json.dumps({**summary, "parameter_digest": model.parameter_digest, **model.description}))
        return
    print(f"{folder} holds a valid model of {model.parameters:,} parameters in {model.layers} layers.")
    print(f"Digest of the parameters: {model.parameter_digest}")
    for part, option in (("text", "--tokenizer"), ("codec", "--codec")):
        if part in model.description and model.description[part] is None:
            print(f"To draw with it, import it with {option} as well.")
