"""Names of files on the Hub are read whole or refused."""

import pytest

from client.api.errors import DownloadError
from client.recipes.hub_file import HubFile, RepoKind

DIGEST = "ab" * 32


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("hf://ada/cats/model.pt", HubFile("ada/cats", "model.pt")),
        ("hf://ada/cats@v1.0/a/b.pt", HubFile("ada/cats", "a/b.pt", "v1.0")),
        ("hf://datasets/ada/cats@main/x.parquet", HubFile("ada/cats", "x.parquet", kind=RepoKind.DATASET)),
        (f"hf://ada/cats/m.pt#sha256={DIGEST}", HubFile("ada/cats", "m.pt", sha256=DIGEST)),
    ],
)
def test_a_name_is_read(text: str, file: HubFile) -> None:
    assert HubFile.parse(text) == file


@pytest.mark.parametrize(
    "text",
    [
        "hf://ada/cats",
        "hf://ada/cats/",
        "hf://ada/cats/../x",
        "hf://ada/../x/y",
        "hf://ada/cats//x",
        "hf://ada/cats@a b/x",
        "hf://ada/cats/x#sha256=12",
        "hf://ada/cats/x#md5=12",
        "https://huggingface.co/ada/cats/x",
        "hf://ada/cats/ünïcode",
    ],
)
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(DownloadError, match="names no file on the Hub"):
        HubFile.parse(text)


def test_a_name_is_written_with_its_commit() -> None:
    file = HubFile.parse(f"hf://datasets/ada/cats/x#sha256={DIGEST}").at("c" * 40)
    assert str(file) == f"hf://datasets/ada/cats@{'c' * 40}/x"
    assert HubFile.parse(str(file)).revision == "c" * 40
