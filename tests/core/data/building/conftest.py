"""The codec that the builds of tests encode with."""

from pathlib import Path

import pytest

from core.codec.vqgan import ImageCodec, load_codec
from tests.core.data.tiny_codec import write_codec


@pytest.fixture(scope="module")
def codec_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_codec(tmp_path_factory.mktemp("codec"))


@pytest.fixture(scope="module")
def codec(codec_folder: Path) -> ImageCodec:
    return load_codec(codec_folder / "config.yaml", codec_folder / "vqgan.safetensors")
