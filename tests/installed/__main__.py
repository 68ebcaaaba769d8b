"""Tries a package on several systems, each in a chroot of its own: ``python -m tests.installed PACKAGE``.

A file whose name ends in .deb or .rpm is installed as a package. Any other one is taken for the tarball, which a user
without root installs.

It needs root, and the archives of the systems. A system is made once and kept below the cache; what a trial writes is
gone at its end, but for its logs, pictures and results in ``--out``. The exit status is 0 only if all steps passed.
"""

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path

from benchmarks.internet.emulation import exit_on_termination
from tests.installed import debian_package, one_user, rpm_package
from tests.installed.debian_package import PackageTrial
from tests.installed.desktop import desktop_of
from tests.installed.machine import DISPLAYS, TrialMachine
from tests.installed.network import trial_internet
from tests.installed.next_version import TriedPackages, with_successors
from tests.installed.one_user import OneUserTrial
from tests.installed.published_versions import series_of
from tests.installed.rpm_package import RpmTrial, later_rpm
from tests.installed.steps import TrialResult, tried
from tests.installed.systems import SYSTEMS, USER_ID, TrialError, TrialSystem, made
from tests.installed.table import sentences_of, table_of
from tests.installed.trial import TrialHome

ROOT = Path(__file__).parents[2]


def main() -> int:
    given = _options().parse_args()
    if os.geteuid():
        print("Only root can try packages: chroots, mounts and network namespaces are made.")
        return 2
    exit_on_termination()
    signal.signal(signal.SIGHUP, signal.getsignal(signal.SIGTERM))
    out: Path = given.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    try:
        results = _try_all(given, out)
    except TrialError as error:
        print(f"{error.what} {error.remedy}", file=sys.stderr)
        return 1
    (out / "results.json").write_text(json.dumps([asdict(result) for result in results], indent=1) + "\n")
    (out / "results.txt").write_text(sentences_of(results))
    (out / "table.md").write_text(table_of(results))
    print(f"\n{table_of(results)}\nLogs and pictures are in {out}.")
    return 0 if all(result.passed for result in results) else 1


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.installed", description=__doc__)
    parser.add_argument("package", type=Path, help="the .deb, the .rpm, or the tarball")
    parser.add_argument(
        "--wheels",
        type=Path,
        required=True,
        help="folder with the list of the trainer's wheels, and the wheels",
    )
    parser.add_argument(
        "--on", nargs="+", choices=SYSTEMS, default=list(SYSTEMS), help="systems; default: all"
    )
    parser.add_argument("--cache", type=Path, default=ROOT / ".systems", help="folder of the systems")
    parser.add_argument("--out", type=Path, default=ROOT / "build/trial", help="folder of logs and results")
    return parser


def _try_all(given: argparse.Namespace, out: Path) -> list[TrialResult]:
    package: Path = given.package.absolute()
    systems = [SYSTEMS[name] for name in given.on]
    with tempfile.TemporaryDirectory(prefix="versions-", dir=out) as folder:
        log = out / "versions.log"
        if package.suffix == ".rpm":
            later = later_rpm(package, Path(folder), log)
            return [_try_rpm(package, later, system, given, out / f"{system.name}-rpm") for system in systems]
        if package.suffix != ".deb":
            return [
                _try_tarball(package, system, given, out / f"{system.name}-tarball") for system in systems
            ]
        packages = with_successors(package, Path(folder), log)
        return [_try_package(packages, system, given, out / system.name) for system in systems]


def _try_package(
    packages: TriedPackages, system: TrialSystem, given: argparse.Namespace, out: Path
) -> TrialResult:
    with _home_on(system, given, out) as home:
        trial = PackageTrial(**vars(home), packages=packages)
        return tried(system.title, debian_package.STEPS, trial, out / "failures.log", trial.numbers)


def _try_rpm(
    package: Path, later: Path, system: TrialSystem, given: argparse.Namespace, out: Path
) -> TrialResult:
    with _home_on(system, given, out) as home:
        trial = RpmTrial(**vars(home), package=package, later=later)
        title = f"{system.title}, rpm"
        return tried(title, rpm_package.STEPS, trial, out / "failures.log", trial.numbers)


def _try_tarball(tarball: Path, system: TrialSystem, given: argparse.Namespace, out: Path) -> TrialResult:
    with _home_on(system, given, out) as home:
        log = out / "versions.log"
        versions = series_of(tarball, home.server, home.source, home.internet.versions, log)
        home.internet.serve_versions(versions.releases.folder, log)
        trial = OneUserTrial(**vars(home), versions=versions, size=tarball.stat().st_size)
        title = f"{system.title}, tarball"
        return tried(title, one_user.STEPS, trial, out / "failures.log", trial.numbers)


@contextmanager
def _home_on(system: TrialSystem, given: argparse.Namespace, out: Path) -> Iterator[TrialHome]:
    """Yield a computer with that system, its desktop, and an Internet; all that they take is removed again."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    cache, wheels = given.cache.absolute(), given.wheels.absolute()
    base = made(system, cache, out / "system.log")
    with ExitStack() as kept:
        # Short, as a socket's path may have 107 bytes, and below the system's own folder of them.
        desk_folder = Path(kept.enter_context(tempfile.TemporaryDirectory(prefix="desk-", dir="/run")))
        layer = Path(kept.enter_context(tempfile.TemporaryDirectory(prefix="layer-", dir=cache)))
        server = Path(kept.enter_context(tempfile.TemporaryDirectory(prefix="server-", dir=cache)))
        internet = kept.enter_context(trial_internet(server, out))
        source = internet.serve_packages(wheels, out / "packages.log")
        desk = kept.enter_context(desktop_of(USER_ID, desk_folder))
        shared: Sequence[Path] = (desk_folder, DISPLAYS)
        machine = kept.enter_context(TrialMachine(base, layer, shared, internet.home))
        yield TrialHome(
            machine=machine, desk=desk, internet=internet, server=server, folder=out, source=source
        )


if __name__ == "__main__":
    sys.exit(main())
