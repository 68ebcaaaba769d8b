"""A volunteer with this GPU: the client joins a run that is served beside it, trains, pauses, draws and ends.

Everything runs as users run it: a coordinator, the daemon and its trainer, by the commands of the command line. Two
runs are tried: the embedded one, and one of the same data with the layers of the paper's model (``large``). `s` is
how long a stage took to begin after it was asked for. `gpu_MiB` is the GPU memory in use then, of all programs;
`planned_MiB` what the client says that its trainer takes. Without a GPU the processor trains the embedded run alone,
and only as far as it resumes.
"""

import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.gpu.needs import importable
from benchmarks.gpu.part import MeasuredRow, PartReport, run_part
from benchmarks.measuring.report import rounded
from core.errors import CoreError

PACKAGES = ("hivemind", "datasets", "fastapi", "sqlalchemy", "typer", "tuf", "keyring")
"""Packages whose absence leaves this part out: the whole product runs in it, and few machines with a GPU have it."""
_ROOT = Path(__file__).parents[2]
_EMBEDDED = _ROOT / "assets" / "embedded"
_COMMAND = (sys.executable, "-c", "from client.cli import main; main()")
_LARGE = {"dim": 1024, "depth": 64, "heads": 16, "shared_layers": 4}
_PATIENCE = 150.0
"""Seconds in which a stage must begin."""
_TRAINING = {True: 12.0, False: 3.0}
"""Seconds of training before its speed is read, with and without a GPU."""
_ENDING = 30.0
"""Seconds in which the coordinator must end."""
_MIB = 2**20
_REMEDY = "The logs that this part notes beside its rows say more."


class VolunteerError(CoreError):
    """A stage that did not begin, or a command that failed."""

    code = "volunteer"


@dataclass
class TriedClient:
    """A coordinator and a client in a folder of their own."""

    report: PartReport
    folder: Path
    run: str

    @property
    def environment(self) -> dict[str, str]:
        path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
        return {**os.environ, "IDLEBRUSH_HOME": str(self.folder / "home"), "PYTHONPATH": path}

    def say(self, *command: str) -> str:
        """Run a command of the client; return what it prints."""
        done = subprocess.run(
            [*_COMMAND, *command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE,
        )
        if done.returncode:
            said = (done.stderr or done.stdout).strip()[-1500:]
            raise VolunteerError(f"`idlebrush {' '.join(command)}` failed: {said}", _REMEDY)
        return done.stdout

    def look(self) -> dict[str, Any]:
        """Return the client's snapshot."""
        found: dict[str, Any] = json.loads(self.say("status", "--json"))
        return found

    def stage(
        self, name: str, begin: Callable[[], object], has_begun: Callable[[dict[str, Any]], Any]
    ) -> MeasuredRow:
        """Begin a stage; return its row once it has begun."""
        began, seen = time.perf_counter(), dict[str, Any]()
        begin()
        while not has_begun(seen := self.look()):
            if time.perf_counter() - began > self.patience:
                logs = self.say("logs")[-2000:]
                raise VolunteerError(
                    f"{name} did not begin: {seen['headline']} {seen['notices'][-3:]}\n{logs}", _REMEDY
                )
            time.sleep(0.1)
        return self.row(name, time.perf_counter() - began, seen)

    @property
    def patience(self) -> float:
        """Seconds in which a stage must begin, so that all is ended in order before the part's time is over."""
        return min(_PATIENCE, self.report.budget.left)

    def row(self, stage: str, seconds: float, seen: dict[str, Any]) -> MeasuredRow:
        """Return a row about this moment."""
        trainer, progress = seen.get("trainer") or {}, seen.get("progress") or {}
        return {
            "run": self.run,
            "stage": stage,
            "s": rounded(seconds),
            "gpu_MiB": rounded(self.used_bytes() / _MIB, 5),
            "planned_MiB": rounded(trainer.get("gpu_bytes", 0) / _MIB, 5),
            "micro_batch": trainer.get("micro_batch", 0),
            "samples_/_s": rounded(progress.get("own_samples_per_second") or 0.0),
            "epoch": progress.get("epoch", 0),
            "says": seen["headline"],
        }

    def used_bytes(self) -> int:
        """Return the GPU memory that all programs use."""
        if not self.report.on_gpu:
            return 0
        import pynvml  # type: ignore[import-untyped]

        pynvml.nvmlInit()
        return int(pynvml.nvmlDeviceGetMemoryInfo(pynvml.nvmlDeviceGetHandleByIndex(0)).used)


def measure(report: PartReport) -> None:
    """Try every run; one that fails leaves nothing that works on."""
    if missing := [package for package in PACKAGES if not importable(package)]:
        report.leave_out("the client", f"{', '.join(missing)} are not installed for this Python")
        return
    for run in ("embedded", "large") if report.on_gpu else ("embedded",):
        report.attempt(run, partial(_rows, report, run), seconds=60.0)


def _rows(report: PartReport, run: str) -> Iterator[MeasuredRow]:
    with TemporaryDirectory() as name:
        client = TriedClient(report, Path(name), run)
        source = "embedded" if run == "embedded" else str(_draft(Path(name)))
        web, swarm = _free_ports(1), _free_ports(2)
        places = ("--address", f"http://127.0.0.1:{web}", "--port", str(web), "--swarm-port", str(swarm))
        client.say("coordinator", "init", f"{name}/run", "--run", source, "--open", *places)
        with (Path(name) / "serve.log").open("w") as log:
            serving = subprocess.Popen(
                [*_COMMAND, "coordinator", "serve", "--headless", f"{name}/run"],
                cwd=name,
                env=client.environment,
                stdout=log,
                stderr=log,
            )
            try:
                yield from _stages(client, _link(Path(name) / "serve.log", serving))
            finally:
                _end(serving)


def _stages(client: TriedClient, link: str) -> Iterator[MeasuredRow]:
    try:
        client.say("prefs", "set", "run-mode", "always")
        join = partial(client.say, "join", link, "--yes", "--no-measure")
        yield client.stage("joined", join, lambda seen: _trains(seen) and seen["progress"])
        client.report.note(**{f"plan_of_{client.run}": client.look()["trainer"]["plan"]})
        time.sleep(seconds := _TRAINING[client.report.on_gpu])
        yield client.row("trained", seconds, client.look())
        yield client.stage("paused", partial(client.say, "pause"), lambda seen: not _trains(seen))
        time.sleep(1.0)
        yield client.row("a second later", 1.0, client.look())
        yield client.stage("resumed", partial(client.say, "resume"), _trains)
        if not client.report.on_gpu:  # an epoch would take long
            return
        yield client.stage(
            "made an epoch", lambda: None, lambda seen: seen["progress"] and seen["progress"]["epoch"] > 0
        )
        began = time.perf_counter()
        _draw(client)
        yield client.row("drew 4", time.perf_counter() - began, client.look())
        client.report.note(readings=client.look()["readings"])
    finally:
        client.report.note(**{f"logs_of_{client.run}": _logs(client)})
        client.say("quit")


def _trains(seen: dict[str, Any]) -> bool:
    return seen["activity"] in ("training", "throttled")


def _free_ports(count: int) -> int:
    """Return the first of ``count`` free ports, below those that systems give to whoever asks for any."""
    while True:
        first = 20_000 + secrets.randbelow(10_000)
        with suppress(OSError), ExitStack() as stack:
            for port in range(first, first + count):
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
            return first


def _end(serving: "subprocess.Popen[bytes]") -> None:
    serving.send_signal(signal.SIGINT)
    try:
        serving.wait(_ENDING)
    except subprocess.TimeoutExpired:
        serving.kill()
        serving.wait()


def _draw(client: TriedClient) -> None:
    """Draw four pictures, once there is a checkpoint to draw with."""
    until = time.monotonic() + client.patience
    while True:
        try:
            client.say("generate", "red heart", "-n", "4")
        except VolunteerError as error:
            if "No trained model" not in error.what or time.monotonic() > until:
                raise
            time.sleep(0.5)
        else:
            return


def _logs(client: TriedClient) -> list[str]:
    lines = [
        line for file in (client.folder / "home").rglob("*.log") for line in file.read_text().splitlines()
    ]
    return [line for line in lines if re.search("WARNING|ERROR|plan|GPU|cuda", line)][-60:]


def _link(log: Path, serving: "subprocess.Popen[bytes]") -> str:
    """Return the link by which volunteers join, once the website answers."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and serving.poll() is None:
        said = log.read_text()
        if "website answers" in said and (link := re.search(r"idlebrush:join\S+", said)):
            return link[0]
        time.sleep(0.2)
    raise VolunteerError(f"The coordinator does not serve: {log.read_text()[-1500:]}", _REMEDY)


def _draft(folder: Path) -> Path:
    """Write the embedded run as a draft with larger layers; return its file."""
    manifest = tomllib.loads((_EMBEDDED / "run.toml").read_text())
    training = _without_digests(manifest["training"])
    training["model"] |= _LARGE
    training["name"] = "large"
    import tomli_w

    draft = folder / "draft.toml"
    draft.write_text(tomli_w.dumps({"training": training, "contact": {"title": "Large"}}))
    return draft


def _without_digests(table: Any) -> Any:
    """Return a table of a manifest with paths in place of the files' descriptions."""
    if isinstance(table, list):
        return [_without_digests(item) for item in table]
    if not isinstance(table, dict):
        return table
    if table.keys() == {"path", "sha256", "size"}:
        return str(_EMBEDDED / table["path"])
    return {key: _without_digests(value) for key, value in table.items()}


if __name__ == "__main__":
    sys.exit(run_part("volunteer", __doc__ or "", measure))
