"""Builds an emulated Internet, runs programs on its computers, disturbs its lines, and removes it; needs root."""

import json
import os
import secrets
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from benchmarks.internet.forwarder import ForwarderOrder, LineState
from benchmarks.internet.layout import (
    InternetLayout,
    SiteLayout,
    building,
    joining,
    layout_of,
    moving,
    removing,
    router_rules,
    shaping,
    within,
)
from benchmarks.internet.topology import Router, SiteLine, Topology
from core.errors import CoreError

PROGRAMS = {"ip": "iproute2", "tc": "iproute2", "nft": "nftables", "sysctl": "procps"}
"""Programs that an emulation needs, with the Debian package of each."""
_ANSWER_SECONDS = 30.0
_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
_ATTEMPTS = 50
"""Most attempts to kill all programs, as they may start others meanwhile."""


class EmulationError(CoreError):
    """An Internet cannot be emulated here, or a program on one of its computers failed."""


def why_unsupported(user: int | None = None) -> str | None:
    """Return why ``user`` cannot emulate an Internet on this machine, in a sentence; None if they can.

    ``user`` is an id of the system's; None: the user of this process.
    """
    if sys.platform != "linux":
        return "An Internet is emulated with Linux's network namespaces."
    if os.geteuid() if user is None else user:
        return "Only root may make network namespaces."
    if not Path("/dev/net/tun").exists():
        return "This machine has no /dev/net/tun."
    missing = sorted({package for name, package in PROGRAMS.items() if not shutil.which(name, path=_PATH)})
    if missing:
        return f"Programs are missing; install {' '.join(missing)}."
    return _refusal()


def _refusal() -> str | None:
    """Return why the kernel refuses a namespace that masquerades, as in some containers; None if it does not."""
    name = f"ib{secrets.token_hex(3)}"
    try:
        _run(("ip", "netns", "add", name))
        _run(within(name, "nft", router_rules(Router.NAT)))
    except EmulationError as error:
        return error.what
    finally:
        with undisturbed(), suppress(EmulationError):
            _run(("ip", "netns", "delete", name))
    return None


def exit_on_termination() -> None:
    """Make SIGTERM end this program as `sys.exit` does, so that its emulations are removed then too."""
    signal.signal(signal.SIGTERM, _exit)


def _exit(number: int, _frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second one would interrupt the removal
    sys.exit(128 + number)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay the signals that end a program until the context ends: they would interrupt a removal."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are handled in the main thread alone
        return
    arrived: list[int] = []
    before = {
        number: signal.signal(number, lambda given, _: arrived.append(given))
        for number in (signal.SIGTERM, signal.SIGINT)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for given in arrived[:1]:
            signal.raise_signal(given)


class EmulatedComputer:
    """One computer of the emulated Internet."""

    def __init__(self, namespace: str, address: str, site: str) -> None:
        """Use the network ``namespace``, where ``address`` is the computer's own; ``site`` is where it stands."""
        self.namespace, self.address, self.site = namespace, address, site

    def start(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        output: IO[Any] | int | None = subprocess.PIPE,
        errors: IO[Any] | int | None = None,
        **options: Any,
    ) -> "subprocess.Popen[str]":
        """Start a program on this computer; its process has the id of the object that is returned.

        Args:
            command: The program and its arguments.
            environment: Variables in addition to this process's own.
            output: Where its output goes.
            errors: Where its errors go; None: to this process's own.
            options: Further options of `subprocess.Popen`.
        """
        return subprocess.Popen(
            within(self.namespace, "", *command),
            env={**os.environ, "PATH": _PATH, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=errors,
            text=True,
            **options,
        )

    def run(self, *command: str, seconds: float = 60.0) -> str:
        """Run a program to its end and return its output; raises EmulationError if it fails."""
        return _run(within(self.namespace, "", *command), seconds)


class EmulatedInternet:
    """A running emulation; use it in a ``with`` statement, whose end kills all programs and removes everything."""

    def __init__(self, topology: Topology) -> None:
        """Prepare to emulate ``topology``; raises EmulationError if this machine can't."""
        if (why := why_unsupported()) is not None:
            raise EmulationError(why, "Run it as root on Linux, with the programs of `make programs`.")
        self.topology, self._layout = topology, layout_of(topology, f"ib{secrets.token_hex(3)}")
        self._states = [_state(site.line) for site in topology.sites]
        self._forwarder: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        """Build the namespaces, and bring the lines up."""
        try:
            for command in building(self._layout):
                _run(command)
            self._start_forwarder()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()

    @property
    def layout(self) -> InternetLayout:
        """Namespaces and addresses."""
        return self._layout

    def site(self, name: str) -> SiteLayout:
        """Return the layout of the site ``name``; raises EmulationError if there is none."""
        return self._layout.sites[self._number(name)]

    def computer(self, site: str, number: int = 1) -> EmulatedComputer:
        """Return a computer at ``site``; ``number`` counts from 1."""
        found = self.site(site)
        return EmulatedComputer(found.computers[number - 1], found.addresses.computers[number - 1], site)

    # --- disturbances -------------------------------------------------------------------------------------------

    def cut(self, site: str, cut: bool = True) -> None:
        """Let no packet pass the line of ``site``, as if a cable were pulled; if ``cut`` is false, let them pass."""
        number = self._number(site)
        self._change(number, replace(self._states[number], cut=cut))

    def change_line(self, site: str, line: SiteLine) -> None:
        """Give ``site`` another line; its largest packet stays."""
        number, found = self._number(site), self.site(site)
        self._change(number, replace(_state(line), cut=self._states[number].cut))
        before = found.site.line
        for (namespace, device), rate, old in (
            (found.ends.backbone, line.down, before.down),
            (found.ends.site, line.up, before.up),
        ):
            if rate is not None:
                _run(within(namespace, shaping(device, rate, before.mtu, "replace")))
            elif old is not None:
                _run(within(namespace, f"tc qdisc delete dev {device} root"))

    def change_address(self, site: str, public: str) -> None:
        """Give ``site`` another public address, as providers do overnight; what was connected is lost.

        Raises EmulationError if another site has that address.
        """
        number, found = self._number(site), self.site(site)
        if any(item.addresses.public == public for item in self._layout.sites):
            raise EmulationError(f"A site has the address {public}.", "Give a free one, as from 11.0.9.0/24.")
        for command in moving(found, self._layout.backbone, public):
            _run(command)
        sites = list(self._layout.sites)
        sites[number] = replace(found, addresses=found.addresses.moved(public))
        self._layout = replace(self._layout, sites=tuple(sites))

    def carry(self, computer: EmulatedComputer, site: str, offline: float) -> str:
        """Carry a ``computer`` to the home ``site``, by ``offline`` seconds without a network; return its address."""
        computer.run("ip", "link", "delete", "eth")
        time.sleep(offline)
        for command in joining(self.site(site), computer.namespace):
            _run(command)
        return self.site(site).addresses.public

    # --- inside -------------------------------------------------------------------------------------------------

    def _number(self, site: str) -> int:
        for number, item in enumerate(self.topology.sites):
            if item.name == site:
                return number
        raise EmulationError(f"There is no site named {site}.", "Name one of the topology.")

    def _start_forwarder(self) -> None:
        forwarder = subprocess.Popen(
            (sys.executable, "-m", "benchmarks.internet.forwarder"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._forwarder = forwarder
        lines = [
            {"backbone": site.ends.backbone, "site": site.ends.site, "state": asdict(state)}
            for site, state in zip(self._layout.sites, self._states, strict=True)
        ]
        self._ask(json.dumps({"lines": lines, "seed": self.topology.seed}), "ready")

    def _change(self, number: int, state: LineState) -> None:
        self._states[number] = state
        self._ask(ForwarderOrder(number, state).text(), "done")

    def _ask(self, text: str, expected: str) -> None:
        """Send an order to the forwarder; raises EmulationError unless it gives the ``expected`` answer in time."""
        forwarder = self._forwarder
        assert forwarder is not None
        assert forwarder.stdin is not None
        assert forwarder.stdout is not None
        answer = ""
        with suppress(OSError):  # it has ended
            forwarder.stdin.write(text + "\n")
            forwarder.stdin.flush()
            if select.select([forwarder.stdout], [], [], _ANSWER_SECONDS)[0]:
                answer = forwarder.stdout.readline().strip()
        if answer != expected:
            raise EmulationError(
                "The process that forwards packets has ended, or hangs.", "See what it printed."
            )

    def _remove(self) -> None:
        """Kill all programs and the forwarder, and remove all namespaces, whatever fails meanwhile."""
        with undisturbed():
            for _ in range(_ATTEMPTS):
                if not self._kill():
                    break
            if self._forwarder is not None:
                self._forwarder.kill()
                with suppress(OSError):
                    self._forwarder.communicate()
            for command in removing(self._layout):
                with suppress(EmulationError):
                    _run(command)

    def _kill(self) -> bool:
        """Kill the processes on all computers; return true if there was one, which may have started another."""
        found = False
        for name in self._layout.namespaces:
            with suppress(EmulationError):
                for text in _run(("ip", "netns", "pids", name)).split():
                    found = True
                    with suppress(ProcessLookupError):
                        os.kill(int(text), signal.SIGKILL)
        return found


def _state(line: SiteLine) -> LineState:
    return LineState(line.delay / 2, line.jitter, line.loss)


def _run(command: Iterable[str], seconds: float = 60.0) -> str:
    given = tuple(command)
    try:
        done = subprocess.run(
            given,
            check=False,
            capture_output=True,
            text=True,
            timeout=seconds,
            env={**os.environ, "PATH": _PATH},
        )
    except subprocess.TimeoutExpired as error:
        raise EmulationError(
            f"{' '.join(given)} did not end within {seconds:.0f} s.",
            "Allow it more time, or see why it hangs.",
        ) from error
    if done.returncode:
        output = done.stderr.strip() or done.stdout.strip()
        raise EmulationError(f"{' '.join(given)} failed: {output}", "See what it printed.")
    return done.stdout
