"""Archives of ``torch.save``: what is looked through is what is loaded, and it is as it was written."""

import struct
import zipfile
from pathlib import Path

import pytest
import torch

from core.storage.torch_archive import LARGEST_DIRECTORY
from core.storage.torch_file import read_torch_file
from tests.core.storage.test_torch_file import ask_for, tensor, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state.pt"


HONEST = tensor((4, 4), (4, 1), 16)
LURE = ask_for("builtins", "bytearray", 1 << 20)


@pytest.mark.parametrize("pytorchs_own", [False, True])
def test_what_is_looked_through_is_what_is_loaded(path: Path, pytorchs_own: bool) -> None:
    """Python reads the last of two archives joined in one file, and PyTorch the first."""
    archives = []
    for value, pickled in ((1.0, LURE), (2.0, HONEST)):
        if pytorchs_own:
            torch.save({"a": torch.full((4, 4), value)}, path)
        else:
            write(path, pickled.ljust(len(HONEST)))
        archives.append(path.read_bytes())
    path.write_bytes(b"".join(archives))
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
    with pytest.raises(ValueError, match="unsafe: it has more than one"):
        read_torch_file(path)


@pytest.mark.parametrize("names", [("data.pkl", "DATA.PKL"), ("DATA.PKL", "data.pkl")])
def test_names_that_are_one_to_pytorch_are_refused(path: Path, names: tuple[str, str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, pickled in zip(names, (HONEST, LURE), strict=True):
            archive.writestr(f"archive/{name}", pickled)
    with pytest.raises(ValueError, match="two entries of one name"):
        read_torch_file(path)


def test_a_structure_whose_place_is_given_twice_is_refused(path: Path) -> None:
    write(path, HONEST, extra=struct.pack("<2H3Q", 1, 24, 1, 1, 1))
    with pytest.raises(ValueError, match=r"^is not a PyTorch file$"):
        read_torch_file(path)


def test_a_directory_of_countless_entries_is_not_read(path: Path) -> None:
    size = LARGEST_DIRECTORY + 1
    path.write_bytes(bytes(size) + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0, 0, size, 0, 0))
    with pytest.raises(ValueError, match="more entries than any model"):
        read_torch_file(path)


def test_a_tensor_that_changed_on_its_way_is_noticed(path: Path) -> None:
    torch.save({"a": torch.arange(100.0)}, path)
    written = path.read_bytes()
    place = written.index(torch.arange(100.0).numpy().tobytes()) + 200
    path.write_bytes(written[:place] + bytes([written[place] ^ 1]) + written[place + 1 :])
    with pytest.raises(ValueError, match="'state/data/0' in it is not as it was written"):
        read_torch_file(path)


def test_entries_that_are_one_another_are_refused_unread(path: Path) -> None:
    write(path, HONEST)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("archive/data/1", bytes(1000))
        (large,) = archive.infolist()[-1:]
        for number in range(2, 10):
            again = zipfile.ZipInfo(f"archive/data/{number}")
            again.file_size = again.compress_size = large.file_size
            again.CRC, again.header_offset = large.CRC, large.header_offset
            archive.filelist.append(again)
    with pytest.raises(ValueError, match="claim to be larger than the file"):
        read_torch_file(path)
