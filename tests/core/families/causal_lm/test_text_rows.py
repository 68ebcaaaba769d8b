"""Text is packed into samples that are always the same ones, and a stream of them is resumed exactly."""

import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from tokenizers import Tokenizer, models

from core.data.listing import Shard
from core.data.streaming.sample_stream import SampleStream, rows_of_span
from core.data.streaming.walk import peer_seed
from core.errors import DataError, MisfitError, TextError
from core.families.causal_lm.machinery import text_rows
from core.families.causal_lm.rules import CausalRules, TokenRules
from core.families.causal_lm.text_rows import TextRows, packed
from core.families.causal_lm.tokens import TextTokenizer
from core.run.manifest import RunManifest
from core.run.training.families import family_of, training_rules
from core.storage.files import FileRef
from tests.swarms.text_run import MODEL, TEXT, byte_tokenizer, write_text_run

TOKENIZER = TextTokenizer(byte_tokenizer())


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[CausalRules, Path]:
    folder = tmp_path_factory.mktemp("text")
    training = RunManifest.load(write_text_run(folder)).training
    assert isinstance(training, CausalRules)
    return training, folder


def test_each_token_is_predicted_once() -> None:
    samples = list(packed(iter([[1, 2], [], [3, 4, 5, 6, 7], [8, 9]]), 3))
    assert [sample.tolist() for sample in samples] == [[1, 2, 3, 4], [4, 5, 6, 7]]


@pytest.mark.parametrize("name", ["docs.jsonl", "docs.parquet", "docs.txt"])
def test_documents_of_every_format_end_with_the_token_of_the_end(name: str, tmp_path: Path) -> None:
    texts, path = ["one\ntwo", "three"], tmp_path / name
    match path.suffix:
        case ".jsonl":
            path.write_text("".join(json.dumps({"story": text}) + "\n" for text in texts))
        case ".parquet":
            pq.write_table(pa.table({"story": texts}), path)
        case _:
            texts = ["one\ntwo\n\nthree"]
            path.write_text(texts[0])
    rows = TextRows(
        [Shard(name, str(path), "x")], TOKENIZER.encode, length=1, end_id=0, column="story", identity="x"
    )
    expected = [token for text in texts for token in (*TOKENIZER.encode(text), 0)]
    found = [sample for _, sample in rows.read(0, 0)]
    assert [int(found[0][0]), *(int(sample[1]) for sample in found)] == expected
    assert [(where, sample.tolist()) for where, sample in rows.read(0, 0, first=3)] == [
        (f"sample {number} of row group 0 of {name}", found[number].tolist())
        for number in range(3, len(found))
    ]


def test_a_file_without_the_column_or_of_another_format_is_a_data_error(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"other": "text"}\n')
    (tmp_path / "b.parquet").write_bytes(b"no parquet at all")
    for name, what in (("a.jsonl", "no text in a column text"), ("b.parquet", "is not a Parquet file")):
        shard = Shard(name, str(tmp_path / name), "x")
        rows = TextRows([shard], TOKENIZER.encode, length=4, end_id=0, column="text", identity="x")
        with pytest.raises(DataError, match=what):
            list(rows.read(0, 0))


def opened(run: tuple[CausalRules, Path], peer: str = "a") -> SampleStream:
    return family_of(run[0]).samples(*run, peer=peer)[1]


def test_a_pass_has_every_sample_once_in_an_order_of_the_peers_own(run: tuple[CausalRules, Path]) -> None:
    everything = [sample for _, sample in text_rows(*run).read(0, 0)]
    assert len(everything) == len(TOKENIZER.encode(TEXT)) // MODEL.length
    orders = []
    for peer in ("a", "b"):
        with closing(opened(run, peer)) as stream:
            orders.append(stream.take(len(everything)).codes)
            assert stream.passes == 0
    for order in orders:
        assert sorted(order.tolist()) == sorted(sample.tolist() for sample in everything)
    assert not torch.equal(*orders)


def test_a_stream_is_resumed_exactly(run: tuple[CausalRules, Path]) -> None:
    with closing(opened(run)) as stream:
        stream.take(37)
        place = json.loads(json.dumps(stream.state_dict()))
        expected = stream.take(1500).codes
    with closing(opened(run, "another name")) as stream:
        stream.load_state_dict(place)
        assert torch.equal(stream.take(1500).codes, expected), "beyond the end of the pass"


def test_a_place_in_other_text_is_refused(run: tuple[CausalRules, Path], tmp_path: Path) -> None:
    shorter = MODEL.model_copy(update={"length": 8})
    other = RunManifest.load(write_text_run(tmp_path, model=shorter)).training
    with closing(opened(run)) as stream:
        place = stream.state_dict()
    assert isinstance(other, CausalRules)
    with (
        closing(opened((other, tmp_path))) as stream,
        pytest.raises(DataError, match="belongs to other data"),
    ):
        stream.load_state_dict(place)


def test_rows_that_an_epoch_assigns_can_be_named_and_read_again_by_others(tmp_path: Path) -> None:
    training = RunManifest.load(write_text_run(tmp_path, recomputed_share=0.5)).training
    assert isinstance(training, CausalRules)
    run, head = (training, tmp_path), bytes(range(32))
    with closing(opened(run, "worker")) as stream:
        stream.begin_epoch(7, head)
        stream.take(5)
        batch = stream.take(6)
    assert batch.rows is not None
    with closing(opened(run, "auditor")) as stream:
        seed = peer_seed(training.data_seed, "worker")
        with closing(stream.window_of(seed, batch.rows.window)) as reading:
            window = reading.take()
    assert window.place == batch.rows.window
    assert window.codes.dtype == np.int32
    assert torch.equal(rows_of_span(window, batch.rows, seed).codes, batch.codes)


def test_text_shorter_than_a_sample_and_tokens_that_do_not_fit_are_refused(
    run: tuple[CausalRules, Path], tmp_path: Path
) -> None:
    family, (training, folder) = family_of(run[0]), run
    family.check_rows(training, folder, hub_seconds=1.0)
    family.check_parts(training, folder)
    long = training.model_copy(update={"model": MODEL.model_copy(update={"length": 4096 * 8})})
    with pytest.raises(MisfitError, match="has less text than"):
        family.check_rows(long, folder, hub_seconds=1.0)
    with pytest.raises(MisfitError, match="has 257 tokens, but the model knows 256"):
        training.model_copy(update={"model": MODEL.model_copy(update={"vocab": 256})}).check_files(folder)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({}, "give either files or hub"),
        ({"hub": {"repo": "a/b", "revision": "0" * 40, "pattern": "*.csv"}}, "of no known format"),
    ],
)
def test_data_that_nobody_can_read_are_refused(
    data: dict[str, object], why: str, run: tuple[CausalRules, Path]
) -> None:
    table = run[0].model_dump(mode="json")
    with pytest.raises(ValueError, match=why):
        training_rules({**table, "data": data})


def test_a_token_that_the_library_numbers_otherwise_than_its_file_is_refused(
    run: tuple[CausalRules, Path], tmp_path: Path
) -> None:
    library = Tokenizer(models.WordLevel({"a": 0, "[UNK]": 1}, unk_token="[UNK]"))
    document = json.loads(library.to_str())
    added = {"id": 0, "content": "zzz", "special": False}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    document["added_tokens"] = [added | flags]
    (tmp_path / "tokenizer.json").write_text(json.dumps(document))
    ref = FileRef.of(tmp_path / "tokenizer.json", tmp_path)
    model = MODEL.model_copy(update={"vocab": 2})
    training = run[0].model_copy(update={"model": model, "tokens": TokenRules(tokenizer=ref, end_id=0)})
    training.check_files(tmp_path)
    with pytest.raises(MisfitError, match="has 3 tokens, but the model knows 2"):
        TextTokenizer.of_run(training, tmp_path)
    with pytest.raises(MisfitError, match="gives the token 2, but the model knows 2"):
        TextTokenizer(Tokenizer.from_str(json.dumps(document)), 2).encode("zzz")


def test_a_document_that_the_tokenizer_refuses_is_left_out_unless_it_refuses_all(tmp_path: Path) -> None:
    library = Tokenizer(models.BPE({"<end>": 0, "a": 1, "b": 2}, [], unk_token="?"))
    path = tmp_path / "docs.jsonl"
    for texts, expected in ((["ab", "\U0001f600", "ba"], [1, 2, 0, 2, 1, 0]), (["\U0001f600"] * 20, None)):
        path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
        rows = TextRows(
            [Shard("docs.jsonl", str(path), "x")],
            TextTokenizer(library).encode,
            length=1,
            end_id=0,
            column="text",
            identity="x",
        )
        if expected is None:
            with pytest.raises(TextError, match="tokenizer fails"):
                list(rows.first_samples(0))
        else:
            found = [sample.tolist() for sample in rows.first_samples(0)]
            assert [found[0][0], *(sample[1] for sample in found)] == expected
