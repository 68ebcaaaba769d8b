"""What makes a trainer of tests hostile, in its own process: the product's trainer with one part exchanged."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from benchmarks.hostility.attackers.attacker import Attacker, replace
from benchmarks.hostility.attackers.gradients import Repeater, ZeroSender
from core.trainer import train


def _meeting(attacker: type[Attacker], enter: Callable[..., Any]) -> Callable[..., Any]:
    def entering(*given: Any, **named: Any) -> Any:
        peer = enter(*given, **named)
        attacker(None).meet(peer)  # type: ignore[arg-type]
        return peer

    return entering


def sends_zeros() -> None:
    """Send zeros for the samples that are claimed."""
    replace(train, "enter", partial(_meeting, ZeroSender))


def repeats() -> None:
    """Send the first gradients in each round."""
    replace(train, "enter", partial(_meeting, Repeater))


def takes_other_codes() -> None:
    """Compute on one code instead of those of the rows that are named.

    Codes in another order would not do: how far they turn the gradients of a tiny model depends on the rows.
    """
    replace(train, "open_data", _with_other_codes)


def _with_other_codes(open_data: Callable[..., Any]) -> Callable[..., Any]:
    def opening(*given: Any) -> Any:
        tokenizer, stream = open_data(*given)
        take = stream.take

        def taking(count: int) -> Any:
            batch = take(count)
            return batch._replace(codes=torch.zeros_like(batch.codes))

        stream.take = taking
        return tokenizer, stream

    return opening
