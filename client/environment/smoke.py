"""Tries an environment, in its own Python: imports, a product on the device, a start of the peer-to-peer daemon.

Nothing but the standard library is imported at the top, because this runs where anything else may be missing. A line
of JSON before each step names it, so that a step which kills the process is known as well.
"""

import asyncio
import importlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

_SIDE = 64
_P2PD_SECONDS = 60.0


def main(arguments: Sequence[str]) -> int:
    """Carry out the steps for a device and modules to import; return 0 if all of them succeed."""
    device, *modules = arguments
    out = _claim_output()
    steps: dict[str, Callable[[], object]] = {
        "imports": lambda: [importlib.import_module(module) for module in modules],
        "product": lambda: multiply(importlib.import_module("torch"), device),
        "p2pd": lambda: asyncio.run(start_p2pd(importlib.import_module("hivemind.p2p"))),
    }
    for name, step in steps.items():
        _say(out, begun=name)
        try:
            step()
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is what the test found
            _say(out, failed=name, why=f"{type(error).__name__}: {error}"[:500])
            return 1
    _say(out, passed=True)
    return 0


def multiply(torch: Any, device: str) -> None:
    """Multiply two matrices on the device, and check the result."""
    ones = torch.ones(_SIDE, _SIDE, device=device)
    found = float((ones @ ones).sum())
    if found != _SIDE**3:
        raise ArithmeticError(f"the product on {device} is wrong: {found} instead of {_SIDE**3}")


async def start_p2pd(p2p: Any) -> None:
    """Start the peer-to-peer daemon on loopback, without a word to anyone, and end it."""
    peer = await asyncio.wait_for(
        p2p.P2P.create(
            host_maddrs=["/ip4/127.0.0.1/tcp/0"],
            dht_mode="client",
            auto_nat=False,
            nat_port_map=False,
            use_relay=False,
        ),
        _P2PD_SECONDS,
    )
    await peer.shutdown()


def _claim_output() -> int:
    """Return the standard output for our lines alone; what libraries print goes to standard error."""
    out = os.dup(1)
    os.dup2(2, 1)
    return out


def _say(out: int, **fields: object) -> None:
    os.write(out, json.dumps({"smoke": fields}).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
