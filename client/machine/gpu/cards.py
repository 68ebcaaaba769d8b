"""Lists the graphics cards that the system knows, whether their drivers run or not: by /sys or Windows' registry."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.windows_registry import RegistryReader

SYS = Path("/sys")
_DISPLAY_CLASS = "0x03"
NVIDIA, AMD = "10de", "1002"
"""Vendors as the PCI bus numbers them."""


@dataclass(frozen=True)
class GraphicsCard:
    vendor: str
    """Number of the vendor: four hexadecimal digits in lower case."""
    name: str = ""
    """Name of the model; empty: not known."""
    memory: int | None = None
    """Memory in bytes; None: not known."""


def kernel_cards(sys: Path = SYS) -> list[GraphicsCard]:
    """List the cards on Linux's PCI bus; `sys`: the folder where the kernel shows its devices."""
    return [_card_in(folder, vendor) for vendor in (NVIDIA, AMD) for folder in _graphics_folders(sys, vendor)]


def nvidia_asleep(sys: Path = SYS) -> bool:
    """Return true if the kernel has powered down every NVIDIA GPU, as laptops do with an unused one."""
    states = [_line(folder / "power/runtime_status") for folder in _graphics_folders(sys, NVIDIA)]
    return bool(states) and set(states) == {"suspended"}


def _card_in(folder: Path, vendor: str) -> GraphicsCard:
    memory = _line(folder / "mem_info_vram_total")
    return GraphicsCard(vendor, _line(folder / "product_name"), int(memory) if memory.isdigit() else None)


def _graphics_folders(sys: Path, vendor: str) -> Iterator[Path]:
    for folder in sorted((sys / "bus/pci/devices").glob("*")):
        if _line(folder / "vendor") == f"0x{vendor}" and _line(folder / "class").startswith(_DISPLAY_CLASS):
            yield folder


def _line(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""


_DISPLAY_ADAPTERS = r"SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}"
"""Key of Windows' class of display adapters: below it, four digits name each adapter that a driver was set up for."""


def registered_cards(registry: RegistryReader) -> list[GraphicsCard]:
    """List the cards whose drivers Windows has set up; tried with a stand-in for the registry only.

    A card that runs by Microsoft's basic driver is registered by its class, not its vendor, and is left out.
    """
    try:
        keys = [name for name in registry.names_below(_DISPLAY_ADAPTERS) if name.isdigit()]
    except OSError:
        return []
    cards = [_registered(registry, rf"{_DISPLAY_ADAPTERS}\{name}") for name in sorted(keys)]
    return [card for card in cards if card is not None]


def _registered(registry: RegistryReader, key: str) -> GraphicsCard | None:
    device = str(_value(registry, key, "MatchingDeviceId") or "").lower()
    _, is_named, rest = device.partition("ven_")
    if not is_named:
        return None
    name = str(_value(registry, key, "DriverDesc") or "")
    return GraphicsCard(rest[:4], name, _size(_value(registry, key, "HardwareInformation.qwMemorySize")))


def _size(value: object) -> int | None:
    """Return the bytes that a driver has entered, as a number or as the bytes of one."""
    if isinstance(value, bytes):
        value = int.from_bytes(value, "little")
    return value if isinstance(value, int) and value > 0 else None


def _value(registry: RegistryReader, key: str, name: str) -> object:
    try:
        return registry.value(key, name)
    except OSError:
        return None


def cards_by(vendor: str, cards: Sequence[GraphicsCard]) -> list[GraphicsCard]:
    """Return the cards of one vendor."""
    return [card for card in cards if card.vendor == vendor]
