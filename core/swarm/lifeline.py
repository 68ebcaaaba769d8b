"""Ends a DHT's process once the libp2p daemon below it has died: it would go on as if nobody else were there.

Whoever started the DHT notices that, and says so or starts anew; hivemind itself notices nothing.
"""

import asyncio
import logging
import os
from typing import Any

import hivemind

_log = logging.getLogger(__name__)
_tasks: set[asyncio.Task[None]] = set()


def end_with_daemon(dht: "hivemind.DHT") -> None:
    """Have a DHT that runs do so until it ends; returns once it has begun."""
    dht.run_coroutine(_begin)


async def _begin(dht: "hivemind.DHT", node: Any) -> None:
    task = asyncio.create_task(_watch(node))
    _tasks.add(task)  # one that nobody refers to may be collected
    task.add_done_callback(_tasks.discard)


async def _watch(node: Any) -> None:
    await node.p2p._child.wait()
    if node.is_alive:  # in order, it ends before its daemon
        _log.error("The libp2p daemon has died.")
        os._exit(1)
