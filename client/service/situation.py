"""What the policy is asked for a session: its machine, its volunteer's wishes, and what its run holds."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from client.policy.policy import Situation

if TYPE_CHECKING:
    from client.service.session import Session


def situation_of(session: "Session") -> Situation:
    """As it is now."""
    run, now = session.run, session.now()
    return Situation(
        readings=replace(session.readings, now=now),
        on_gpu=computes_on_gpu(session),
        cores=os.cpu_count() or 1,
        consent=session.choices.consented,
        paused=session.choices.paused,
        snoozed_until=session.choices.snoozed_until(now),
        trying_out=session.prospecting.is_measuring,
        month_bytes=session.books.contribution.month_bytes(now),
        gpu_index=run.gpu if run else None,
        disk_used=session.disk_use.bytes,
        own_gpu_memory=run.gpu_memory if run else 0,
        own_ram=run.ram(session.books.memory_held) if run else 0,
    )


def computes_on_gpu(session: "Session") -> bool:
    """Whether the trainer computes on a GPU, or would."""
    if session.run is None or session.run.training.life is None:
        return bool(session.training_gpus)
    return session.run.computes_on_gpu()
