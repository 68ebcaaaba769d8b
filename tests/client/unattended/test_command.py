"""`idlebrush join --unattended` as a command that is refused: nothing is joined, and the status says who can help."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from client.api.errors import PersonNeeded
from client.cli import app
from client.paths import HOME_VARIABLE, Paths


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        ((), {}, "No run of volunteers is named."),
        (("swarm",), {}, "No run of volunteers is named."),
        (("idlebrush://join?nonsense",), {}, ""),
        (("embedded", "--limit", "ram=8GiB"), {}, "There is no preference 'ram'"),
        (("embedded",), {"IDLEBRUSH_PREF_UPLOAD": "fast"}, "upload cannot be 'fast'"),
        (("https://example.org/run.toml",), {}, "does not name the key"),
    ],
)
def test_what_only_a_person_can_correct_has_a_status_of_its_own(
    tmp_path: Path, arguments: tuple[str, ...], environment: Mapping[str, str], words: str
) -> None:
    home = {HOME_VARIABLE: str(tmp_path), **environment}
    done = CliRunner().invoke(app, ["join", *arguments, "--unattended"], env=home)
    assert done.exit_code == PersonNeeded.STATUS, done.output
    assert words in done.stderr
    paths = Paths.of_user(home)
    assert not paths.preferences.exists()
    assert not paths.joined.exists()


@pytest.mark.parametrize(
    "option", [("--invitation", "code"), ("--browser",), ("--no-browser",), ("--keep", "file")], ids=" ".join
)
def test_options_of_a_sign_in_are_refused(tmp_path: Path, option: tuple[str, ...]) -> None:
    home = {HOME_VARIABLE: str(tmp_path), "COLUMNS": "200"}
    done = CliRunner().invoke(app, ["join", "embedded", "--unattended", *option], env=home)
    assert done.exit_code == 2
    assert f"{option[0]} cannot be used with --unattended" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "option", [("--detach",), ("--limit", "upload=2MB/s"), ("--pass", "file"), ("--again",)]
)
def test_options_of_servers_need_the_option_that_consents(tmp_path: Path, option: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, ["join", "embedded", *option], env={HOME_VARIABLE: str(tmp_path)})
    assert done.exit_code == 2
    assert "need --unattended" in " ".join(done.stderr.split())
