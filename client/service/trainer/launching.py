"""Puts together what a trainer process is started with: the run's folder, preferences, and the policy's budget."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import SecretStr

from client.api.messages import SampleRequest, Start
from client.hosts.host import TrainerHost, host_of_system
from client.joining.run_card import MANIFEST
from client.machine.readings import GpuReading
from client.paths import Paths
from client.policy.policy import Budget
from client.preferences.preferences import Preferences
from client.service.trainer.run import PEER
from core.children import logs
from core.children.priority import waiting_threads
from core.children.program import Interpreter, Patience, Program
from core.messages.events import TrainingBudget

LARGEST_MICRO_BATCH = 64
CHECKPOINT_EVERY = 1
"""Number of epochs that a pause that ends the trainer, or a crash, may cost."""
FRAME_EVERY = 10
"""Epochs between frames of the run's time-lapse."""
LOOPBACK = "127.0.0.1"
_LEAST_SHARE = 0.01


@dataclass(frozen=True)
class ChildModules:
    """Programs of the processes that compute, and how the trainer is reached."""

    trainer: str = "client.trainer"
    generator: str = "client.generator"
    benchmark: str = "client.benchmark"
    local_swarm: str = "client.local_swarm"
    embedded: Path | None = None
    """Folder of the runs for a swarm on this computer; None: the embedded ones."""
    host: str = "0.0.0.0"
    """Address to listen at."""
    trainer_host: TrainerHost = field(default_factory=host_of_system)
    """Host on which all of them live."""
    environment: Mapping[str, str] = field(default_factory=dict)
    is_idle: bool = True
    """True if all of them run only while no other program needs the processor."""
    patience: Patience = field(default_factory=lambda: Patience(silence=120.0))
    """Time limits for signs of life; at the lowest priority, these may take a while on a busy machine."""


def trainer_budget(allowed: Budget) -> TrainingBudget:
    """Return the policy's budget in the form that a trainer takes."""
    share = min(1.0, max(_LEAST_SHARE, allowed.share or 1.0))
    return TrainingBudget(
        threads=allowed.threads, share=share, upload=allowed.upload, download=allowed.download
    )


def half_the_line(allowed: Budget) -> Budget:
    """Return the budget of each of two processes that use the connection at once."""
    upload, download = (
        None if cap is None else max(1, cap // 2) for cap in (allowed.upload, allowed.download)
    )
    return replace(allowed, upload=upload, download=download)


def trainer_program(
    folder: Path,
    paths: Paths,
    preferences: Preferences,
    allowed: Budget,
    gpu: GpuReading | None,
    modules: ChildModules,
    interpreter: Interpreter | None,
    admission: SecretStr | None = None,
    *,
    is_alone: bool = False,
) -> Program:
    """Return the program of the trainer for the run in ``folder``, on that GPU or on the processor.

    Rotate its log if that has grown. ``interpreter`` is the Python that runs it; None: this process's own.
    ``is_alone`` is true where the whole swarm is on this computer, so that no other one has to reach it.
    """
    logs.rotate(paths.log("trainer"))
    host = LOOPBACK if is_alone else modules.host
    start = Start(
        manifest=folder / MANIFEST,
        state_dir=folder / PEER,
        initial_peers=(),
        listen=(f"/ip4/{host}/tcp/{preferences.listening_port or 0}",),
        seed=secrets.randbits(31),
        threads=allowed.threads,
        micro_batch=LARGEST_MICRO_BATCH,
        checkpoint_every=CHECKPOINT_EVERY,
        samples=SampleRequest(every=FRAME_EVERY),
        finds_reach=not is_alone,
        upnp=preferences.upnp and not is_alone,
        gpus=(gpu.index,) if gpu else (),
        gpu_memory=gpu_memory(preferences, allowed, gpu, modules.trainer_host.gpu_headroom) if gpu else None,
        ram=allowed.ram,
        budget=trainer_budget(allowed),
        admission=admission.get_secret_value() if admission else None,
    )
    return Program(
        "trainer",
        modules.trainer,
        start,
        paths.log("trainer"),
        is_idle=modules.is_idle,
        interpreter=interpreter,
        environment={**visible(gpu), **waiting_threads(allowed.threads), **modules.environment},
    )


def visible(gpu: GpuReading | None) -> dict[str, str]:
    """Return variables that show CUDA that GPU alone, numbered as the driver does; None: they hide all GPUs."""
    return {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": str(gpu.index) if gpu else ""}


def gpu_memory(preferences: Preferences, allowed: Budget, gpu: GpuReading, beside: int = 0) -> int:
    """Return the bytes that a trainer may take, so that other programs find the head-room that they were promised.

    ``beside`` are bytes that stay free beside what the volunteer keeps free.
    """
    free = max(1, gpu.memory_free - preferences.gpu_headroom - beside)
    return free if allowed.vram is None else min(free, allowed.vram)
