"""Makes `website-*.png`: the coordinator's website in a real browser, light and dark, at a phone and at a desk.

    .venv/bin/python -m docs.pictures.make_website_pictures [FOLDER]

What it shows is made up: names, numbers, and pictures that `demo.png` lends. With a FOLDER, all pages go there whole.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from coordinator.home import Home
from coordinator.packages.folder import PackageFolder
from coordinator.settings import Settings
from coordinator.web.app import create_app
from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine, PackagesManifest
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.wire.device_class import DeviceClass
from docs.pictures import made_up, palette
from tests.coordinator.web.serving import served
from tests.coordinator.web.sites import (
    LedgerPerson,
    ServedSite,
    add_checkpoint,
    add_epochs,
    add_frames,
    add_people,
    say_now,
    site,
)

_HERE = Path(__file__).parent
_RUN = _HERE.parents[1] / "assets" / "embedded" / "run.toml"
_ADDRESS = "https://train.example.org"
_ENTRY = "/dns4/train.example.org/tcp/31337/p2p/12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo"
_TRAFFIC = 4_000_000
"""Bytes that an epoch of `add_epochs` takes."""
_PAGES = {
    "first": "/",
    "dashboard": "/dashboard",
    "gallery": "/gallery",
    "leaderboard": "/leaderboard",
    "volunteer": "/volunteers/mirela",
    "certificate": "/volunteers/mirela/certificate",
    "calculator": "/calculator",
    "join": "/join",
    "method": "/method",
    "security": "/security",
    "recipe": "/recipe",
    "checkpoints": "/checkpoints",
    "api": "/api",
    "me": "/me",
    "enter": "/me/enter?code=x",
    "missing": "/nothing",
}
_SHOWN = ("first", "dashboard", "gallery", "calculator")
_SIZES = {"phone": (390, 844), "desk": (1440, 900)}
_THEMES = ("light", "dark")


def people() -> list[LedgerPerson]:
    draws = Random(2)
    devices = (DeviceClass.GPU_24, DeviceClass.GPU_16, DeviceClass.GPU_8, DeviceClass.CPU)
    return [
        LedgerPerson(
            name, 106 / (1 + number**0.9), devices[min(3, number // 2 + draws.randint(0, 1))], number == 6
        )
        for number, name in enumerate(made_up.NAMES)
    ]


def write_run(home: Home) -> None:
    """Write the embedded run as one that another person organises, for more computers and longer."""
    embedded = RunManifest.load(_RUN)
    rules = embedded.training
    training = rules.model_copy(
        update={
            "schedule": rules.schedule.model_copy(update={"total_epochs": made_up.TOTAL_EPOCHS}),
            "swarm": rules.swarm.model_copy(update={"target_batch_size": made_up.TARGET_BATCH_SIZE}),
        }
    )
    fields = {"title": made_up.TITLE, "coordinator": _ADDRESS, "initial_peers": (_ENTRY,)}
    home.manifest.parent.mkdir(parents=True)
    contact = embedded.contact.model_copy(update=fields)
    RunManifest.create(training, contact, SigningKey.generate()).save(home.manifest)


def fill(shown: ServedSite) -> None:
    everybody = people()
    add_people(shown, everybody)
    add_epochs(
        shown,
        everybody,
        range(1, made_up.EPOCHS + 1),
        apart=4.0,
        seconds=made_up.SECONDS_OF_EPOCH,
        learning=60.0,
    )
    for epoch in made_up.PICTURED_EPOCHS:
        add_frames(shown, (epoch,), made_up.picture_after(epoch))
    for epoch in range(270, made_up.EPOCHS + 1, 10):
        add_checkpoint(shown, epoch)
    say_now(
        shown,
        made_up.EPOCHS,
        loss=made_up.LOSS,
        training=made_up.TRAINING_PEERS,
        in_step=made_up.TRAINING_PEERS,
        gathered=made_up.GATHERED,
        samples_per_second=made_up.SAMPLES_PER_SECOND,
        seconds_to_next=made_up.SECONDS_TO_NEXT,
        exchanged_bytes=made_up.EPOCHS * _TRAFFIC,
    )


@contextmanager
def address() -> Iterator[str]:
    """Yield the address of a website that has something to show."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(address=_ADDRESS)
        with site(Path(folder) / "home", settings=settings, write_run=write_run) as shown:
            fill(shown)
            context = replace(shown.context, packages=packages(Path(folder)))
            with served(create_app(context)) as found:
                yield found


def packages(folder: Path) -> PackageFolder:
    """Return packages that another site has; their sizes and digests are made up."""
    draws = Random(3)
    kinds = {
        "idlebrush_0.1.0_amd64.deb": PackageKind.DEB,
        "idlebrush-0.1.0-1.x86_64.rpm": PackageKind.RPM,
        "idlebrush-0.1.0-linux-x86_64.tar.xz": PackageKind.TARBALL,
        "idlebrush-0.1.0-windows-x86_64.exe": PackageKind.INSTALLER,
    }
    files = tuple(
        BuiltPackage(
            file=name,
            system=kind.system,
            machine=PackageMachine.X86_64,
            kind=kind,
            size=draws.randint(60_000_000, 80_000_000),
            sha256=draws.randbytes(32).hex(),
            tried=kind is not PackageKind.INSTALLER,
        )
        for name, kind in kinds.items()
    )
    PackagesManifest(version="0.1.0", commit=draws.randbytes(20).hex(), files=files).save(folder)
    return PackageFolder(folder, f"{_ADDRESS}/packages")


def take(browser: Browser, base: str, page: str, size: str, theme: str, file: Path, *, whole: bool) -> None:
    width, height = _SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    tab = context.new_page()
    tab.goto(base + _PAGES[page], wait_until="load")
    tab.wait_for_timeout(2500 if page == "dashboard" else 150)
    tab.screenshot(path=file, full_page=whole)
    context.close()


def montage(files: Sequence[Path], target: Path) -> None:
    """Put pictures side by side."""
    pictures = [Image.open(file) for file in files]
    height = 620
    scaled = [
        one.resize((round(one.width * height / one.height), height), Image.Resampling.LANCZOS)
        for one in pictures
    ]
    sheet = Image.new("RGB", (sum(one.width for one in scaled) + 16 * (len(scaled) - 1), height), "white")
    x = 0
    for one in scaled:
        sheet.paste(one, (x, 0))
        x += one.width + 16
    palette.save(sheet, target)


def main() -> None:
    with address() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        if len(sys.argv) > 1:
            _take_all(browser, base, Path(sys.argv[1]), sys.argv[2:] or list(_PAGES))
        else:
            _take_for_docs(browser, base)
        browser.close()


def _take_all(browser: Browser, base: str, folder: Path, pages: Sequence[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages:
        for size in _SIZES:
            for theme in _THEMES:
                take(browser, base, page, size, theme, folder / f"{page}-{size}-{theme}.png", whole=True)


def _take_for_docs(browser: Browser, base: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for page in _SHOWN:
            kinds = (("desk", "light"), ("phone", "dark"))
            files = [Path(folder) / f"{page}-{size}.png" for size, _ in kinds]
            for file, (size, theme) in zip(files, kinds, strict=True):
                take(browser, base, page, size, theme, file, whole=False)
            montage(files, _HERE / f"website-{page}.png")


if __name__ == "__main__":
    main()
