"""The folder of a model: what is written is read, and anything else is refused."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from core.codec.vqgan import load_codec
from core.errors import CheckpointError
from core.model.transformer import Transformer
from core.published.card import model_card
from core.published.document import FileOrigin
from core.published.model import Model
from core.published.model_folder import is_model, open_model
from core.published.writing import write_model
from core.storage.parameter_file import read_parameters
from core.storage.sealed import seal
from tests.core.published.small_model import CONFIG, ORIGIN, contents, parameters


def test_what_is_written_is_read(folder: Path, complete: Model) -> None:
    model = open_model(folder)
    assert (model.document.model, model.document.origin) == (CONFIG, ORIGIN)
    read = model.parameters()
    assert all(torch.equal(read[name], tensor) for name, tensor in complete.parameters.items())
    text, codes = model.tokenizer().encode(["red heart"]), torch.arange(4)[None]
    expected = Transformer(CONFIG)
    expected.load_state_dict(dict(complete.parameters))
    assert torch.equal(model.transformer().logits(text, codes)[1], expected.logits(text, codes)[1])
    assert complete.codec is not None
    same = load_codec(complete.codec.config, complete.codec.weights)
    assert torch.equal(model.codec().decode(codes.view(1, 2, 2)), same.decode(codes.view(1, 2, 2)))


def test_a_folder_holds_what_it_says_and_no_more(folder: Path) -> None:
    names = ["README.md", "codec/config.yaml", "codec/vqgan.safetensors"]
    assert sorted(contents(folder)) == [*names, "model.json", "model.safetensors", "tokenizer.json"]
    assert list(folder.parent.iterdir()) == [folder]


def test_the_same_model_gives_the_same_bytes(folder: Path, complete: Model, tmp_path: Path) -> None:
    write_model(tmp_path / "other", complete, model_card)
    assert contents(tmp_path / "other") == contents(folder)
    write_model(tmp_path / "copy", open_model(folder).model(), model_card)
    assert contents(tmp_path / "copy") == contents(folder)


def test_weights_alone_are_a_model_that_says_what_it_lacks(tmp_path: Path) -> None:
    write_model(tmp_path / "model", Model(CONFIG, parameters(), FileOrigin(name="state.pt", sha256="0" * 64)))
    model = open_model(tmp_path / "model")
    assert sorted(contents(tmp_path / "model")) == ["model.json", "model.safetensors"]
    with pytest.raises(CheckpointError, match="no tokenizer"):
        model.tokenizer()
    with pytest.raises(CheckpointError, match="no image codec"):
        model.codec()


@pytest.mark.parametrize(
    "name", ["model.json", "model.safetensors", "tokenizer.json", "codec/vqgan.safetensors"]
)
def test_every_byte_counts(folder: Path, name: str) -> None:
    original = (folder / name).read_bytes()
    for position in range(0, len(original), max(1, len(original) // 25)):
        changed = bytearray(original)
        changed[position] ^= 1 << (position % 8)
        (folder / name).write_bytes(changed)
        with pytest.raises(CheckpointError):
            open_model(folder).model()
    (folder / name).unlink()
    with pytest.raises(CheckpointError):
        open_model(folder).model()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "pt"}, "no model of Idlebrush's"),
        ({"version": 2}, "format 2"),
        ({"model": {"dim": 4}}, "describes no model"),
        ({"weights": {"path": "../../etc/passwd", "sha256": "0" * 64, "size": 1}}, "describes no model"),
        ({"origin": {"kind": "file", "name": "a\x1b[2J", "sha256": "0" * 64}}, "describes no model"),
        ({"more": True}, "describes no model"),
        ({"model": CONFIG.model_dump(mode="json") | {"dim": 1 << 40}}, "cannot be in a file"),
        ({"model": CONFIG.model_dump(mode="json") | {"depth": 1 << 40}}, "depth = "),
        ({"model": CONFIG.model_dump(mode="json") | {"grid": 1 << 40}}, "grid = "),
        ({"model": CONFIG.model_dump(mode="json") | {"dim_head": 1 << 40}}, "dim_head = "),
        ({"model": CONFIG.model_dump(mode="json") | {"heads": 2}}, "of another model"),
        ({"model": CONFIG.model_dump(mode="json") | {"depth": 3}}, "of another model"),
    ],
)
def test_documents_that_ask_for_something_else_are_refused(
    folder: Path, change: dict[str, object], words: str
) -> None:
    document = json.loads((folder / "model.json").read_text())
    del document["sha256"]
    (folder / "model.json").write_text(seal(document | change))
    with pytest.raises(CheckpointError, match=words):
        open_model(folder).parameters()


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2, torch.complex64, torch.bool])
def test_parameters_that_are_no_numbers_to_compute_with_are_refused(
    tmp_path: Path, dtype: torch.dtype
) -> None:
    save_file({"a": torch.zeros(4).to(dtype)}, tmp_path / "model.safetensors")
    with pytest.raises(CheckpointError, match="does not hold finite floating-point numbers"):
        read_parameters(tmp_path / "model.safetensors", {"a": torch.Size([4])})


@pytest.mark.parametrize(
    ("content", "words"), [(None, "cannot be read: "), (b"no tensors", "is damaged: "), (b"", "is damaged: ")]
)
def test_a_file_without_parameters_is_refused(tmp_path: Path, content: bytes | None, words: str) -> None:
    path = tmp_path / "model.safetensors"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CheckpointError) as refused:
        read_parameters(path, {"a": torch.Size([4])})
    assert refused.value.what.startswith(f"{path} {words}")


@pytest.mark.parametrize("text", ["", "{", "[1]", "[" * 100_000, "\x00", '{"format": "idlebrush model"}'])
def test_what_is_no_document_is_refused(folder: Path, text: str) -> None:
    (folder / "model.json").write_text(text)
    with pytest.raises(CheckpointError):
        open_model(folder)


def test_a_huge_document_is_not_read(folder: Path) -> None:
    with (folder / "model.json").open("r+b") as file:
        file.truncate(1 << 40)
    with pytest.raises(CheckpointError, match="too long"):
        open_model(folder)


def test_there_is_no_model_where_none_was_written(tmp_path: Path) -> None:
    assert not is_model(tmp_path)
    with pytest.raises(CheckpointError, match="no model"):
        open_model(tmp_path)


def test_a_model_is_found_in_the_moment_in_which_it_is_replaced(folder: Path) -> None:
    folder.rename(folder.with_name(".model.previous"))
    assert open_model(folder).document.origin == ORIGIN
    shutil.rmtree(folder.with_name(".model.previous"))
    assert not is_model(folder)
