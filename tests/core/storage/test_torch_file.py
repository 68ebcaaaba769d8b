"""Files of ``torch.save``: tensors come out, nothing in them runs, and no file makes more of itself than it is."""

import random
import struct
import warnings
import zipfile
from pathlib import Path

import pytest
import torch

from core.storage.torch_archive import LARGEST_FILE, LARGEST_PICKLE
from core.storage.torch_file import DEEPEST, MOST_NAMES, read_torch_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state.pt"


def number(value: int) -> bytes:
    """A number in a pickle."""
    return b"\x8a\x08" + struct.pack("<q", value)


def text(value: str) -> bytes:
    return b"X" + struct.pack("<I", len(value)) + value.encode()


def tensor(
    shape: tuple[int, ...], strides: tuple[int, ...], elements: int, offset: int = 0, device: str = "cpu"
) -> bytes:
    """The pickle of {"a": a tensor}, whatever it claims to be."""
    storage = (
        b"("
        + text("storage")
        + b"ctorch\nFloatStorage\n"
        + text("0")
        + text(device)
        + number(elements)
        + b"tQ"
    )
    sides, steps = (b"(" + b"".join(map(number, numbers)) + b"t" for numbers in (shape, strides))
    arguments = storage + number(offset) + sides + steps + b"\x89ccollections\nOrderedDict\n)R"
    return b"\x80\x02}" + text("a") + b"ctorch._utils\n_rebuild_tensor_v2\n(" + arguments + b"tRs."


def write(path: Path, pickled: bytes, method: int = zipfile.ZIP_STORED, extra: bytes = b"") -> None:
    """A file of PyTorch's layout with 16 floats and that pickle."""
    structure = zipfile.ZipInfo("archive/data.pkl")
    structure.compress_type, structure.extra = method, extra
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr(structure, pickled)
        archive.writestr("archive/byteorder", b"little")
        archive.writestr("archive/data/0", bytes(64))
        archive.writestr("archive/version", b"3\n")


def test_tensors_come_out_as_they_went_in_and_shared_ones_stay_shared(path: Path) -> None:
    weight = torch.arange(6.0).view(2, 3)
    torch.save({"a": weight, "b": weight, "half": weight.half()[:, :2], "flags": torch.tensor([True])}, path)
    read = read_torch_file(path)
    assert torch.equal(read["a"], weight)
    assert read["a"].data_ptr() == read["b"].data_ptr()
    assert torch.equal(read["half"], weight.half()[:, :2])
    assert read["flags"].tolist() == [True]


def test_a_module_and_its_parameters_can_be_saved_either_way(path: Path) -> None:
    module = torch.nn.Linear(2, 1)
    torch.save(module.state_dict(), path)
    assert read_torch_file(path).keys() == {"weight", "bias"}
    torch.save(dict(module.named_parameters()), path)
    assert torch.equal(read_torch_file(path)["weight"], module.weight)


@pytest.mark.parametrize("device", ["cpu", "cuda:3"])
def test_the_pickles_made_here_are_read_when_they_are_honest(path: Path, device: str) -> None:
    write(path, tensor((4, 4), (4, 1), 16, device=device))
    assert torch.equal(read_torch_file(path)["a"], torch.zeros(4, 4))


class HostileTensor:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, ("raise SystemExit('the file ran code')",)


def ask_for(module: str, name: str, size: int) -> bytes:
    return b"\x80\x02c" + f"{module}\n{name}\n".encode() + number(size) + b"\x85R."


NEST = b"\x80\x02}" + number(1)
"""The pickle of a dictionary, up to a key that is a number or lies around it."""


@pytest.mark.parametrize(
    ("pickled", "words"),
    [
        (ask_for("os", "_exit", 3), "asks for 'os._exit'"),
        (ask_for("builtins", "bytearray", 1 << 40), "asks for 'builtins.bytearray'"),
        (b"\x80\x04" + b"\x8c\x08builtins\x8c\x09bytearray\x93" + number(1 << 40) + b"\x85R.", "unsafe"),
        (tensor((1 << 31, 4), (4, 1), 16), "damaged"),
        (tensor((1 << 40,), (1,), 1 << 40), "damaged"),
        (tensor((4, 4), (4, 1), 16, offset=1 << 40), "damaged"),
        (tensor((-4, 4), (4, 1), 16), "damaged"),
        (tensor((4, 4), (-4, 1), 16), "damaged"),
        (tensor((4, 4), (4, 1), 16, offset=-8), "damaged"),
        (tensor((4, 4), (4, 1), -16), "damaged"),
        (NEST + b"\x85" * 100 + number(1) + b"s.", "nested too deeply"),
        (NEST + b"q\x00" + b"h\x00\x85q\x00" * 100 + number(1) + b"s.", "nested too deeply"),
        (NEST + b"(" * 100 + b"t" * 100 + number(1) + b"s.", "nested too deeply"),
        (b"\x80\x02" + b"\x8f" * 100 + b".", "not as PyTorch writes it"),
        (b"\x80\x02" + text("0") + b"Q.", "damaged"),
        (b".", "damaged"),
        (b"", "damaged"),
        (b"\x80\x02}}}s.", "damaged"),
        (b"\x80\x02X\xff\xff\xff\xffabc.", "damaged"),
        (b"\xff" * 100, "damaged"),
    ],
)
def test_hostile_structures_are_refused(path: Path, pickled: bytes, words: str) -> None:
    write(path, pickled)
    with pytest.raises(ValueError, match=words):
        read_torch_file(path)


def test_an_object_that_would_run_code_does_not(path: Path) -> None:
    torch.save({"a": torch.zeros(1), "b": HostileTensor()}, path)
    with pytest.raises(ValueError, match="unsafe"):
        read_torch_file(path)


def test_classes_that_may_be_mentioned_are_not_imported(path: Path) -> None:
    write(path, b"\x80\x02}" + b"cno_such_package.module\nClass\n" + number(3) + b"s.")
    with pytest.raises(ValueError, match="unsafe"):
        read_torch_file(path)
    assert list(read_torch_file(path, inert="no_such_package.").values()) == [3]


def test_a_compressed_bomb_is_refused(path: Path) -> None:
    write(path, tensor((4, 4), (4, 1), 16), zipfile.ZIP_DEFLATED)
    with pytest.raises(ValueError, match="compressed"):
        read_torch_file(path)


def test_a_structure_of_many_bytes_is_not_read(path: Path) -> None:
    write(path, bytes(LARGEST_PICKLE + 1))
    with pytest.raises(ValueError, match="structure larger"):
        read_torch_file(path)


def test_a_file_beyond_all_sizes_is_not_opened(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(ValueError, match="larger than the weights"):
        read_torch_file(path)


@pytest.mark.parametrize(
    "content", [b"", b"no file of PyTorch's", b"PK\x05\x06" + bytes(18), b"\x80\x02}q\x00."]
)
def test_what_is_no_file_of_pytorchs_is_reported(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not a PyTorch file"):
        read_torch_file(path)


def test_two_structures_in_one_file_are_refused(path: Path) -> None:
    write(path, tensor((4, 4), (4, 1), 16))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("other/data.pkl", ask_for("builtins", "bytearray", 1 << 40))
    with pytest.raises(ValueError, match="not a PyTorch file"):
        read_torch_file(path)


def test_whatever_bytes_change_the_file_is_read_or_refused_in_words(path: Path) -> None:
    write(path, tensor((4, 4), (4, 1), 16))
    original, draws, refused = path.read_bytes(), random.Random(0), 0
    for _ in range(300):
        changed = bytearray(original)
        for _ in range(draws.choice((1, 1, 2, 5))):
            changed[draws.randrange(len(changed))] = draws.randrange(256)
        path.write_bytes(changed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of protocols that nobody wrote
            try:
                read_torch_file(path)
            except (ValueError, OSError):  # the latter where an entry is said to lie before the file
                refused += 1
    assert 100 < refused < 300


def test_tuples_are_read_as_deep_as_they_may_be(path: Path) -> None:
    write(path, NEST + b"\x85" * DEEPEST + number(1) + b"s.")
    (key,) = read_torch_file(path)
    for _ in range(DEEPEST):
        (key,) = key
    assert key == 1


def test_a_file_that_mentions_countless_classes_is_refused(path: Path) -> None:
    mentioned = (b"cno_such_package\nClass%d\na" % number for number in range(MOST_NAMES + 1))
    write(path, b"\x80\x02]" + b"".join(mentioned) + b".")
    with pytest.raises(ValueError, match="65 things by name"):
        read_torch_file(path, inert="no_such_package.")
