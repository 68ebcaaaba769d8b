"""Parsers of what organisers give away: join links, manifests, indices, shards, texts, configurations, tokenizers."""

import io
import tempfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import torch
from pydantic import ValidationError
from safetensors.torch import save
from tokenizers import Tokenizer, models

from benchmarks.fuzzing.scene import manifest
from benchmarks.fuzzing.scratch_file import ScratchFile
from benchmarks.fuzzing.target import FuzzTarget, text_in
from client.admission.gate_info import GateInfo
from client.joining.embedded import embedded_run
from client.joining.pace import RunPace, UpdatePace
from core.codec.config import parse_config
from core.data.checking.fit import check_weights
from core.data.index import INDEX_NAME, ShardIndex
from core.data.layout import BATCH_ROWS, COLUMNS, Compression
from core.data.parquet.pages import must_fit
from core.data.shard_file import iterate_codes
from core.data.shard_head import ShardHead
from core.data.shards import CodeRow, write_shard
from core.data.text.documents import DocumentFile, TextFormat
from core.errors import CodecError, DataError, ManifestError, MisfitError, TextError, VersionError
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from core.run.run_list import ListedGate, RunList, RunListing
from core.signing import SigningKey
from core.text import CaptionTokenizer
from core.tokenizer_file import vocabulary_size

_GRID, _VOCAB = 4, 32
_FOLDER = embedded_run()
_CODEC = (_FOLDER / "codec" / "config.yaml").read_bytes()
_CONFIG = parse_config(_CODEC, "config.yaml")
_WEIGHTS, _SHARD, _TEXT = (ScratchFile(suffix) for suffix in (".safetensors", ".parquet", ".json"))
_DEEP = b"a" + b".a" * 3000


def _manifest_text() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.toml"
        manifest().save(path)
        return path.read_bytes()


def _manifest(text: bytes) -> object:
    return RunManifest.parse(text, "run.toml")


def _link(text: bytes) -> object:
    return JoinLink.parse(text_in(text))


def _run_list(text: bytes) -> object:
    return RunList.parse(text, "runs.json", fingerprint=None)


def _index(text: bytes) -> object:
    return ShardIndex.of_json(text, INDEX_NAME)


def _codec(content: bytes) -> object:
    return parse_config(content, "config.yaml")


def _codec_weights(data: bytes) -> bool:
    check_weights(_CONFIG, _WEIGHTS.holding(data))
    return True


def _vocabulary(content: bytes) -> object:
    return vocabulary_size(content, "tokenizer.json")


def _tokens(content: bytes) -> object:
    tokenizer = CaptionTokenizer.load(_TEXT.holding(content), length=8, eos_id=1)
    return tokenizer.encode(["red heart"]).sum()


def _shard_head(data: bytes) -> object:
    """Read what a process looks at that joins a run: columns, the size of images, and the memory of row groups."""
    file = io.BytesIO(data)
    head = ShardHead(file, "a shard")
    for row_group in head.row_groups:
        must_fit(file, row_group, COLUMNS, BATCH_ROWS, "a row group")
    return head.image_side(_GRID)


def _shard_rows(data: bytes) -> object:
    return list(iterate_codes(_SHARD.holding(data), _GRID, _VOCAB))


def _documents(kind: TextFormat, data: bytes) -> object:
    file = DocumentFile(io.BytesIO(data), "a file", kind, "text")
    return [piece for group in range(file.row_groups) for piece in file.read(group)]


def _text_table() -> bytes:
    written = io.BytesIO()
    pq.write_table(pa.table({"text": ["red heart", None, "blue heart"] * 3}), written, row_group_size=4)
    return written.getvalue()


def _shard(compression: Compression) -> bytes:
    rows = [CodeRow("red heart", bytes(2 * _GRID**2), "UNLIKELY", 64, 64)] * 3
    path = _SHARD.holding(b"")
    write_shard(path, rows, compression)
    return path.read_bytes()


def _small_tokenizer() -> bytes:
    words = {word: number for number, word in enumerate(("[UNK]", "[END]", "red", "heart"))}
    return Tokenizer(models.WordLevel(words, unk_token="[UNK]")).to_str().encode()


def _codebook() -> bytes:
    params = _CONFIG.model.params
    return save({_CONFIG.codebook_name: torch.zeros(params.n_embed, params.embed_dim, dtype=torch.uint8)})


_GATE_INFO = GateInfo(
    format=1, run="ab" * 32, issuer="https://provider.example", client_id="app", admits="anyone"
)
_PACE = RunPace(run="ab" * 32, epoch=7, measured=UpdatePace(epochs=5, seconds=60.0, contributors=3.0))
_LINK = JoinLink("https://run.example/files/run.toml", manifest().fingerprint, "invitation-invitation")

_CARD = RunListing(
    link=str(JoinLink("https://run.example/files/run.toml", manifest().fingerprint)),
    title="Cats",
    gate=ListedGate.OPEN,
    parameters=10,
    gpu_bytes=1,
    ram_bytes=1,
    bytes_per_day=1,
    picture="iVBORw0KGgo=",
)
_RUN_LIST = RunList.create("Ours", (_CARD,), SigningKey.generate(), 1, datetime(2026, 1, 1, tzinfo=UTC))

TARGETS = (
    FuzzTarget(
        "join_link",
        (str(_LINK).encode(), str(_LINK).replace("idlebrush:join", "idlebrush://join").encode()),
        _link,
        (ManifestError,),
    ),
    FuzzTarget(
        "run_manifest",
        (_manifest_text(),),
        _manifest,
        (ManifestError, VersionError),
        (_DEEP, b"0x" + b"f" * 8000, b"[[", b"1979-05-27", b"inf", b"'''"),
    ),
    FuzzTarget("run_list", (_RUN_LIST.text(),), _run_list, (ManifestError,)),
    FuzzTarget("data_index", ((_FOLDER / "data" / INDEX_NAME).read_bytes(),), _index, (DataError,)),
    FuzzTarget("shard_head", tuple(map(_shard, Compression)), _shard_head, (DataError,)),
    FuzzTarget("shard_rows", tuple(map(_shard, Compression)), _shard_rows, (DataError,)),
    FuzzTarget("text_table", (_text_table(),), partial(_documents, "parquet"), (DataError,)),
    FuzzTarget(
        "text_lines",
        (b'{"text": "red heart"}\n{"text": null}\n{"text": "\\ud83d\\ude00"}\n',),
        partial(_documents, "json"),
        (DataError,),
        (b"[[", b'{"text":', b"\\ud800", b"1e999", b"\n"),
    ),
    FuzzTarget("plain_text", ("naïve\n😀".encode(),), partial(_documents, "text"), (DataError,)),
    FuzzTarget(
        "codec_config",
        (_CODEC,),
        _codec,
        (CodecError,),
        (b"&a ", b"*a", b"<<: ", b"!!timestamp ", b"2001-99-99", b"!!bool ", b"!!int ", b"!!binary "),
    ),
    FuzzTarget("codec_weights_head", (_codebook(),), _codec_weights, (CodecError, MisfitError)),
    FuzzTarget("tokenizer_head", (_small_tokenizer(),), _vocabulary, (TextError,)),
    FuzzTarget("tokenizer", (_small_tokenizer(),), _tokens, (TextError,)),
    FuzzTarget(
        "gate_info",
        (_GATE_INFO.model_dump_json().encode(),),
        GateInfo.model_validate_json,
        (ValidationError,),
    ),
    FuzzTarget(
        "run_pace",
        (_PACE.model_dump_json().encode(),),
        RunPace.model_validate_json,
        (ValidationError,),
    ),
)
