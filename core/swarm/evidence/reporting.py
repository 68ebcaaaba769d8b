"""The way of evidence from the process that finds it to that of the DHT, which verifies it and passes it on."""

import logging
from functools import partial
from typing import Any

import hivemind

from core.swarm.evidence.evidence import Evidence

_log = logging.getLogger(__name__)


def report(dht: "hivemind.DHT", evidence: Evidence) -> None:
    """Hand ``evidence`` to the process of ``dht``, whose node has an admission; return before it is taken in."""
    _log.info("Evidence against %s, peer %s, is reported.", evidence.user, evidence.peer)
    dht.run_coroutine(partial(_take, packed=evidence.packed), return_future=True)


async def _take(dht: "hivemind.DHT", node: Any, *, packed: bytes) -> None:
    node.protocol.authorizer.convicted.take(packed)
