"""A run's encodings: bytes are known without encoding, and nonsense is refused."""

import pytest
from pydantic import TypeAdapter, ValidationError

from core.run.encodings import (
    Encoding,
    LowRank,
    RoundBytes,
    RoundTensor,
    TopK,
    WireFormat,
    WireFormatField,
    chunk_rows,
    round_bytes,
    wire_bytes,
)
from core.run.rules import LocalStepRules, Overlap, SwarmRules

FORM: TypeAdapter[WireFormat] = TypeAdapter(WireFormatField)


@pytest.mark.parametrize(
    ("kept", "bits", "of_a_chunk"),
    [(64, 2, 84), (128, 2, 148), (512, 2, 452), (64, 4, 112), (4096, 2, 2052), (1, 2, 8)],
)
def test_bytes_of_a_sparse_chunk(kept: int, bits: int, of_a_chunk: int) -> None:
    """One chunk: two or more magnitudes of 2 bytes, indices of about 3.5 to 12 bits, values of ``bits``."""
    assert wire_bytes(TopK(kept=kept, bits=bits), 4096) == of_a_chunk


def test_a_last_shorter_chunk_sends_the_same_share_rounded_up() -> None:
    assert [item.kept for item in chunk_rows(TopK(kept=64), 4096 + 65)] == [64, 2]
    assert [item.kept for item in chunk_rows(TopK(kept=64), 1)] == [1]


@pytest.mark.parametrize(
    "table",
    [
        {"kept": 0},
        {"kept": 4097},
        {"chunk": 256},
        {"bits": 1},
        {"bits": 5},
        {"chunk": 1000},
        {"kept": 1.5},
        {"kept": 64, "mode": "fast"},
    ],
)
def test_nonsense_is_refused_when_a_run_is_made(table: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        FORM.validate_python({"kept": 300, **table})


def test_a_manifest_names_an_encoding_or_gives_a_table() -> None:
    assert FORM.validate_json('"blockwise4"') is Encoding.BLOCKWISE4
    sparse = TopK(kept=64, bits=3)
    assert FORM.validate_json('{"kept": 64, "bits": 3}') == sparse
    assert FORM.validate_json(FORM.dump_json(sparse)) == sparse
    with pytest.raises(ValidationError, match="name"):
        FORM.validate_json('"zip"')


def test_gradients_have_no_error_buffers_and_are_never_sparse() -> None:
    with pytest.raises(ValidationError):
        SwarmRules.model_validate({"gradient_encoding": TopK(kept=64)})
    with pytest.raises(ValidationError, match="kept"):
        SwarmRules.model_validate_json('{"gradient_encoding": {"kept": 64}}')


def test_gradients_may_be_of_low_rank() -> None:
    rules = SwarmRules.model_validate_json('{"gradient_encoding": {"rank": 2}, "large_tensor_elements": 500}')
    assert SwarmRules.model_validate_json(rules.model_dump_json()) == rules
    half = (Encoding.FLOAT16, Encoding.FLOAT16)
    assert rules.travelling((30, 10)) == RoundTensor((30, 10), *half), "a small tensor"
    assert rules.travelling((100, 10)) == RoundTensor((110, 2), *half)
    assert rules.travelling((100_000,)) == RoundTensor((100_000,), *half), "no matrix"
    assert rules.travelling((250, 4)).shape == (250, 4), "its factors would take half of its values"
    assert rules.keeps_errors
    with pytest.raises(ValidationError, match="gradient_encoding is for gradients"):
        SwarmRules(gradient_encoding=LowRank(), overlap=Overlap.FULL, local_steps=LocalStepRules())
    for wrong in ('{"rank": 0}', '{"rank": 65}', '{"factor_encoding": "uniform8"}', '{"rank": "2"}'):
        with pytest.raises(ValidationError):
            SwarmRules.model_validate_json(f'{{"gradient_encoding": {wrong}}}')


def test_a_round_has_the_bytes_of_its_parts_in_any_order() -> None:
    sparse, eight, half = TopK(kept=64), Encoding.BLOCKWISE8, Encoding.FLOAT16
    tensors = [
        RoundTensor((600, 1000), eight, eight),
        RoundTensor((7,), half, half),
        RoundTensor((3_000_000,), sparse, half),
    ]
    assert round_bytes(tensors) == round_bytes(tensors[::-1])
    cut = wire_bytes(eight, 2**19) + wire_bytes(eight, 600_000 - 2**19)
    full, rest = divmod(3_000_000, 2**18)  # of aggregates in 16 bits, of which a part takes no more
    values = full * wire_bytes(sparse, 2**18) + wire_bytes(sparse, rest)
    aggregates = cut + 14 + 2 * 3_000_000
    assert round_bytes(tensors) == RoundBytes(cut + 14 + values, aggregates, aggregates)
