"""A model with all that belongs to it, and a folder of it."""

from pathlib import Path

import pytest

from core.published.card import model_card
from core.published.model import CodecFiles, Model, TokenizerFile
from core.published.writing import write_model
from tests.core.codec.test_codec_loading import tiny_document, write_codec
from tests.core.published.small_model import CONFIG, ORIGIN, parameters
from tests.swarms.tiny_run import write_tiny_run


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A model with a tokenizer and a codec."""
    folder = tmp_path_factory.mktemp("files")
    codec = CodecFiles(*write_codec(folder, tiny_document()))
    write_tiny_run(folder / "run")
    return Model(CONFIG, parameters(), ORIGIN, TokenizerFile(folder / "run" / "tokenizer.json"), codec)


@pytest.fixture
def folder(tmp_path: Path, complete: Model) -> Path:
    write_model(tmp_path / "model", complete, model_card)
    return tmp_path / "model"
