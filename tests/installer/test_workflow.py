"""The workflow of a release, which was never run: the real parsers read the project's own commands in it."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

import installer.build
import installer.environment.make_list
import installer.relist

ROOT = Path(__file__).parents[2]
WORKFLOW: Mapping[str, Any] = yaml.safe_load(
    (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
)
JOBS: Mapping[str, Mapping[str, Any]] = WORKFLOW["jobs"]
PARSERS: Mapping[str, Callable[[Sequence[str]], Any]] = {
    "installer.build": installer.build.options,
    "installer.environment.make_list": installer.environment.make_list.options,
    "installer.relist": installer.relist.options,
}
FOREIGN = {
    *("apt-get", "curl", "ditto", "echo", "git", "mv", "printenv", "printf", "sha256sum", "signtool", "umask")
}
"""Programs that are not the project's own, whose words are not checked."""
PYTHON = ".venv/bin/python"
_VALUE = re.compile(r"\$\{\{.*?\}\}|\$\(.*?\)")
_ADDRESS = re.compile(r"(?<=[a-z0-9]=)\$\{\{.*?\}\}")
"""Value of an option that maps a name to a URL."""
_MAKE_TARGET = re.compile(r"^\.PHONY: (.*)$", re.MULTILINE)


class WrongCommandError(Exception):
    """A command of the workflow cannot work."""


def commands_of(text: str) -> Iterator[list[str]]:
    """Yield the commands of a step as words; what is known only when it runs is replaced by a number, or a URL."""
    known = _VALUE.sub("1", _ADDRESS.sub("https://example.org/1", text))
    words = shlex.shlex(known.replace("\\\n", " "), posix=True, punctuation_chars=";&|\n")
    words.whitespace = " \t"
    words.whitespace_split = True
    words.commenters = ""
    command: list[str] = []
    for word in words:
        if set(word) <= set(";&|\n"):
            if command:
                yield command
            command = []
        else:
            command.append(word)
    if command:
        yield command


def check(command: Sequence[str]) -> None:
    """Check a command; raise WrongCommandError or SystemExit if it cannot work."""
    program, *words = command
    if program == "make":
        check_make(words)
    elif program == PYTHON:
        if words[0] != "-m" or words[1] not in PARSERS:
            raise WrongCommandError(f"no known module: {words}")
        PARSERS[words[1]](words[2:])
    elif (ROOT / program).is_file():
        check_script(ROOT / program, words)
    elif program not in FOREIGN:
        raise WrongCommandError(f"no such program: {program}")


def check_make(words: Sequence[str]) -> None:
    """Check that make has the target, and the build its options."""
    (target,) = [word for word in words if "=" not in word]
    named = _MAKE_TARGET.search((ROOT / "Makefile").read_text(encoding="utf-8"))
    if named is None or target not in named[1].split():
        raise WrongCommandError(f"no such target: {target}")
    options = [word.partition("=")[2] for word in words if word.startswith("OPTIONS=")]
    if target == "packages":
        installer.build.options([word for text in options for word in shlex.split(text)])
    elif options:
        raise WrongCommandError(f"{target} takes no options here")


def check_script(script: Path, words: Sequence[str]) -> None:
    """Check that a script gets as many words as it reads, and can be started."""
    text = script.read_text(encoding="utf-8")
    before_functions = re.sub(r"^\w+\(\) \{\n.*?^\}$", "", text, flags=re.MULTILINE | re.DOTALL)
    needed = max(map(int, re.findall(r"\$([1-9])", before_functions)), default=0)
    if len(words) != needed:
        raise WrongCommandError(f"{script.name} needs {needed} arguments, and gets {len(words)}")
    if not script.stat().st_mode & 0o100:
        raise WrongCommandError(f"{script.name} cannot be executed")


def _commands() -> list[tuple[str, list[str]]]:
    steps = [(job, step) for job, described in JOBS.items() for step in described["steps"] if "run" in step]
    return [(job, command) for job, step in steps for command in commands_of(step["run"])]


@pytest.mark.parametrize(("job", "command"), _commands(), ids=lambda value: str(value)[:60])
def test_each_command_of_the_workflow_can_be_understood(job: str, command: list[str]) -> None:
    check(command)


def test_what_the_project_does_itself_is_among_the_commands() -> None:
    own = {" ".join(command[:3]) for _, command in _commands() if command[0] not in FOREIGN}
    assert {
        "make packages",
        f"{PYTHON} -m installer.relist",
        f"{PYTHON} -m installer.environment.make_list",
    } <= {text.partition(" OPTIONS")[0] for text in own}
    assert any(text.startswith("installer/macos/sign.sh") for text in own)


@pytest.mark.parametrize(
    "text",
    [
        "make packages OPTIONS='--updates https://example.org'",
        "make packages OPTIONS='windows'",
        "make packages OPTIONS='--no-such-option'",
        "make publish",
        f"{PYTHON} -m installer.environment.make_list --variant cu126",
        f"{PYTHON} -m installer.environment.make_list FOLDER --key KEY --serial 1 --variant cu126",
        f"{PYTHON} -m installer.environment.make_list FOLDER --key KEY --serial next",
        f"{PYTHON} -m installer.no_such_module",
        "installer/macos/sign.sh dist/packages",
        "installer/macos/no_such.sh",
        "echo it && make publish",
    ],
)
def test_a_command_that_cannot_work_is_found(text: str) -> None:
    with pytest.raises((WrongCommandError, SystemExit)) as raised:
        _check_all(text)
    assert not isinstance(raised.value, SystemExit) or raised.value.code == 2


def _check_all(text: str) -> None:
    for command in commands_of(text):
        check(command)


def test_packages_of_all_systems_are_built_and_can_train() -> None:
    (command,) = [command for _, command in _commands() if command[:2] == ["make", "packages"]]
    given = installer.build.options(shlex.split(command[2].removeprefix("OPTIONS=")))
    assert given.source is not None
    assert given.updates
    assert given.windows_python is not None
    assert given.macos_python is not None
    assert given.systems == []


@pytest.mark.parametrize("job", JOBS)
def test_a_job_takes_what_those_before_it_have_made(job: str) -> None:
    needs = JOBS[job].get("needs", [])
    before = [needs] if isinstance(needs, str) else needs
    made = {name for each in before for name in _artifacts(each, "upload")}
    assert _artifacts(job, "download") <= made


def _artifacts(job: str, way: str) -> set[str]:
    return {
        step["with"]["name"]
        for step in JOBS[job]["steps"]
        if step.get("uses", "").startswith(f"actions/{way}-artifact@")
    }


def test_it_says_that_it_was_never_run() -> None:
    assert (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8").startswith("# NEVER RUN")
