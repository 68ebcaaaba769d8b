"""Parsers of what donors, entrances and painters send: outlines and pieces of states, answers, frames."""

import asyncio
import io

import msgpack
import torch
from PIL import Image

from benchmarks.fuzzing.scene import PEER, digest_of
from benchmarks.fuzzing.target import FuzzTarget
from core.data.images import BrokenImageError
from core.generation.frames import repainted
from core.swarm.reach.questions import ReachQuestion, ReachReply, receive
from core.swarm.state.pieces import PieceBuffer, StateOutline, digests_of, joined
from core.swarm.state.state import DonorFailed, SwarmState, flat_bytes, schema_of

_PIECE_BYTES = 64
_STATE = SwarmState(
    7, digest_of("head"), {"weights": torch.arange(40.0), "moments": torch.zeros(5, dtype=torch.uint8)}
)
_SCHEMA = schema_of(_STATE.tensors)
_FLAT = b"".join(item.numpy().tobytes() for item in flat_bytes(_STATE.tensors))
_OUTLINE = StateOutline(
    7, digest_of("head"), digests_of(flat_bytes(_STATE.tensors), piece_bytes=_PIECE_BYTES)
)
_PIECES = _OUTLINE.pieces


def _outline(packed: bytes) -> object:
    return StateOutline.unpack(packed, pieces=_PIECES)


def _piece(data: bytes) -> object:
    return PieceBuffer(_OUTLINE, len(_FLAT), piece_bytes=_PIECE_BYTES).put(0, data)


def _state(data: bytes) -> object:
    """Join the bytes of a whole state, whose donor named just these bytes."""
    flat = torch.frombuffer(bytearray(data.ljust(len(_FLAT), b"\0")[: len(_FLAT)]), dtype=torch.uint8)
    return joined(flat, _SCHEMA, StateOutline(7, _OUTLINE.head, digests_of([flat])))


async def _received(packed: bytes, kind: type[ReachQuestion] | type[ReachReply]) -> object:
    reader = asyncio.StreamReader()
    reader.feed_data(packed)
    reader.feed_eof()
    return await receive(reader, kind)


def _reach_question(packed: bytes) -> object:
    return asyncio.run(_received(packed, ReachQuestion))


def _reach_reply(packed: bytes) -> object:
    return asyncio.run(_received(packed, ReachReply))


def _framed(message: ReachQuestion | ReachReply) -> bytes:
    packed: bytes = msgpack.packb(message.model_dump())
    return len(packed).to_bytes(2, "big") + packed


def _picture() -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (16, 16), PEER[2:5].hex().join(("#", ""))).save(written, "WEBP")
    return written.getvalue()


TARGETS = (
    FuzzTarget("state_outline", (_OUTLINE.pack(),), _outline, (DonorFailed,)),
    FuzzTarget("state_piece", (_FLAT[:_PIECE_BYTES],), _piece, (DonorFailed,)),
    FuzzTarget("state", (_FLAT,), _state, (DonorFailed,)),
    FuzzTarget(
        "reach_question",
        (_framed(ReachQuestion(ports=[31337])),),
        _reach_question,
        (ValueError, asyncio.IncompleteReadError),
    ),
    FuzzTarget(
        "reach_reply",
        (_framed(ReachReply(address="9.9.9.9", reached=[31337])),),
        _reach_reply,
        (ValueError, asyncio.IncompleteReadError),
    ),
    FuzzTarget("time_lapse_frame", (_picture(),), repainted, (BrokenImageError,)),
)
