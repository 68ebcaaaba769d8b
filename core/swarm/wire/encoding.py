"""Encodes tensors for the wire, and decodes nothing that differs from the agreed form."""

import math

import numpy as np
import torch
from hivemind.compression import CompressionInfo, deserialize_torch_tensor, serialize_torch_tensor
from hivemind.proto import runtime_pb2
from numpy.typing import NDArray

from core.errors import SwarmError
from core.optim import blockwise
from core.run.encodings import BLOCK, BLOCK_4_BITS, LEVELS, Encoding, TopK, WireFormat, wire_bytes
from core.swarm.wire.bits import Bytes, pack_scales, scales_rounded_down, unpack_scales
from core.swarm.wire.top_k import SparseValues, decode_top_k, encode_top_k

_SIGMAS = 6
_MEASURABLE = (1e-15, 1e18)
"""Norms between which float32 squares neither vanish nor overflow."""
_WIRE_TYPE: dict[Encoding, int] = {
    Encoding.FLOAT32: runtime_pb2.CompressionType.NONE,
    Encoding.FLOAT16: runtime_pb2.CompressionType.FLOAT16,
    Encoding.UNIFORM8: runtime_pb2.CompressionType.UNIFORM_8BIT,
    Encoding.BLOCKWISE8: runtime_pb2.CompressionType.BLOCKWISE_8BIT,
    Encoding.BLOCKWISE4: 64,
}
"""Number that a message names its encoding by; hivemind's own end at 5."""
_SPARSE_TYPE = 65
_LARGEST_LEVEL = 7
"""Steps from zero to a block's largest magnitude, with four bits a value.

Zero is a level: what did not move must not be pushed one way. Even steps fit drifts better than those of NF4
(Dettmers et al., 2023): an optimizer's steps have light tails.
"""
_QUANTIZED = (Encoding.UNIFORM8, Encoding.BLOCKWISE8)


class MalformedPart(SwarmError):
    """A peer sent a part that is not what the run agreed on; that peer is left out of the round."""

    def __init__(self, what: str) -> None:
        super().__init__(what, "The peer that sent it is left out of this round.")

    def __reduce__(self) -> tuple[type["MalformedPart"], tuple[str]]:
        return type(self), (self.what,)


def encode(values: torch.Tensor, form: WireFormat) -> runtime_pb2.Tensor:
    """Encode ``values``, a float32 CPU tensor of shape (values,), in ``form``.

    A part without a spread that float32 can measure (all zeros, say: the rows of words that no caption used)
    has no quantization step in 8 bits; it travels as float16, which every decoder accepts beside the agreed
    encoding. Raises ValueError for values that are not finite where each is sent relative to others, in 4 bits
    or sparse.
    """
    if isinstance(form, TopK):
        return _message(_SPARSE_TYPE, encode_top_k(_finite(values), form), len(values))
    if form is Encoding.BLOCKWISE4:
        return _message(_WIRE_TYPE[form], _encode_4_bits(_finite(values)), len(values))
    if form in _QUANTIZED:
        centred, (least, most) = values - values.mean(), _MEASURABLE
        if not least < float(centred.norm()) < most:
            form = Encoding.FLOAT16
        elif form == Encoding.UNIFORM8:
            return _encode_uniform(values, centred)
        else:
            return _encode_blockwise(values)
    return serialize_torch_tensor(values, _WIRE_TYPE[form], CompressionInfo.from_tensor(values))


def _finite(values: torch.Tensor) -> torch.Tensor:
    if not bool(torch.isfinite(values).all()):
        raise ValueError("values that are not finite cannot be encoded")
    return values


def _message(compression: int, buffer: bytes, values: int) -> runtime_pb2.Tensor:
    return runtime_pb2.Tensor(compression=compression, buffer=buffer, size=[values], dtype="float32")


def _encode_uniform(values: torch.Tensor, centred: torch.Tensor) -> runtime_pb2.Tensor:
    """Encode in 256 levels over six standard deviations, each the mean of the values in it (Dettmers, 2015).

    The wire format is hivemind's; its own encoder uses a torch function that is going to be removed.
    """
    step = _SIGMAS * centred.norm() / math.sqrt(max(len(values) - 1, 1)) / LEVELS
    codes = centred.div_(step).round_().add_(LEVELS // 2).clamp_(0, LEVELS - 1).long()
    counts = torch.bincount(codes, minlength=LEVELS).clamp_(min=1)
    levels = torch.zeros(LEVELS).scatter_add_(0, codes, values).div_(counts)
    return _quantized(Encoding.UNIFORM8, (LEVELS,), (levels,), codes.to(torch.uint8))


def _encode_blockwise(values: torch.Tensor) -> runtime_pb2.Tensor:
    """Encode by the dynamic map in blocks (Dettmers et al., 2021), in hivemind's wire format.

    Codes come from the optimizer's encoder: with that of bitsandbytes zero comes back as 2e-5 of a block's
    maximum, and rows without a gradient would be pushed one way by every epoch.
    """
    codes, maxima = blockwise.encode(values, signed=True, block_size=BLOCK)
    book = blockwise.codebook(True).values
    return _quantized(Encoding.BLOCKWISE8, (len(maxima), LEVELS), (maxima, book), codes)


def _quantized(
    encoding: Encoding, counts: tuple[int, ...], tables: tuple[torch.Tensor, ...], codes: torch.Tensor
) -> runtime_pb2.Tensor:
    pieces = [count.to_bytes(8, "little") for count in counts]
    pieces += [item.numpy().tobytes() for item in (*tables, codes)]
    return runtime_pb2.Tensor(
        compression=_WIRE_TYPE[encoding], buffer=b"".join(pieces), size=codes.shape, dtype="float32"
    )


def decode(message: runtime_pb2.Tensor, form: WireFormat, values: int) -> torch.Tensor:
    """Decode ``message`` in the agreed ``form`` into a float32 tensor of shape (values,).

    Raises MalformedPart if it does not hold exactly that many ``values``, before any memory is taken for
    them, or if any is not finite.
    """
    if isinstance(form, TopK):
        return decode_sparse(message, form, values).dense()
    accepted = {form, Encoding.FLOAT16} if form in _QUANTIZED else {form}
    found = next((item for item in accepted if _WIRE_TYPE[item] == message.compression), None)
    if found is None:
        raise _another(form, values)
    _check_form(message, found, values)
    if found in _QUANTIZED and not _headers_agree(message.buffer, found, values):
        raise MalformedPart(f"The tables of a part of {values} values have other sizes than were agreed.")
    decoded = _decode_dense(message, found, values)
    if decoded is None or not bool(torch.isfinite(decoded).all()):
        raise MalformedPart("A part held values that are not finite, or that its encoding does not have.")
    return decoded


def decode_received(
    message: runtime_pb2.Tensor, form: WireFormat, values: int
) -> torch.Tensor | SparseValues:
    """Decode ``message`` in the agreed ``form`` as `decode`, but leave a sparse part sparse.

    The result has many ``values``, in a tensor of shape (values,). Raises MalformedPart as the others do.
    """
    if isinstance(form, TopK):
        return decode_sparse(message, form, values)
    return decode(message, form, values)


def decode_sparse(message: runtime_pb2.Tensor, rules: TopK, values: int) -> SparseValues:
    """Decode ``message``, a sparse part of shape (values,) under ``rules``, without making it dense.

    Raises MalformedPart if it has another length than was agreed, before any memory is taken for it, or if it
    holds an index twice or out of range, or a magnitude that is negative or not finite.
    """
    if message.compression != _SPARSE_TYPE:
        raise _another(rules, values)
    _check_form(message, rules, values)
    decoded = decode_top_k(message.buffer, rules, values)
    if decoded is None:
        raise MalformedPart("A sparse part held indices or magnitudes that its encoding does not have.")
    return decoded


def _another(agreed: WireFormat, values: int) -> MalformedPart:
    return MalformedPart(f"A part of {values} values in {agreed} was due, and something else came.")


def _check_form(message: runtime_pb2.Tensor, form: WireFormat, values: int) -> None:
    """Raise MalformedPart unless ``message`` has the type, the many ``values`` and the length of ``form``."""
    typed = message.dtype == "float32" and not message.requires_grad
    if tuple(message.size) != (values,) or not typed:
        raise _another(form, values)
    if len(message.buffer) != wire_bytes(form, values):
        raise MalformedPart(f"A part of {values} values came with {len(message.buffer)} bytes.")


def _decode_dense(message: runtime_pb2.Tensor, encoding: Encoding, values: int) -> torch.Tensor | None:
    if encoding is Encoding.BLOCKWISE4:
        return _decode_4_bits(message.buffer, values)
    return (
        _decode_blockwise(message) if encoding is Encoding.BLOCKWISE8 else deserialize_torch_tensor(message)
    )


def _decode_blockwise(message: runtime_pb2.Tensor) -> torch.Tensor:
    """Decode by the sender's own map. hivemind calls bitsandbytes, which imports a compiler: a second, 110 MB."""
    values = message.size[0]
    tables = np.frombuffer(message.buffer, np.float32, math.ceil(values / BLOCK) + LEVELS, offset=16)
    codes = np.frombuffer(message.buffer, np.uint8, values, offset=16 + tables.nbytes)
    maxima, book = torch.tensor(tables[:-LEVELS]), torch.tensor(tables[-LEVELS:])
    return blockwise.look_up(torch.tensor(codes), maxima, book, block_size=BLOCK)


def _headers_agree(buffer: bytes, encoding: Encoding, values: int) -> bool:
    """Return true if the sizes inside a quantized part are those that its length implies."""
    first, second = (int.from_bytes(buffer[at : at + 8], "little", signed=True) for at in (0, 8))
    if encoding == Encoding.UNIFORM8:
        return first == LEVELS
    if encoding == Encoding.BLOCKWISE8:
        return (first, second) == (math.ceil(values / BLOCK), LEVELS)
    return True


def _encode_4_bits(values: torch.Tensor) -> bytes:
    """Return the wire's bytes of ``values``, finite float32 of shape (values,)."""
    blocks = -(-len(values) // BLOCK_4_BITS)
    padded = torch.zeros(blocks, BLOCK_4_BITS)
    padded.view(-1)[: len(values)] = values
    scales = torch.from_numpy(scales_rounded_down(padded.abs().amax(1).numpy()))
    scaled = padded / scales.where(scales > 0, 1.0)[:, None]
    codes = (scaled * _LARGEST_LEVEL).round_().clamp_(-_LARGEST_LEVEL, _LARGEST_LEVEL).view(
        -1
    ).numpy().astype(np.int8) + _LARGEST_LEVEL
    codes = codes.astype(np.uint8)
    pairs = codes[: len(values) + len(values) % 2].reshape(-1, 2)
    return pack_scales(scales.numpy()).tobytes() + (pairs[:, 0] | pairs[:, 1] << 4).tobytes()


def _decode_4_bits(buffer: bytes, values: int) -> torch.Tensor | None:
    """Return the many ``values`` that ``buffer`` holds, float32 of shape (values,); None if it is malformed.

    Its length must be that which `core.run.encodings.wire_bytes` predicts.
    """
    blocks = -(-values // BLOCK_4_BITS)
    whole = np.frombuffer(buffer, np.uint8)
    scales, codes = unpack_scales(whole[: 2 * blocks]), _nibbles(whole[2 * blocks :], values)
    if scales is None or codes.max() > 2 * _LARGEST_LEVEL:
        return None
    decoded = np.zeros(blocks * BLOCK_4_BITS, np.float32)
    decoded[:values] = codes.astype(np.float32) - _LARGEST_LEVEL
    shares = decoded.reshape(blocks, -1) / _LARGEST_LEVEL  # first, so that no product overflows
    return torch.from_numpy((shares * scales[:, None]).reshape(-1)[:values])


def _nibbles(pairs: Bytes, count: int) -> NDArray[np.uint8]:
    codes = np.empty((len(pairs), 2), np.uint8)
    codes[:, 0], codes[:, 1] = pairs & 15, pairs >> 4
    return codes.reshape(-1)[:count]
