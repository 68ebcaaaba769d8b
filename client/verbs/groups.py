"""The verbs that have verbs of their own: `dataset ...` and `coordinator ...`; and `simulate`."""

import typer

from client.verbs.coordinator import entry, evidence, model, people, run, work
from client.verbs.coordinator.simulate import simulate
from client.verbs.dataset.build import build
from client.verbs.dataset.check import check
from client.verbs.dataset.push import push
from client.verbs.options import needs
from core.packages import PackageSet

dataset = typer.Typer(help="Make, check and publish code shards.", no_args_is_help=True)
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
evidence_verbs = typer.Typer(
    help="Decide about the evidence by which the swarm sets users aside.", no_args_is_help=True
)
contact = typer.Typer(
    help="Choose the bootstrap peers on other machines, by which volunteers enter as well.",
    no_args_is_help=True,
)


def register(app: typer.Typer) -> None:
    for verb in (build, check, push):
        dataset.command()(needs(PackageSet.TRAINER)(verb))
    app.add_typer(dataset, name="dataset")
    app.command()(needs(PackageSet.TRAINER)(simulate))
    _register_coordinator(app)


def _register_coordinator(app: typer.Typer) -> None:
    organisers = needs(PackageSet.TRAINER, PackageSet.COORDINATOR)
    for verb in (
        run.init,
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
    evidence_verbs.command("list")(organisers(evidence.list_evidence))
    for name in ("save", "uphold", "lift", "verify"):
        evidence_verbs.command()(organisers(getattr(evidence, name)))
    coordinator.add_typer(evidence_verbs, name="evidence")
    work_verbs.command("list")(organisers(work.list_false_work))
    work_verbs.command()(organisers(work.lift))
    coordinator.add_typer(work_verbs, name="work")
    app.add_typer(coordinator, name="coordinator")
