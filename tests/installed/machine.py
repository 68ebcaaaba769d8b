"""A computer to try packages on: a bare system in namespaces of its own, all of which is gone when it is left.

What is written goes into a layer over the system, which itself stays clean. Its processes see each other alone, and
end with the first of them; that one ends with this process.
"""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.installed.systems import USER, USER_ID, TrialError

DISPLAYS = Path("/tmp/.X11-unix")
_NETWORKS = Path("/run/netns")
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_COMMAND_SECONDS = 600.0
_END_SECONDS = 20.0
_READY = "ready"
_PLACES = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
_ENDING_WITH_US = ("setpriv", "--pdeathsig=KILL", "--")
_NAMESPACES = ("unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child")
_BOOT = """
mount -t overlay overlay -o lowerdir="$BASE",upperdir="$LAYER/upper",workdir="$LAYER/work" "$LAYER/root"
cd "$LAYER/root"
mount -t proc proc proc
mount --rbind --make-rslave /sys sys
mount -t tmpfs -o mode=755 tmpfs dev
for device in {devices}; do : > dev/$device; mount --bind /dev/$device dev/$device; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts dev/pts
ln -s pts/ptmx dev/ptmx; ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
for folder in $SHARED; do mkdir -p ".$folder"; mount --bind "$folder" ".$folder"; done
hostname home
exec chroot . /bin/sh -c 'echo {ready}; while :; do sleep 1000; done'
"""
"""Runs as the first process; a shell that waits for its child also takes those whose parents have ended."""


class TrialMachine:
    """A computer that is on; use it in a ``with`` statement, whose end kills all of its processes."""

    def __init__(self, base: Path, layer: Path, shared: Sequence[Path] = (), network: str = "") -> None:
        """Prepare a computer.

        Args:
            base: Folder of the system, which is only read.
            layer: Folder for all that is written, on the same disk; it is removed at the end.
            shared: Folders of this machine that it sees at the same paths, such as those of a desktop's sockets.
            network: Network namespace of the user's programs; empty: they have this machine's network.
        """
        self._base, self._layer, self._shared, self._network = base, layer, tuple(shared), network
        self._outer: subprocess.Popen[str] | None = None
        self.first = 0
        """Process id of its first process, as this machine sees it."""

    def __enter__(self) -> Self:
        """Turn it on."""
        for name in ("upper", "work", "root"):
            (self._layer / name).mkdir(parents=True, exist_ok=True)
        try:
            self._boot()
        except BaseException:
            self._turn_off()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._turn_off()

    @property
    def root(self) -> Path:
        """Its root folder, as this machine sees it; its links with absolute targets lead out of it."""
        return Path(f"/proc/{self.first}/root")

    def run(
        self, *command: str, user: bool = False, seconds: float = _COMMAND_SECONDS, log: Path | None = None
    ) -> str:
        """Run a command to its end, and return its output; as the user, in their network, if ``user`` is true.

        Its errors are appended to ``log``, or belong to its output. Raises TrialError if it fails.
        """
        with subprocess.Popen(
            self.entering(command, user=user),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired as error:
                process.kill()
                raise TrialError(
                    f"{shlex.join(command)} did not end within {seconds:.0f} s.", "See the logs."
                ) from error
        if log is not None:
            with log.open("a") as file:
                file.write(f"$ {shlex.join(command)}\n{output}")
        if process.returncode:
            last = output.strip()[-2000:]
            raise TrialError(f"{shlex.join(command)} failed: {last or process.returncode}", "See the logs.")
        return output

    def start(
        self, command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None
    ) -> "subprocess.Popen[bytes]":
        """Start a program of the user's, which ends with the computer at the latest; its output goes to ``log``."""
        with log.open("ab") as output:
            return subprocess.Popen(
                self.entering(command, user=True, environment=environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    def pids(self) -> list[int]:
        """Return the ids of its processes, as this machine knows them."""
        own = Path(f"/proc/{self.first}/ns/pid").readlink()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if (folder / "ns/pid").readlink() == own:
                    found.append(int(folder.name))
        return found

    @staticmethod
    def command_line(pid: int) -> bytes:
        """Return the words of a process, each of which ends with a zero byte; nothing if it has ended."""
        with suppress(OSError):
            return Path(f"/proc/{pid}/cmdline").read_bytes()
        return b""

    def end(self, process: "subprocess.Popen[bytes]") -> None:
        """End a program that was started here, as a session does that ends; later, by force."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
            with suppress(OSError):
                for child in children.read_text().split():
                    os.kill(int(child), number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_END_SECONDS)
                return

    def entering(
        self, command: Iterable[str], *, user: bool, environment: Mapping[str, str] | None = None
    ) -> list[str]:
        """Return the command that runs ``command`` on it, as the user or as root."""
        home = f"/home/{USER}" if user else "/root"
        own = {**_PLACES, "HOME": home, "DEBIAN_FRONTEND": "noninteractive", **(environment or {})}
        network = [f"--net={_NETWORKS / self._network}"] if user and self._network else []
        enter = [
            "nsenter",
            f"--target={self.first}",
            "--mount",
            "--pid",
            "--ipc",
            "--uts",
            "--root",
            "--wd",
            *network,
        ]
        as_user = ["setpriv", f"--reuid={USER_ID}", f"--regid={USER_ID}", "--init-groups", "--"]
        variables = [f"{name}={value}" for name, value in own.items()]
        inside = ["sh", "-c", 'cd "$HOME" && exec "$@"', "sh", *(as_user if user else ()), *command]
        return [*enter, "--", "env", "-i", *variables, *inside]

    def _boot(self) -> None:
        script = _BOOT.format(devices=" ".join(_DEVICES), ready=_READY)
        own = {"BASE": self._base, "LAYER": self._layer, "SHARED": " ".join(map(str, self._shared))}
        self._outer = subprocess.Popen(
            [*_ENDING_WITH_US, *_NAMESPACES, "sh", "-ec", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **{name: str(value) for name, value in own.items()}},
        )
        assert self._outer.stdout is not None
        lines = []
        while (line := self._outer.stdout.readline().strip()) != _READY:
            lines.append(line)
            if not line:
                raise TrialError(f"A computer cannot be made: {' '.join(lines)}", "See that you are root.")
        children = Path(f"/proc/{self._outer.pid}/task/{self._outer.pid}/children")
        self.first = int(children.read_text())

    def _turn_off(self) -> None:
        if self._outer is not None:
            with suppress(ProcessLookupError):
                os.kill(self.first or self._outer.pid, signal.SIGKILL)
            self._outer.wait()
            assert self._outer.stdout is not None
            self._outer.stdout.close()
        shutil.rmtree(self._layer, ignore_errors=True)
