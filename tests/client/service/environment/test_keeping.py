"""The environment in a distribution is kept as one on this system is, by processes that see its files."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path, PurePosixPath
from typing import Any, cast

import pytest

from client.environment.attempt import carry_out
from client.environment.interpreter import TrainerPython
from client.environment.kept_setup import KeptSetup
from client.environment.places import EnvironmentPlaces, EnvironmentRecord, record_of, write_record
from client.environment.stages import SetupStage
from client.service.context import Context
from client.service.environment.keeping import EnvironmentKeeper, HostedKeeper, LocalKeeper
from core.messages.lines import Channel
from tests.client.service.contexts import context_in

BEFORE = EnvironmentRecord(variant="cpu", digest="before", serial=1, why="A test.", has_made_epoch=True)
TRIED = EnvironmentRecord(variant="cpu", digest="tried", serial=2, why="A test.")
Deed = Callable[[EnvironmentKeeper], Coroutine[Any, Any, None]]


def places_with(root: Path, shared: Path | None = None) -> EnvironmentPlaces:
    """Places with an environment on trial, and one before it."""
    places = EnvironmentPlaces(root, shared)
    for folder, record in ((places.current, TRIED), (places.previous, BEFORE)):
        folder.mkdir(parents=True)
        write_record(folder, record)
    return places


class TasksWithin:
    """Carries tasks out at once, as a process in the distribution does."""

    async def run(self, task: Any, *_: object, **__: object) -> Any:
        return carry_out(task, cast(Channel, None))  # what is only changed has nothing to send


def hosted_context(home: Path, inside: Path) -> Context:
    """A daemon that does not see the files in ``inside``, but what a process there shows of them."""
    python = TrainerPython(
        EnvironmentPlaces(home / "environment"), is_own=False, inside=PurePosixPath(inside)
    )
    context = context_in(home, python=python)
    context.tasks = cast(Any, TasksWithin())
    return context


async def made_epoch(keeper: EnvironmentKeeper) -> None:
    await keeper.made_epoch()


async def note_damage(keeper: EnvironmentKeeper) -> None:
    await keeper.note_damage()


async def take_back(keeper: EnvironmentKeeper) -> None:
    await keeper.take_back("It crashed 3 times.")


async def cancel(keeper: EnvironmentKeeper) -> None:
    await keeper.cancel()


@pytest.mark.parametrize(
    ("deed", "stage", "digest"),
    [
        (made_epoch, SetupStage.READY, TRIED.digest),
        (note_damage, SetupStage.ON_TRIAL, TRIED.digest),
        (take_back, SetupStage.READY, BEFORE.digest),
        (cancel, SetupStage.ON_TRIAL, TRIED.digest),
    ],
)
def test_what_is_done_to_an_environment_is_the_same_in_a_distribution_though_its_wheels_were_removed(
    tmp_path: Path, deed: Deed, stage: SetupStage, digest: str
) -> None:
    local = LocalKeeper(KeptSetup(places_with(tmp_path / "local")))
    places_with(tmp_path / "inside", tmp_path / "home" / "environment")
    hosted = HostedKeeper(hosted_context(tmp_path / "home", tmp_path / "inside"), lambda: True)
    for keeper in (local, hosted):
        asyncio.run(deed(keeper))
        assert (keeper.state.stage, keeper.state.digest) == (stage, digest)
    assert hosted.state == local.state
    assert record_of(tmp_path / "inside" / "current") == record_of(tmp_path / "local" / "current")
