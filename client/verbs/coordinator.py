"""The verbs `coordinator ...`: an organiser makes a run, serves it, and looks after it."""

import typer

from client.verbs import coordinator_model, coordinator_people, coordinator_run

coordinator = typer.Typer(
    help="Organise a run: make it, serve it, decide who takes part.", no_args_is_help=True
)
moderator = typer.Typer(help="Say who may ban on the website's API.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    for verb in (
        coordinator_run.init,
        coordinator_run.serve,
        coordinator_run.status,
        coordinator_run.backup,
        coordinator_run.restore,
        coordinator_people.invite,
        coordinator_people.allow,
        coordinator_people.disallow,
        coordinator_people.members,
        coordinator_people.ban,
        coordinator_people.unban,
        coordinator_people.take_down,
        coordinator_people.audit,
        coordinator_model.rollback,
        coordinator_model.publish,
        coordinator_model.rebuild,
    ):
        coordinator.command()(verb)
    moderator.command("add")(coordinator_people.add_moderator)
    moderator.command("remove")(coordinator_people.remove_moderator)
    coordinator.add_typer(moderator, name="moderator")
    app.add_typer(coordinator, name="coordinator")
