"""What a trainer process is started with: from the run's folder, the preferences, and what the policy allows."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import SecretStr

from client.api.messages import Budget as TrainerBudget
from client.api.messages import SampleRequest, Start
from client.joining.run_card import MANIFEST
from client.machine.readings import GpuReading
from client.paths import Paths
from client.policy.policy import Budget
from client.preferences.preferences import Preferences
from client.service.run import PEER
from core import logs
from core.children.program import Patience, Program

LARGEST_MICRO_BATCH = 64
CHECKPOINT_EVERY = 1
"""Epochs: what a pause that ends the trainer, or a crash, may cost."""
FRAME_EVERY = 10
"""Epochs between frames of the run's time-lapse."""
_LEAST_SHARE = 0.01


@dataclass(frozen=True)
class Modules:
    """What runs in the processes that compute, and how the trainer is reached."""

    trainer: str = "client.trainer"
    generator: str = "client.generator"
    trial: str = "client.trial"
    host: str = "0.0.0.0"
    """To listen at."""
    relay: bool = True
    """Whether a machine behind a NAT may be reached through other peers."""
    environment: Mapping[str, str] = field(default_factory=dict)
    is_idle: bool = True
    """Whether all of them run only where nothing else wants to."""
    patience: Patience = field(default_factory=lambda: Patience(silence=120.0))
    """At the lowest priority, a sign of life may take a while on a busy machine."""


def trainer_budget(allowed: Budget) -> TrainerBudget:
    """What the policy allows, as a trainer is told."""
    share = min(1.0, max(_LEAST_SHARE, allowed.share or 1.0))
    return TrainerBudget(
        threads=allowed.threads, share=share, upload=allowed.upload, download=allowed.download
    )


def half_the_line(allowed: Budget) -> Budget:
    """What each of two processes may take that use the connection at once."""
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
    modules: Modules,
    admission: SecretStr | None = None,
) -> Program:
    """The trainer of the run in ``folder``, on that GPU or on the processor; its log begins anew if it has grown."""
    logs.rotate(paths.log("trainer"))
    start = Start(
        manifest=folder / MANIFEST,
        state_dir=folder / PEER,
        initial_peers=(),
        listen=(f"/ip4/{modules.host}/tcp/{preferences.listening_port or 0}",),
        seed=secrets.randbits(31),
        threads=allowed.threads,
        micro_batch=LARGEST_MICRO_BATCH,
        checkpoint_every=CHECKPOINT_EVERY,
        samples=SampleRequest(every=FRAME_EVERY),
        relay=modules.relay,
        gpus=(gpu.index,) if gpu else (),
        gpu_memory=gpu_memory(preferences, allowed, gpu) if gpu else None,
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
        environment={**visible(gpu), "OMP_NUM_THREADS": str(allowed.threads), **modules.environment},
    )


def visible(gpu: GpuReading | None) -> dict[str, str]:
    """Shows CUDA the GPU that may be used, numbered as the driver does."""
    return {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": str(gpu.index) if gpu else ""}


def gpu_memory(preferences: Preferences, allowed: Budget, gpu: GpuReading) -> int:
    """What a trainer may take, so that other programs find the head-room that they were promised."""
    free = max(1, gpu.memory_free - preferences.gpu_headroom)
    return free if allowed.vram is None else min(free, allowed.vram)
