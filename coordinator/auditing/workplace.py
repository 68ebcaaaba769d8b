"""The computing of one audit: a model of its own, the run's data, and what was handed over."""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import torch

from coordinator.auditing.handover import Arrays
from core.data.streaming.walk import peer_seed
from core.memory.machine import MachineResources
from core.model.micro_steps import MicroSteps
from core.run.manifest import RunManifest
from core.run.training.families import family_of
from core.swarm.auditing.conduct import MOST_PEERS
from core.swarm.auditing.drift_scores import DriftOutcomes
from core.swarm.auditing.work_auditor import WorkSample
from core.swarm.rounds.partition import round_parts
from core.trainer.drift_test import DriftTest
from core.trainer.placement import Resources, place, plan_for
from core.trainer.recomputation import Recomputation
from core.trainer.work_check import WorkCheck, Workshop

_OWN_NAME = "auditor"
"""Name of the auditor's own order of the data, in which it reads nothing."""
_IDLE_SECONDS = 0.05
_SHARE_OF_MEMORY = 0.5
"""Share of the free memory that an audit may take."""


@dataclass(frozen=True)
class Workplace:
    """Makes the audits of one run."""

    manifest: RunManifest
    base: Path
    """Folder of the run's files."""
    failures: Path
    """File that remembers what ran out of memory."""
    tests: OrderedDict[str, DriftOutcomes] = field(default_factory=OrderedDict)
    """Outcomes of the last tests of drifts by the names of peers."""

    def audit(
        self,
        sample: WorkSample,
        heads: Mapping[tuple[int, bytes], Arrays],
        may_go_on: Callable[[], bool],
    ) -> WorkCheck | None:
        """Compute the audit of a ``sample`` to its end, and return it.

        Args:
            sample: What the peer sent.
            heads: Parameters at hand by epoch and head, float32 by name and of their own shapes.
            may_go_on: Asked before each micro-batch. Once it is false, the audit is given up and None is returned.

        Raises:
            MemoryPlanError: There is too little memory.
            DataError, TextError or ManifestError: The run's files cannot be read.
        """
        training = self.manifest.training
        machine = MachineResources(ram_bytes=int(_SHARE_OF_MEMORY * psutil.virtual_memory().available))
        family = family_of(training)
        model = family.model(training.model)
        place(model, plan_for(training, Resources(machine), self.failures))
        named = dict(model.named_parameters())
        parameters = list(named.values())
        past = {head: [torch.from_numpy(arrays[name]) for name in named] for head, arrays in heads.items()}
        reader, opened = family.samples(training, self.base, peer=_OWN_NAME)
        with closing(opened) as stream:
            shop = Workshop(
                model,
                parameters,
                round_parts([item.shape for item in parameters], training.swarm),
                stream,
                reader,
                MicroSteps(model, ()),
            )
            seed = peer_seed(training.data_seed, sample.name)
            if training.swarm.local_steps is None:
                check: WorkCheck = Recomputation(sample, past, seed, shop)
            else:
                while len(self.tests) >= MOST_PEERS:
                    self.tests.popitem(last=False)
                check = DriftTest(sample, past[sample.epoch, sample.head], seed, shop, self.tests)
            with closing(check):
                return check if _computed(check, may_go_on) else None


def _computed(check: WorkCheck, may_go_on: Callable[[], bool]) -> bool:
    """Compute a check to its end, and return true; false if it was given up."""
    while check.verdict is None:
        if not may_go_on():
            return False
        if not check.turn():
            time.sleep(_IDLE_SECONDS)
    return True
