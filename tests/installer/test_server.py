"""What a server runs: the unit of systemd is valid and closed, and the container's recipe keeps its promises."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.admission.server_pass import CREDENTIAL
from client.api.errors import PersonNeeded
from client.paths import HOME_VARIABLE
from client.preferences.preferences import Preferences
from client.unattended.terms import LIMIT_VARIABLE, RUN_VARIABLE, limits_given, unattended_preferences
from installer.server.layout import EXAMPLE, UNIT, USER, server_contents

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "installer" / "container" / "Containerfile"
IGNORED = RECIPE.with_name(".containerignore")
_LARGEST_EXPOSURE = 25
"""Tenths of systemd's measure of what a service could do to its system; a unit without any limit has 96."""

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")


def settings(name: str) -> list[str]:
    """Return the values of a setting of the unit."""
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.MULTILINE)


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit on a system where the program is installed."""
    program = tmp_path / "idlebrush"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    laid = tmp_path / UNIT.name
    laid.write_text(UNIT.read_text().replace("/usr/bin/idlebrush", str(program)))
    return laid


@needs_systemd
def test_the_unit_is_valid(unit: Path) -> None:
    command = ["systemd-analyze", "--man=no", "verify", str(unit)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stderr == ""


@needs_systemd
def test_the_unit_leaves_the_service_little_that_it_could_do(unit: Path) -> None:
    limit = f"--threshold={_LARGEST_EXPOSURE}"
    command = ["systemd-analyze", "security", "--no-pager", "--offline=true", limit, str(unit)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_unit_and_the_program_agree() -> None:
    assert settings("ExecStart") == ["/usr/bin/idlebrush join --unattended"]
    assert settings("RestartPreventExitStatus") == [str(PersonNeeded.STATUS)]
    assert [value.partition(":")[0] for value in settings("LoadCredential")] == [CREDENTIAL]
    (state,) = settings("StateDirectory")
    assert f"{HOME_VARIABLE}=/var/lib/{state}" in settings("Environment")[0].split()
    (user,) = settings("User")
    assert re.search(rf"^u {user} - ", USER.read_text(), re.MULTILINE)


def test_the_example_names_a_run_and_limits_that_hold() -> None:
    lines = [line.lstrip("#") for line in EXAMPLE.read_text().splitlines() if re.match(r"#?IDLEBRUSH_", line)]
    given = dict(line.split("=", 1) for line in lines)
    assert given[RUN_VARIABLE] == "embedded"
    limits = limits_given((), given)
    assert len(limits) == sum(name.startswith(LIMIT_VARIABLE) for name in given) >= 5
    unattended_preferences(Preferences(), limits)
    (place,) = settings("EnvironmentFile")
    assert place in EXAMPLE.read_text(), "it says where to put it"


def test_the_packages_bring_the_files() -> None:
    contents = server_contents()
    assert all(Path(entry["src"]).is_file() for entry in contents)
    places = {entry["dst"] for entry in contents}
    assert f"/usr/lib/systemd/system/{UNIT.name}" in places
    assert not any("wants" in place for place in places), "nothing enables it"


def instructions() -> Iterator[tuple[str, str]]:
    """Yield the instructions of the recipe, each with its text."""
    text = re.sub(r"^#.*\n", "", RECIPE.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(None, map(str.strip, text.splitlines())):
        word, _, rest = line.partition(" ")
        yield word, " ".join(rest.split())


def last(word: str) -> str:
    return [text for found, text in instructions() if found == word][-1]


def test_the_image_runs_as_nobody_of_importance_and_obeys_signals() -> None:
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", last("USER")), "by numbers, as engines check them"
    assert last("ENTRYPOINT") == '["tini", "--", "idlebrush"]', "the first process passes signals on"
    assert last("CMD") == '["join", "--unattended"]'
    assert last("STOPSIGNAL") == "SIGTERM"
    assert '"idlebrush", "status"' in last("HEALTHCHECK")
    home = re.search(rf"{HOME_VARIABLE}=(\S+)", last("ENV"))
    assert home is not None
    assert last("VOLUME") == home[1]


@pytest.mark.parametrize(
    "text", [RECIPE, ROOT / "docs" / "volunteers" / "server.md"], ids=lambda file: file.name
)
def test_the_documented_build_keeps_the_health_check(text: Path) -> None:
    """Podman makes images in the OCI's format otherwise, which have none."""
    builds = re.findall(r"podman build.*", text.read_text())
    assert builds
    assert all("--format docker" in build for build in builds)


def test_the_recipe_copies_what_is_there_and_takes_no_secret() -> None:
    copied = [text.split()[:-1] for word, text in instructions() if word == "COPY" and "--from" not in text]
    sources = {source for each in copied for source in each}
    assert sources
    kept = {line[1:] for line in IGNORED.read_text().splitlines() if line.startswith("!")}
    assert sources == kept, "the rest of the folder does not even reach the builder"
    assert all((ROOT / source).exists() for source in sources)
    named = [text for word, text in instructions() if word in ("ARG", "ENV")]
    assert not re.search(r"pass|token|secret|key", " ".join(named), re.IGNORECASE)
