"""Encodes tensors for the wire, and decodes nothing that differs from the agreed form."""

import math
from collections.abc import Callable

import numpy as np
import torch
from hivemind.compression import CompressionInfo, deserialize_torch_tensor, serialize_torch_tensor
from hivemind.proto import runtime_pb2

from core.errors import SwarmError
from core.optim import blockwise
from core.run.rules import Encoding

_BLOCK = 4096
_LEVELS = 256
_CODEBOOK_BYTES = 4 * _LEVELS
_SIGMAS = 6
_MEASURABLE = (1e-15, 1e18)
"""Norms between which float32 squares neither vanish nor overflow."""
_WIRE_TYPE: dict[Encoding, int] = {
    Encoding.FLOAT32: runtime_pb2.CompressionType.NONE,
    Encoding.FLOAT16: runtime_pb2.CompressionType.FLOAT16,
    Encoding.UNIFORM8: runtime_pb2.CompressionType.UNIFORM_8BIT,
    Encoding.BLOCKWISE8: runtime_pb2.CompressionType.BLOCKWISE_8BIT,
}
_WIRE_BYTES: dict[Encoding, Callable[[int], int]] = {
    Encoding.FLOAT32: lambda values: 4 * values,
    Encoding.FLOAT16: lambda values: 2 * values,
    Encoding.UNIFORM8: lambda values: 8 + _CODEBOOK_BYTES + values,
    Encoding.BLOCKWISE8: lambda values: 16 + 4 * math.ceil(values / _BLOCK) + _CODEBOOK_BYTES + values,
}
_QUANTIZED = (Encoding.UNIFORM8, Encoding.BLOCKWISE8)


class MalformedPart(SwarmError):
    """A peer sent a part that is not what the run agreed on; that peer is left out of the round."""

    def __init__(self, what: str) -> None:
        super().__init__(what, "The peer that sent it is left out of this round.")

    def __reduce__(self) -> tuple[type["MalformedPart"], tuple[str]]:
        return type(self), (self.what,)


def wire_bytes(encoding: Encoding, values: int) -> int:
    """Return the bytes that many ``values`` take on the wire in ``encoding``, without the message around them."""
    return _WIRE_BYTES[encoding](values)


def encode(values: torch.Tensor, encoding: Encoding) -> runtime_pb2.Tensor:
    """Encode ``values``, a float32 CPU tensor of shape (values,), in ``encoding``.

    A part without a spread that float32 can measure (all zeros, say: the rows of words that no caption used)
    has no quantization step; it travels as float16, which every decoder accepts beside the agreed encoding.
    """
    if encoding in _QUANTIZED:
        centred, (least, most) = values - values.mean(), _MEASURABLE
        if not least < float(centred.norm()) < most:
            encoding = Encoding.FLOAT16
        elif encoding == Encoding.UNIFORM8:
            return _encode_uniform(values, centred)
        else:
            return _encode_blockwise(values)
    return serialize_torch_tensor(values, _WIRE_TYPE[encoding], CompressionInfo.from_tensor(values))


def _encode_uniform(values: torch.Tensor, centred: torch.Tensor) -> runtime_pb2.Tensor:
    """Encode in 256 levels over six standard deviations, each the mean of the values in it (Dettmers, 2015).

    The wire format is hivemind's; its own encoder uses a torch function that is going to be removed.
    """
    step = _SIGMAS * centred.norm() / math.sqrt(max(len(values) - 1, 1)) / _LEVELS
    codes = centred.div_(step).round_().add_(_LEVELS // 2).clamp_(0, _LEVELS - 1).long()
    counts = torch.bincount(codes, minlength=_LEVELS).clamp_(min=1)
    levels = torch.zeros(_LEVELS).scatter_add_(0, codes, values).div_(counts)
    return _quantized(Encoding.UNIFORM8, (_LEVELS,), (levels,), codes.to(torch.uint8))


def _encode_blockwise(values: torch.Tensor) -> runtime_pb2.Tensor:
    """Encode by the dynamic map in blocks (Dettmers et al., 2021), in hivemind's wire format.

    Codes come from the optimizer's encoder: with that of bitsandbytes zero comes back as 2e-5 of a block's
    maximum, and rows without a gradient would be pushed one way by every epoch.
    """
    codes, maxima = blockwise.encode(values, signed=True, block_size=_BLOCK)
    book = blockwise.codebook(True).values
    return _quantized(Encoding.BLOCKWISE8, (len(maxima), _LEVELS), (maxima, book), codes)


def _quantized(
    encoding: Encoding, counts: tuple[int, ...], tables: tuple[torch.Tensor, ...], codes: torch.Tensor
) -> runtime_pb2.Tensor:
    pieces = [count.to_bytes(8, "little") for count in counts]
    pieces += [item.numpy().tobytes() for item in (*tables, codes)]
    return runtime_pb2.Tensor(
        compression=_WIRE_TYPE[encoding], buffer=b"".join(pieces), size=codes.shape, dtype="float32"
    )


def decode(message: runtime_pb2.Tensor, encoding: Encoding, values: int) -> torch.Tensor:
    """Decode ``message`` in the agreed ``encoding`` into a float32 tensor of shape (values,).

    Raises MalformedPart if it does not hold exactly that many ``values``, before any memory is taken for
    them, or if any is not finite.
    """
    accepted = {encoding, Encoding.FLOAT16} if encoding in _QUANTIZED else {encoding}
    found = next((item for item in accepted if _WIRE_TYPE[item] == message.compression), None)
    typed = message.dtype == "float32" and not message.requires_grad
    if found is None or tuple(message.size) != (values,) or not typed:
        raise MalformedPart(f"A part of {values} values in {encoding} was due, and something else came.")
    if len(message.buffer) != wire_bytes(found, values) or not _headers_agree(message.buffer, found, values):
        raise MalformedPart(f"A part of {values} values came with {len(message.buffer)} bytes.")
    decoded = (
        _decode_blockwise(message) if found is Encoding.BLOCKWISE8 else deserialize_torch_tensor(message)
    )
    if not bool(torch.isfinite(decoded).all()):
        raise MalformedPart("A part held values that are not finite.")
    return decoded


def _decode_blockwise(message: runtime_pb2.Tensor) -> torch.Tensor:
    """Decode by the sender's own map. hivemind calls bitsandbytes, which imports a compiler: a second, 110 MB."""
    values = message.size[0]
    tables = np.frombuffer(message.buffer, np.float32, math.ceil(values / _BLOCK) + _LEVELS, offset=16)
    codes = np.frombuffer(message.buffer, np.uint8, values, offset=16 + tables.nbytes)
    maxima, book = torch.tensor(tables[:-_LEVELS]), torch.tensor(tables[-_LEVELS:])
    return blockwise.look_up(torch.tensor(codes), maxima, book, block_size=_BLOCK)


def _headers_agree(buffer: bytes, encoding: Encoding, values: int) -> bool:
    """Return true if the sizes inside a quantized part are those that its length implies."""
    first, second = (int.from_bytes(buffer[at : at + 8], "little", signed=True) for at in (0, 8))
    if encoding == Encoding.UNIFORM8:
        return first == _LEVELS
    if encoding == Encoding.BLOCKWISE8:
        return (first, second) == (math.ceil(values / _BLOCK), _LEVELS)
    return True
