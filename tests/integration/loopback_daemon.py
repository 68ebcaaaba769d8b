"""The real daemon, whose trainers listen on loopback alone; what differs comes as JSON in IDLEBRUSH_TEST_DAEMON."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

from client.daemon import DaemonEnvironment, main
from client.environment.interpreter import TrainerPython
from client.environment.places import EnvironmentPlaces
from client.environment.source import EnvironmentSource
from client.machine.gpu.nvml import Nvml
from client.paths import Paths
from client.service.trainer.launching import ChildModules
from core.children.program import Patience
from tests.client.machine.recorded_nvml import RecordedNvml, newest

VARIABLE = "IDLEBRUSH_TEST_DAEMON"


def surroundings() -> DaemonEnvironment:
    settings = json.loads(os.environ.get(VARIABLE, "{}"))
    nvml = Nvml(RecordedNvml(newest(Path(settings["nvml"])))) if "nvml" in settings else Nvml()
    modules = ChildModules(
        trainer=settings.get("trainer", "tests.integration.paced_trainer"),
        embedded=Path(settings["embedded"]) if "embedded" in settings else None,
        host="127.0.0.1",
        environment={"PYTHONPATH": os.environ["PYTHONPATH"], **settings.get("environment", {})},
        is_idle=settings.get("is_idle", False),  # whatever else runs here is not to keep the tests waiting
        patience=Patience(silence=settings.get("silence", 120.0)),
    )
    surroundings = DaemonEnvironment(Paths.of_user(), modules=modules, nvml=nvml)
    if "packages" in settings:
        surroundings = _light(surroundings, EnvironmentSource(**settings["packages"]))
    return replace(surroundings, **settings.get("surroundings", {}))


def _light(surroundings: DaemonEnvironment, source: EnvironmentSource) -> DaemonEnvironment:
    """As where the app is installed alone: what computes needs an environment, by that list of packages."""
    python = TrainerPython(EnvironmentPlaces(surroundings.paths.environment), is_own=False)
    return replace(surroundings, python=python, source=lambda: source)


if __name__ == "__main__":
    sys.exit(main(surroundings()))
