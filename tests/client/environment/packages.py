"""Tiny wheels that stand in for PyTorch and hivemind, their list, and a program that installs as uv does."""

import base64
import hashlib
import sys
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from client.environment.lock_file import Distribution, EnvironmentLock, Variant, VariantNeeds, Wheel
from client.environment.machine_facts import GpuFacts, MachineFacts
from client.machine.readings import Known

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
FACTS = MachineFacts("linux", "x86_64", PYTHON, "2.36", ())
GPU = GpuFacts("nvidia", "RTX 4070", Known("580.65.06", "test"), Known("8.9", "test"))
LARGE = 400_000
"""Bytes of the largest wheel, at least."""

_TORCH = """
class Matrix:
    def __init__(self, side): self.side = side
    def __matmul__(self, other): return self
    def sum(self): return self.side ** 3

def ones(side, _side, device):
    if device not in ("cpu", "{device}"):
        raise RuntimeError(f"no kernel image is available for execution on {{device}}")
    return Matrix(side)
"""
_P2P = """
import asyncio, pathlib
P2PD = pathlib.Path(__file__).with_name("p2pd.py")

class P2P:
    @classmethod
    async def create(cls, **options):
        import sys
        self = cls()
        self.child = await asyncio.create_subprocess_exec(sys.executable, P2PD, stdout=asyncio.subprocess.PIPE)
        if await self.child.stdout.readline() != b"ready\\n":
            raise RuntimeError("p2pd ended before it was ready")
        return self

    async def shutdown(self):
        self.child.kill()
        await self.child.wait()
"""
_P2PD = "import sys, time\nprint('ready', flush=True)\ntime.sleep(60)\n"
_UV = """#!{python}
'''Installs wheels as `uv pip install` does with these options; one after the other, to be looked at meanwhile.'''
import hashlib, pathlib, sys, time, urllib.parse, zipfile

arguments = sys.argv[1:]
for needed in ("--offline", "--no-index", "--no-deps", "--require-hashes"):
    assert needed in arguments, needed
environment = pathlib.Path(arguments[arguments.index("--python") + 1]).parent.parent
site, = environment.glob("lib/python*/site-packages")
for line in pathlib.Path(arguments[arguments.index("--requirements") + 1]).read_text().splitlines():
    name, _, rest = line.partition(" @ file://")
    address, _, digest = rest.partition(" --hash=sha256:")
    file = pathlib.Path(urllib.parse.unquote(address))
    if hashlib.sha256(file.read_bytes()).hexdigest() != digest:
        sys.exit(f"error: Hash mismatch for `{{name}}`")
    with zipfile.ZipFile(file) as wheel:
        names = [name for name in wheel.namelist() if not name.endswith("RECORD")]
        wheel.extractall(site, names)
        time.sleep({pause})
        wheel.extractall(site)
"""


def make_wheel(folder: Path, package: str, version: str, files: Mapping[str, str | bytes]) -> Wheel:
    """Write a wheel by the standard's rules; its address is its name, to be completed by `with_addresses`."""
    name = f"{package}-{version}-py3-none-any.whl"
    about = f"{package}-{version.replace('-', '_')}.dist-info"
    contents = {path: data.encode() if isinstance(data, str) else data for path, data in files.items()}
    contents[f"{about}/METADATA"] = f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n".encode()
    contents[f"{about}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = "".join(f"{path},sha256={_urlsafe(data)},{len(data)}\n" for path, data in contents.items())
    contents[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / name, "w") as archive:
        for path, data in contents.items():
            archive.writestr(zipfile.ZipInfo(path), data)  # without the time, so that it is always the same
    whole = (folder / name).read_bytes()
    return Wheel(
        package=package,
        version=version,
        file=name,
        size=len(whole),
        unpacked=sum(map(len, contents.values())),
        sha256=hashlib.sha256(whole).hexdigest(),
        addresses=(f"http://127.0.0.1:1/{name}",),
    )


def _urlsafe(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def make_variant(
    folder: Path, name: str = "cpu", device: str = "cpu", p2pd: str = _P2PD, **needs: str
) -> Variant:
    """Write the wheels of a variant whose PyTorch works on ``device``, besides the processor."""
    version = f"2.13.0+{name}"
    weight = hashlib.shake_256(name.encode()).digest(LARGE)
    torch: dict[str, str | bytes] = {"torch/__init__.py": _TORCH.format(device=device), "torch/w": weight}
    hivemind = {"hivemind/__init__.py": "", "hivemind/p2p.py": _P2P, "hivemind/p2pd.py": p2pd}
    wheels = (
        make_wheel(folder, "torch", version, torch),
        make_wheel(folder, "hivemind", "1.1.12", hivemind),
    )
    needs = {"system": "linux", "machine": "x86_64", "python": PYTHON, **needs}
    return Variant(
        name=name,
        title=f"packages for {name}",
        needs=VariantNeeds.model_validate(needs),
        imports=("torch", "hivemind"),
        wheels=wheels,
    )


def served_at(variant: Variant, *bases: str) -> Variant:
    """The variant with addresses below each of the bases."""
    wheels = tuple(
        wheel.model_copy(update={"addresses": tuple(base + wheel.file.replace("+", "%2B") for base in bases)})
        for wheel in variant.wheels
    )
    return variant.model_copy(update={"wheels": wheels})


EXPIRES = datetime(2126, 11, 1, tzinfo=UTC)


def lock_of(
    *variants: Variant,
    serial: int = 1,
    redirects: tuple[str, ...] = (),
    expires: datetime = EXPIRES,
    distributions: tuple[Distribution, ...] = (),
) -> EnvironmentLock:
    return EnvironmentLock(
        serial=serial,
        issued_at=datetime(2026, 11, 1, tzinfo=UTC),
        expires_at=expires,
        redirects=redirects,
        variants=variants,
        distributions=distributions,
    )


def make_uv(folder: Path, pause: float = 0.0) -> Path:
    """Write a program that stands in for uv; ``pause``: seconds before a package's record is written."""
    program = folder / "uv"
    program.write_text(_UV.format(python=sys.executable, pause=pause))
    program.chmod(0o755)
    return program
