"""The processor's name, as each system tells it; macOS by a stand-in for its C library."""

import ctypes
import platform
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.trainer.machines import processor_name

UNKNOWN = platform.processor() or platform.machine()


@pytest.mark.parametrize(
    ("described", "name"),
    [
        (
            "processor\t: 0\nmodel name\t: AMD EPYC 7B13\nflags\t: fpu\n\nmodel name\t: other\n",
            "AMD EPYC 7B13",
        ),
        ("Processor\t: AArch64\n", UNKNOWN),
        (None, UNKNOWN),
    ],
)
def test_linux_describes_it_in_a_file(tmp_path: Path, described: str | None, name: str) -> None:
    path = tmp_path / "cpuinfo"
    if described is not None:
        path.write_text(described)
    assert processor_name(path, system="Linux") == name


@pytest.mark.parametrize("name", ["Apple M2 Pro", "Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz"])
def test_macos_is_asked_for_it(name: str) -> None:
    assert processor_name(system="Darwin", libc=mac_libc(name)) == name


def test_a_macos_that_refuses_leaves_the_architecture() -> None:
    assert processor_name(system="Darwin", libc=mac_libc("", result=-1)) == UNKNOWN


def mac_libc(brand: str, result: int = 0) -> Any:
    def ask(name: bytes, value: int, size: Any, new_value: int | None, new_size: int) -> int:
        assert (name, new_value, new_size) == (b"machdep.cpu.brand_string", None, 0)
        data = brand.encode() + b"\0"
        assert size[0] >= len(data), "too small a buffer is an error"
        if result == 0:
            ctypes.memmove(value, data, len(data))
            size[0] = len(data)
        return result

    size_t = ctypes.c_size_t
    prototype = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(size_t), ctypes.c_void_p, size_t
    )
    return SimpleNamespace(sysctlbyname=prototype(ask))
