"""The verbs that have verbs of their own: `dataset ...` and `coordinator ...`; and `simulate`."""

import typer

from client.verbs.coordinator import entry, evaluation, evidence, model, news, people, recipe, run, team, work
from client.verbs.coordinator.simulate import simulate
from client.verbs.dataset.build import build
from client.verbs.dataset.check import check
from client.verbs.dataset.push import push
from client.verbs.options import needs
from client.verbs.runs import finding, joined, making
from core.packages import PackageSet

dataset = typer.Typer(help="Make, check and publish code shards.", no_args_is_help=True)
runs = typer.Typer(
    help="Find runs on lists of others, keep a list yourself, or share your computer's time among your runs.",
    no_args_is_help=True,
)
coordinator = typer.Typer(
    help="Organise a run: create it, serve it, decide who takes part.", no_args_is_help=True
)
moderator = typer.Typer(
    help="Choose the moderators, who decide about evidence and bans on the website's page and through its API.",
    no_args_is_help=True,
)
work_verbs = typer.Typer(
    help="Decide about work that the coordinator found false, and does not credit.", no_args_is_help=True
)
team_verbs = typer.Typer(help="Look after the teams of volunteers.", no_args_is_help=True)
evidence_verbs = typer.Typer(
    help="Decide about the evidence by which the swarm sets users aside.", no_args_is_help=True
)
news_verbs = typer.Typer(help="Tell the run's volunteers something.", no_args_is_help=True)
evaluation_verbs = typer.Typer(
    help="Show an evaluation of the model on the website (`idlebrush evaluate`).", no_args_is_help=True
)
contact = typer.Typer(
    help="Choose the bootstrap peers on other machines, by which volunteers enter as well.",
    no_args_is_help=True,
)


def register(app: typer.Typer) -> None:
    for verb in (build, check, push):
        dataset.command()(needs(PackageSet.TRAINER)(verb))
    app.add_typer(dataset, name="dataset")
    for command in (finding.search, finding.show, finding.lists, finding.add_list, finding.remove_list):
        runs.command()(command)
    runs.command()(making.make_list)
    runs.command()(joined.joined)
    runs.command()(joined.share)
    app.add_typer(runs, name="runs")
    app.command()(needs(PackageSet.TRAINER)(simulate))
    _register_coordinator(app)


def _register_coordinator(app: typer.Typer) -> None:
    organisers = needs(PackageSet.TRAINER, PackageSet.COORDINATOR)
    for verb in (
        recipe.gather,
        run.init,
        recipe.begin_with,
        run.serve,
        run.status,
        run.backup,
        run.restore,
        entry.bootstrap,
        run.pages,
        people.invite,
        people.allow,
        people.disallow,
        people.members,
        people.ban,
        people.unban,
        people.take_down,
        people.audit,
        model.rollback,
        model.publish,
        model.rebuild,
    ):
        coordinator.command()(organisers(verb))
    moderator.command("add")(organisers(people.add_moderator))
    moderator.command("remove")(organisers(people.remove_moderator))
    coordinator.add_typer(moderator, name="moderator")
    contact.command("list")(organisers(entry.list_entries))
    contact.command("add")(organisers(entry.add_entry))
    contact.command("remove")(organisers(entry.remove_entry))
    coordinator.add_typer(contact, name="contact")
    for name in ("add", "list", "remove"):
        news_verbs.command(name)(organisers(getattr(news, f"{name}_news")))
    coordinator.add_typer(news_verbs, name="news")
    for name in ("publish", "remove"):
        evaluation_verbs.command(name)(organisers(getattr(evaluation, f"{name}_evaluation")))
    coordinator.add_typer(evaluation_verbs, name="evaluation")
    evidence_verbs.command("list")(organisers(evidence.list_evidence))
    for name in ("save", "uphold", "lift", "verify"):
        evidence_verbs.command()(organisers(getattr(evidence, name)))
    coordinator.add_typer(evidence_verbs, name="evidence")
    work_verbs.command("list")(organisers(work.list_false_work))
    work_verbs.command()(organisers(work.lift))
    coordinator.add_typer(work_verbs, name="work")
    team_verbs.command("list")(organisers(team.list_teams))
    team_verbs.command()(organisers(team.remove))
    coordinator.add_typer(team_verbs, name="team")
    app.add_typer(coordinator, name="coordinator")
