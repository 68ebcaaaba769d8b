"""The verbs of an organiser, on a home of its own: a run is made, people are let in and banned, orders are given."""

import json
import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from client.joining.embedded import embedded_run
from coordinator.database.connect import Database
from coordinator.database.tables import Checkpoint, Frame, User
from coordinator.gate.entry import is_allowed
from coordinator.gate.evidence import enter
from coordinator.home import Home
from coordinator.ledger.withholding import EnteredVerdict
from coordinator.ledger.work_audits import JudgedWork
from coordinator.ledger.work_audits import enter as enter_audit
from coordinator.recorder.evidence import in_row
from coordinator.settings import Admits, Checkpoints, GateSettings, Settings
from coordinator.teams.teams import found
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.command_line import idlebrush
from tests.coordinator.homes import loopback_settings, make_home
from tests.core.swarm.evidence.double_voter import double_vote
from tests.gate.run_gate import RunGate
from tests.swarms.tiny_run import write_tiny_run

NOW = datetime(2026, 6, 1, tzinfo=UTC)
_PAPER_SIZED = """
[training]
name = "paper-sized"
model.preset = "dalle"
codec = { config = "codec/config.yaml", weights = "codec/vqgan.safetensors" }
text = { tokenizer = "tokenizer.json" }
data = { shards = ["data/starter-00000.parquet"] }

[contact]
title = "Sized as in the paper"
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A coordinator's home with a volunteer and a checkpoint of epoch 3; tests change copies of it."""
    gate = GateSettings(client_id="ours", admits=Admits.INVITATION)
    settings = loopback_settings(gate, Checkpoints(publish_to="my-org/my-model"))
    home = make_home(tmp_path_factory.mktemp("made"), settings)
    database = Database.open(home.database_url({}))
    with database.session() as session:
        session.add(User(name="ada", hidden=False, created=NOW))
        session.add(
            Checkpoint(
                generation=0,
                epoch=3,
                parameters="ab" * 32,
                folder="0-3",
                loss=4.5,
                size=1,
                created=NOW,
                standing="kept",
            )
        )
    database.close()
    return home


@pytest.fixture
def home(made: Home, tmp_path: Path) -> Home:
    shutil.copytree(made.root, tmp_path / "home", symlinks=True)
    return Home(tmp_path / "home")


def organiser(home: Home, verb: str, *words: object) -> str:
    done = idlebrush("coordinator", *verb.split(), *words, "--home", home.root)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_run_is_made_by_one_command(tmp_path: Path) -> None:
    run = write_tiny_run(tmp_path / "tiny")
    home = Home(tmp_path / "home")
    options = (
        "--run",
        run,
        "--title",
        "Ours",
        "--address",
        "https://train.example.org",
        "--moderator",
        "ada",
        "--optimizer",
        "adamw",
        "--learning-rate",
        "0.001",
    )
    done = idlebrush("coordinator", "init", home.root, *options)
    assert done.returncode == 0, done.stderr
    manifest = RunManifest.load(home.manifest)
    assert manifest.contact.title == "Ours"
    assert (manifest.training.optimizer.kind, manifest.training.schedule.peak_lr) == ("adamw", 0.001)
    link = JoinLink("https://train.example.org/files/run.toml", manifest.fingerprint)
    assert str(link) in done.stdout
    assert f"idlebrush coordinator serve {home.root}" in done.stdout


def test_who_may_join_has_to_be_stated(tmp_path: Path) -> None:
    done = idlebrush("coordinator", "init", tmp_path / "home")
    assert done.returncode == 2
    assert "--open" in done.stderr
    assert not (tmp_path / "home").exists()


def test_what_a_second_init_changes_is_reported(tmp_path: Path) -> None:
    run, home = write_tiny_run(tmp_path / "tiny"), Home(tmp_path / "home")
    gated = ("--address", "https://train.example.org", "--moderator", "ada")
    assert (
        "Volunteers sign in to join"
        in idlebrush("coordinator", "init", home.root, "--run", run, *gated).stdout
    )
    opened = idlebrush("coordinator", "init", home.root, "--run", run, "--open", "--title", "Ours").stdout
    assert opened.startswith("Changed Ours in ")
    assert "Moderators were removed: ada." in opened
    moved = idlebrush(
        "coordinator", "init", home.root, "--run", run, "--address", "https://new.example.org"
    ).stdout
    assert "The gate is open" in moved
    needing = idlebrush("coordinator", "init", home.root, "--run", run, "--least-version", "0.3")
    assert "Volunteers need Idlebrush 0.3 or newer." in needing.stdout
    assert RunManifest.load(home.manifest).contact.least_version == "0.3"
    refused = idlebrush("coordinator", "init", home.root, "--run", run, "--least-version", ">=0.3")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 2)
    freed = idlebrush("coordinator", "init", home.root, "--run", run, "--least-version", "any")
    assert "Volunteers need" not in freed.stdout
    assert RunManifest.load(home.manifest).contact.least_version is None


def test_a_draft_whose_files_do_not_fit_its_model_makes_no_run(tmp_path: Path) -> None:
    """The paper's model with the codec, the tokenizer and the shards of the embedded run."""
    shutil.copytree(embedded_run(), tmp_path / "draft")
    (tmp_path / "draft" / "draft.toml").write_text(_PAPER_SIZED)
    options = ("--run", tmp_path / "draft" / "draft.toml", "--open")
    done = idlebrush("coordinator", "init", tmp_path / "home", *options)
    assert done.returncode == 2
    assert "The codec has 1,024 codes, but the model draws with 8,192." in done.stderr
    assert "Set image_vocab of the model to 1024" in done.stderr
    assert not (tmp_path / "home").exists()


def test_bans_and_what_is_written_down_of_them(home: Home) -> None:
    assert "banned" in organiser(home, "ban ada", "--reason", "Tried to cheat", "--at-once")
    assert "banned: Tried to cheat" in organiser(home, "members")
    assert "may sign in again" in organiser(home, "unban ada")
    assert "may moderate" in organiser(home, "moderator add ada")
    assert json.loads(organiser(home, "members", "--json"))["moderator"] is True
    entries = organiser(home, "audit").splitlines()
    assert [("Tried to cheat" in line, "ada" in line) for line in entries] == [
        (True, True),
        (False, True),
        (False, True),
    ]


def test_who_is_on_the_list_may_join_until_taken_off_it(home: Home) -> None:
    assert organiser(home, "allow ada bob") == "Allowed: ada, bob.\n"
    assert allowed(home) == ["ada", "bob"]
    assert organiser(home, "disallow ada") == "No longer allowed: ada.\n"
    assert allowed(home) == ["bob"]


@pytest.mark.parametrize(("admits", "is_told"), [("invitation", True), ("list", False)])
def test_a_list_that_the_gate_does_not_ask_is_told(home: Home, admits: str, is_told: bool) -> None:
    settings = home.settings.read_text().replace('admits = "invitation"', f'admits = "{admits}"')
    home.settings.write_text(settings)
    done = idlebrush("coordinator", "allow", "ada", "--home", home.root)
    assert (done.returncode, done.stdout) == (0, "Allowed: ada.\n")
    assert ("The list has no effect yet" in done.stderr) == is_told


def allowed(home: Home) -> list[str]:
    """Who of Ada and Bob is on the list."""
    with closing(Database.open(home.database_url({}))) as database, database.reading() as session:
        return [name for name in ("ada", "bob") if is_allowed(session, name)]


def test_a_moderator_may_be_removed(home: Home) -> None:
    organiser(home, "moderator add ada")
    assert "no longer a moderator" in organiser(home, "moderator remove ada")
    assert json.loads(organiser(home, "members", "--json"))["moderator"] is False


def test_a_picture_that_is_taken_down_is_gone_from_the_disk(home: Home) -> None:
    home.frames.mkdir(exist_ok=True)
    picture = home.frames / "g0-epoch-0000007.webp"
    picture.write_bytes(b"picture")
    with closing(Database.open(home.database_url({}))) as database, database.session() as session:
        session.add(Frame(generation=0, epoch=7, sha256="a" * 64, size=7, file=picture.name, peer_id="p"))
    assert organiser(home, "take-down 7") == "The picture of epoch 7 is no longer shown.\n"
    assert not picture.exists()
    again = idlebrush("coordinator", "take-down", "7", "--home", home.root)
    assert (again.returncode, again.stderr.splitlines()[0]) == (
        2,
        "idlebrush: No picture of epoch 7 is shown.",
    )


def test_a_team_is_listed_and_removed(home: Home) -> None:
    assert "There are no teams yet." in organiser(home, "team list")
    with closing(Database.open(home.database_url({}))) as database, database.session() as session:
        ada = session.scalars(select(User).where(User.name == "ada")).one()
        number = found(session, ada, "Rude", NOW).id
    assert "Rude  1 member  0 samples" in organiser(home, "team list")
    assert json.loads(organiser(home, "team list --json"))["number"] == number
    assert "The team Rude is removed." in organiser(home, f"team remove {number} --why name")
    assert "organiser team removed Rude name" in organiser(home, "audit")
    again = idlebrush("coordinator", "team", "remove", number, "--home", home.root)
    assert (again.returncode, "or it was closed" in again.stderr) == (2, True)


def test_nobody_is_banned_by_a_name_that_nobody_has(home: Home) -> None:
    done = idlebrush("coordinator", "ban", "eve", "--home", home.root)
    assert done.returncode == 2
    assert "No volunteer named eve" in done.stderr


def test_an_invitation_travels_in_the_link(home: Home) -> None:
    link = JoinLink.parse(organiser(home, "invite", "--uses", 3).strip())
    assert link.invitation
    assert link.fingerprint == RunManifest.load(home.manifest).fingerprint


def test_an_invitation_that_would_not_help_is_not_given(home: Home) -> None:
    loopback_settings().save(home.settings)
    done = idlebrush("coordinator", "invite", "--home", home.root)
    assert done.returncode == 2
    assert "does not admit by invitation" in done.stderr


def test_status_names_the_checkpoints(home: Home) -> None:
    status = json.loads(organiser(home, "status", "--json"))
    assert status["served"] is False
    (checkpoint,) = status["checkpoints"]
    assert checkpoint["epoch"] == 3
    assert Path(checkpoint["folder"]).parent == home.checkpoints
    shown = organiser(home, "status")
    assert "epoch 3" in shown
    assert f"folder {checkpoint['folder']}" in shown


@pytest.mark.parametrize("verb", ["rollback 3", "publish 3", "publish"])
def test_orders_wait_for_a_coordinator_that_serves(home: Home, verb: str) -> None:
    assert "is executed once" in organiser(home, verb)


def test_what_cannot_be_published_is_not_promised(home: Home, tmp_path: Path) -> None:
    def refused(where: Home, *words: object) -> str:
        done = idlebrush("coordinator", "publish", *words, "--home", where.root)
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr

    assert "No checkpoint of epoch 7 is kept.\nGive one of these: 3." in refused(home, 7)
    settings = Settings.load(home.settings)
    settings.model_copy(update={"checkpoints": Checkpoints()}).save(home.settings)
    assert "names no repository" in refused(home)
    nowhere = make_home(
        tmp_path / "new", loopback_settings(checkpoints=Checkpoints(publish_to="my-org/my-model"))
    )
    assert "No checkpoint is kept yet." in refused(nowhere)


def test_a_rollback_to_what_is_not_kept_names_what_is(home: Home) -> None:
    done = idlebrush("coordinator", "rollback", "7", "--home", home.root)
    assert done.returncode == 2
    assert "3" in done.stderr


def test_a_rollback_finds_the_checkpoint_before_a_harm(home: Home) -> None:
    told = organiser(home, "rollback --before 9 --why evidence")
    assert "The newest checkpoint before epoch 9 is of epoch 3." in told
    for words in (("--before", "3"), ("3", "--before", "9"), ()):
        done = idlebrush("coordinator", "rollback", *words, "--home", home.root)
        assert done.returncode == 2
        assert "before" in done.stderr


def test_evidence_is_listed_saved_verified_and_lifted(home: Home, tmp_path: Path) -> None:
    manifest = RunManifest.load(home.manifest)
    gate = RunGate(manifest.training_digest, SigningKey.load(home.gate_key))
    found = double_vote("mallory", gate=gate, prefix=manifest.dht_prefix)
    with closing(Database.open(home.database_url({}))) as database, database.session() as session:
        enter(session, [in_row(found)], NOW)
    assert "mallory  open" in organiser(home, "evidence list")
    organiser(home, "evidence save 1", tmp_path / "proof.json")
    proof = idlebrush("coordinator", "evidence", "verify", tmp_path / "proof.json", home.manifest)
    assert (proof.returncode, "of mallory signed two votes" in proof.stdout) == (0, True)
    (tmp_path / "forged.json").write_text('{"evidence": "AAAA"}')
    forged = idlebrush("coordinator", "evidence", "verify", tmp_path / "forged.json", home.manifest)
    assert (forged.returncode, "does not hold" in forged.stdout) == (1, True)
    assert "is lifted" in organiser(home, "evidence lift 1 --why mistake")
    assert json.loads(organiser(home, "evidence list --json"))["standing"] == "lifted"


def test_false_work_is_listed_and_lifted(home: Home) -> None:
    assert "No work was found false." in organiser(home, "work list")
    judged = JudgedWork("Qm" + "a" * 44, 0, 7, 24, 26, EnteredVerdict.FALSE, 1.04)
    with closing(Database.open(home.database_url({}))) as database, database.session() as session:
        number = enter_audit(session, judged, NOW).id
    assert "its 26 rows give: they differ by 104%" in organiser(home, "work list")
    assert "is lifted" in organiser(home, f"work lift {number} --why mistake")
    assert json.loads(organiser(home, "work list --json"))["standing"] == "lifted"
    again = idlebrush("coordinator", "work", "lift", number, "--home", home.root)
    assert (again.returncode, "or it was lifted" in again.stderr) == (2, True)


def test_a_copy_of_the_database_is_a_database(home: Home, tmp_path: Path) -> None:
    organiser(home, "backup", tmp_path / "copy.sqlite")
    Database.open(f"sqlite:///{tmp_path}/copy.sqlite").close()


def test_a_backup_is_put_back_and_what_it_lacks_is_named(home: Home, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    organiser(home, "allow ada")
    organiser(home, "backup", copy)
    organiser(home, "allow bob")
    lines = organiser(home, "restore", copy).splitlines()
    assert allowed(home) == ["ada"]
    (aside,) = home.root.glob("**/*-before-*.sqlite")
    assert lines[0] == f"The previous database was moved to {aside}."
    assert "are not in the backup" in lines[1]
    assert lines[-1] == f"Next: idlebrush coordinator serve {home.root}"
    copy.write_bytes(b"not a database" * 1000)
    refused = idlebrush("coordinator", "restore", copy, "--home", home.root)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "no whole database" in refused.stderr
    assert allowed(home) == ["ada"]


def test_what_is_no_receipt_is_left_out(home: Home, tmp_path: Path) -> None:
    (tmp_path / "receipts").mkdir()
    (tmp_path / "receipts" / "mine.json").write_text("{}")
    assert "Refused" in organiser(home, "rebuild", tmp_path / "receipts")
