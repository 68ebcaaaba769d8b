"""The verbs `dataset build`, `dataset check`, `dataset convert` and `dataset push`."""

import typer

from client.verbs import dataset_build, dataset_check, dataset_convert, dataset_push

dataset = typer.Typer(help="Make, check, convert and publish code shards.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    for verb in (dataset_build.build, dataset_check.check, dataset_convert.convert, dataset_push.push):
        dataset.command()(verb)
    app.add_typer(dataset, name="dataset")
