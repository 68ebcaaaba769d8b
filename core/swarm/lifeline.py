"""Ends a DHT's process once the libp2p daemon below it has died: it would continue as if it were alone.

The process that started the DHT notices its end, and reports it or starts a new one; hivemind itself notices
nothing.
"""

import asyncio
import logging
import os
from typing import Any

import hivemind

_log = logging.getLogger(__name__)
_tasks: set[asyncio.Task[None]] = set()


def end_with_daemon(dht: "hivemind.DHT") -> None:
    """Make the process of ``dht``, which runs, end when its daemon dies; return once the watch has begun."""
    dht.run_coroutine(_begin)


async def _begin(dht: "hivemind.DHT", node: Any) -> None:
    task = asyncio.create_task(_watch(node))
    _tasks.add(task)  # a task without a reference may be collected
    task.add_done_callback(_tasks.discard)


async def _watch(node: Any) -> None:
    await node.p2p._child.wait()
    if node.is_alive:  # in order, it ends before its daemon
        _log.error("The libp2p daemon has died.")
        os._exit(1)
