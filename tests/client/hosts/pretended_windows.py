"""What the setup of WSL reads of a Windows and asks of it, with a stand-in for wsl.exe."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from client.api.errors import SetupError
from client.hosts.wsl.command import run_wsl
from client.hosts.wsl.facts import FactSources, WindowsFacts, read_windows_facts
from client.hosts.wsl.setup import WslSetupSources
from tests.client.hosts.hosting import StandInWsl

NOT_INSTALLED = (
    "The Windows Subsystem for Linux is not installed. You can install by running 'wsl.exe --install'.\r\n"
)


class NoKeys:
    """A registry in which no restart is pending, unless it has that key."""

    def __init__(self, key: str = "") -> None:
        self.key = key

    def names_below(self, key: str) -> list[str]:
        if self.key and self.key in key:
            return []
        raise FileNotFoundError(key)

    def value(self, key: str, name: str) -> object:
        raise FileNotFoundError(key)


@dataclass
class WslWindows:
    """A computer with Windows on which wsl.exe is the stand-in."""

    wsl: StandInWsl
    disk_free: int = 100 << 30
    booted: float = 1000.0
    agrees: bool = True
    """True if an administrator agrees to turn WSL on; it works then after a restart."""
    may_restart: bool = True
    has_uefi: bool = True
    """True if the firmware offers a restart into its settings."""
    firmware_restarts: int = 0
    start_orders: list[bool] = field(default_factory=list)

    def sources(self, folder: Path) -> WslSetupSources:
        """Return the sources of a setup whose distribution is in ``folder``."""
        return WslSetupSources(
            facts=lambda: self._facts(folder),
            run=run_wsl,
            elevate=self._elevate,
            start_again=self.start_orders.append,
            restart=self._restart,
            boot_time=lambda: self.booted,
            command=self.wsl.command,
        )

    async def _restart(self) -> None:
        if not self.may_restart:
            raise SetupError("Windows does not restart: status 5.", "Restart it from the Start menu.")
        self.restart()

    def restart(self) -> None:
        """Start Windows again."""
        self.booted += 3600.0
        (self.wsl.folder / "refuses").unlink(missing_ok=True)

    async def _facts(self, folder: Path) -> WindowsFacts:
        read = FactSources(
            run_wsl, self.wsl.command, build=lambda: 22631, virtualisation=lambda: True, registry=NoKeys()
        )
        return replace(await read_windows_facts(read, folder), disk_free=self.disk_free)

    async def _elevate(self, program: str, arguments: str) -> bool:
        if program == "shutdown.exe":
            assert arguments == "/r /fw /t 0"
            self.firmware_restarts += self.agrees and self.has_uefi
            return self.agrees and self.has_uefi
        assert arguments == "--install --no-distribution"
        return self.agrees
