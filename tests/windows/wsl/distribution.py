"""Tries the distribution that was built: a daemon sets it up and trains in it, in a chroot behind a stand-in.

``python -m tests.windows.wsl.distribution ARCHIVE WHEELS`` needs root, and the folder of a list of the trainer's
packages for the processor, with its wheels. The session of a daemon is this process: it fetches archive and wheels
over loopback, imports, has the environment made, tried and put in place within the distribution, and trains
an epoch of the embedded run there. It prints what was measured, takes some minutes, and leaves nothing.
"""

import asyncio
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from urllib.parse import quote

import psutil

from client.demo.folder import DemoFolder, prepare
from client.environment.interpreter import IN_DISTRIBUTION, TrainerPython
from client.environment.lock_file import EnvironmentLock, read_lock, sign_lock
from client.environment.places import EnvironmentPlaces
from client.environment.source import EnvironmentSource
from client.environment.stages import SetupStage
from client.hosts.wsl.child import WslAccess
from client.hosts.wsl.host import WslHost
from client.joining.embedded import EmbeddedSet
from client.joining.run_card import MANIFEST, RunCard
from client.service.session import Session
from client.service.trainer.launching import ChildModules
from core.run.manifest import RunManifest
from core.signing import SigningKey
from installer.environment.make_list import LIST, WHEELS, ListMaker
from installer.environment.serve import served
from tests.client.hosts.hosting import LEASE, StandInWsl
from tests.client.hosts.pretended_windows import WslWindows
from tests.client.service.contexts import context_in
from tests.client.service.environment.test_environment_setup import ToldMachine
from tests.volunteer import ROOT

CODE = Path("/opt/idlebrush/code")
_PATIENCE = 900.0


def offer(archive: Path, wheels: Path, folder: Path, base: str, key: SigningKey) -> None:
    """Write a signed list of the wheels and of the distribution, at the address ``base``, into ``folder``."""
    (folder / WHEELS).mkdir()
    text = json.loads((wheels / LIST).read_bytes())["lock"]
    for variant in text["variants"]:
        for wheel in variant["wheels"]:
            wheel["addresses"] = [f"{base}/{WHEELS}/{quote(wheel['file'])}"]
            shutil.copyfile(wheels / WHEELS / wheel["file"], folder / WHEELS / wheel["file"])
    import requests

    with requests.Session() as session:
        maker = ListMaker(folder, f"{base}/{WHEELS}", folder / "log", session)
        text["distributions"] = [maker.distribution(archive).model_dump(mode="json")]
    lock = EnvironmentLock.model_validate_json(json.dumps(text))
    (folder / LIST).write_bytes(sign_lock(lock, key))
    read_lock((folder / LIST).read_bytes(), key.public_key)


def make_run(home: Path, temporary: Path) -> Path:
    """Put the files of the embedded run where a daemon keeps them, and return the folder."""
    demo = DemoFolder(temporary / "demo")
    demo.root.mkdir()
    prepare(demo, ROOT / "assets/embedded", EmbeddedSet.STARTER)
    manifest = RunManifest.load(demo.manifest)
    folder = home / "data" / "runs" / manifest.training_digest[:16]
    shutil.copytree(demo.manifest.parent, folder, ignore=shutil.ignore_patterns("*.pem"))
    shutil.copyfile(demo.manifest, folder / MANIFEST)
    RunCard.of(manifest).save(folder)
    return folder


def session_in(home: Path, wsl: StandInWsl, source: EnvironmentSource) -> Session:
    """Return the session of a daemon whose trainers live in the distribution."""
    modules = ChildModules(
        host="127.0.0.1",
        trainer_host=WslHost(WslAccess(wsl.command, LEASE), code=CODE, grace=5.0),
        is_idle=False,
    )
    places = EnvironmentPlaces(home / "data" / "environment")
    python = TrainerPython(places, is_own=False, code=CODE, inside=PurePosixPath(IN_DISTRIBUTION))
    context = context_in(
        home,
        modules,
        python=python,
        source=lambda: source,
        machine=ToldMachine(),
        wsl=WslWindows(wsl).sources(home / "data" / "wsl"),
    )
    context.paths.preferences.write_text('run-mode = "always"\nother-cpu-load = "off"\n')
    return Session(context)


async def until(condition: Callable[[], bool], what: Callable[[], object]) -> float:
    """Return the seconds until the condition holds; TimeoutError with what is seen then if it does not."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > _PATIENCE:
            raise TimeoutError(what())
        await asyncio.sleep(0.2)
    return time.monotonic() - began


def tell(**row: object) -> None:
    """Print a result."""
    print(json.dumps(row), flush=True)


async def try_out(session: Session, run: Path) -> None:
    """Set up, train an epoch, and give the memory back."""
    setup, stages, began = session.parts.environment, set[str](), time.monotonic()

    def arrived() -> bool:
        view = setup.view
        assert view is not None
        assert view.wsl is not None
        if (stage := f"{view.wsl.stage}, {view.stage}") not in stages:
            stages.add(stage)
            tell(stage=stage, seconds=round(time.monotonic() - began, 1))
        if view.problem is not None and not view.is_working:
            raise AssertionError(view.problem)
        return view.stage is SetupStage.ON_TRIAL and not view.is_working

    living = asyncio.create_task(session.live())
    try:
        await session.join(run)
        setup.begin()
        await until(arrived, lambda: setup.view)
        tell(
            measured="seconds until the environment was in place", values=[round(time.monotonic() - began, 1)]
        )
        active = session.context.run
        assert active is not None
        seconds = await until(
            lambda: active.progress is not None and active.progress.epoch >= 1, lambda: active.training.state
        )
        tell(measured="seconds from then to the first epoch", values=[round(seconds, 1)])
        await until(lambda: bool(setup.view and setup.view.stage is SetupStage.READY), lambda: setup.view)
        tell(measured="the environment is kept", values=[True])
    finally:
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
        await session.close(30.0)


def main(archive: Path, wheels: Path) -> None:
    """Try the archive out."""
    with tempfile.TemporaryDirectory() as temporary:
        Path(temporary).chmod(0o755)
        home, folder = Path(temporary, "home"), Path(temporary, "served")
        folder.mkdir()
        home.mkdir()
        wsl = StandInWsl(Path(temporary, "wsl"), agent=("/opt/idlebrush/agent",))
        wsl.folder.mkdir()
        (wsl.folder / "sees").write_text(str(home))
        key = SigningKey.generate()
        with served(folder) as base:
            offer(archive, wheels, folder, base, key)
            source = EnvironmentSource(address=f"{base}/{LIST}", key=key.public_key)
            asyncio.run(run_session(home, wsl, source, Path(temporary)))
        tell(measured="commands of wsl.exe", values=[" ".join(each[:2]) for each in wsl.commands()])


async def run_session(home: Path, wsl: StandInWsl, source: EnvironmentSource, temporary: Path) -> None:
    """Run one session in ``home``, and tell what it leaves running."""
    session = session_in(home, wsl, source)
    await try_out(session, make_run(home, temporary))
    inside = [each for each in psutil.process_iter() if str(temporary) in _root_of(each.pid)]
    tell(measured="processes left in the distribution", values=len(inside))


def _root_of(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/root").readlink())
    except OSError:
        return ""


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
