"""Windows' registry, with a stand-in for Python's winreg, and the processor's name that stands there."""

from pathlib import Path

import pytest

from core.trainer.machines import processor_name
from core.windows_registry import MachineRegistry
from tests.windows_registry import StandInWinreg

PROCESSOR = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
NAME = "AMD Ryzen 7 5800X 8-Core Processor             "
"""Windows fills the name with blanks, as the processor itself does."""


def test_keys_and_values_are_read_and_closed() -> None:
    winreg = StandInWinreg({r"SOFTWARE\Some\One": {"Number": 7}, r"Software\Some\Two\Deep": {}})
    registry = MachineRegistry(winreg)
    assert registry.names_below(r"Software\Some") == ["one", "two"]
    assert registry.value(r"Software\Some\One", "Number") == 7
    assert winreg.open == 0


@pytest.mark.parametrize(
    ("key", "name"), [(PROCESSOR, "Other"), ("HARDWARE\\Other", "Number"), ("HARDWARE\\Denied", "Number")]
)
def test_what_is_not_there_or_denied_is_an_error(key: str, name: str) -> None:
    winreg = StandInWinreg({PROCESSOR: {}, "HARDWARE\\Denied": {"Number": 1}}, denied="HARDWARE\\Denied")
    with pytest.raises(OSError, match=r"cannot find|denied"):
        MachineRegistry(winreg).value(key, name)
    assert winreg.open == 0


def test_another_system_has_no_registry() -> None:
    with pytest.raises(OSError, match="no registry"):
        MachineRegistry().names_below("HARDWARE")


def test_the_processors_name_on_windows_is_that_of_the_registry(tmp_path: Path) -> None:
    registry = MachineRegistry(StandInWinreg({PROCESSOR: {"ProcessorNameString": NAME}}))
    assert processor_name(tmp_path / "missing", registry) == NAME.strip()


def test_linux_describes_its_processors_in_a_file(tmp_path: Path) -> None:
    described = tmp_path / "cpuinfo"
    described.write_text("processor\t: 0\nmodel name\t: Intel(R) Xeon(R) CPU\nmodel name\t: another\n")
    registry = MachineRegistry(StandInWinreg({PROCESSOR: {"ProcessorNameString": NAME}}))
    assert processor_name(described, registry) == "Intel(R) Xeon(R) CPU"


def test_where_nothing_names_the_processor_python_does(tmp_path: Path) -> None:
    assert processor_name(tmp_path / "missing", MachineRegistry(StandInWinreg({PROCESSOR: {}})))
