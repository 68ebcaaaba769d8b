"""Makes `docs/first-evening.md` and its pictures: a new user's first evening, minute by minute, from a fresh home.

    make first-evening [OPTIONS="--minutes 15 --language de --theme dark"]

Display, window manager, tray and browser are real (Xvfb, openbox, trayer, Chromium), as are the app and its swarm.
The user presses keys alone, and finds the way as a screen reader says it. All that was started ends with the command.
"""

import argparse
import os
import platform
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from client.api.commands import Quit
from client.api.errors import ClientError
from core.children import processes
from docs.pictures.first_evening import EveningCamera, EveningPicture, FirstEvening, words_of
from gui.wording.languages import ENGLISH, LANGUAGES
from tests.desktops.hands import Hands
from tests.desktops.screen_reader import reading
from tests.desktops.tray_host import TrayDesk, TrayKind, desk
from tests.integration.front_end import begun
from tests.volunteer import ROOT, VolunteerMachine, volunteer_at
from tests.waiting import wait_until

PAGE = ROOT / "docs" / "first-evening.md"
PICTURES = ROOT / "docs" / "pictures" / "first-evening"
MARKS = (2.0, 5.0)
"""Minutes of training after which the run's prompts are looked at, before the last."""
_SEEN = {
    "welcome": (
        "The welcome: what Idlebrush will do and what it will not do, in two lists, with a choice of the language"
        " and a button to begin."
    ),
    "choice": (
        "Four ways to choose a run, the one on this computer chosen. Below it a switch for the swarm, and a card "
        "that says what the run learns and needs."
    ),
    "consent": (
        "A list of what happens: run, RAM, times, download, what others see, how to stop. Below it the box of the"
        " consent, ticked."
    ),
    "now": (
        "The page Now: buttons to pause, snooze and finish, a ring with the progress of the epoch, the speeds, "
        "and the number of peers."
    ),
    "mine": "The page Gallery: a field for the prompt, and a row of four pictures that were drawn for it.",
    "prompts": "A slider through the epochs at the newest one, and twelve pictures with their prompts below them.",
    "leaderboard": (
        "A table of two volunteers with their samples and times, the own row marked, and a curve of the own rank "
        "beside it."
    ),
    "website-first": (
        "The first page of the website: a headline, buttons to join and to watch, and below them epoch, loss, "
        "computers and speed."
    ),
    "website-dashboard": (
        "The dashboard: epoch, samples towards the next one, computers and traffic in four boxes, and the "
        "curve of the loss below."
    ),
    "website-gallery": "The website's gallery: a slider at the newest epoch, and twelve pictures with their prompts.",
}
"""What is to be seen in each picture, for who does not see it: by its name, without a number of minutes."""
_FIRST_MINUTE = 1.0
_END_SECONDS = 30.0
_DESKTOP = "#56616f"
_REAL_TRAINER = {"trainer": "client.trainer"}
_APP = {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "PYTHONPATH": str(ROOT)}


@dataclass(frozen=True)
class EveningOptions:
    """What the command was asked for."""

    minutes: float = 15.0
    """Minutes of training."""
    language: str = ENGLISH
    theme: str = "light"
    """Look of the app and of web pages: ``light`` or ``dark``."""
    is_beside: bool = False
    """True on a machine that is busy: training takes no notice of other programs, and has their priority."""
    page: Path = PAGE
    """File of the page."""
    pictures: Path = PICTURES
    """Folder of the pictures."""

    @classmethod
    def read(cls, words: Sequence[str] | None = None) -> "EveningOptions":
        """Read the options of the command line, or ``words``."""
        parser = argparse.ArgumentParser(
            prog="make first-evening", description="Make docs/first-evening.md and its pictures."
        )
        parser.add_argument("--minutes", type=float, default=15.0, help="minutes of training (15)")
        codes = [language.code for language in LANGUAGES]
        parser.add_argument("--language", choices=codes, default=ENGLISH, help="language of the app (en)")
        parser.add_argument("--theme", choices=("light", "dark"), default="light", help="look (light)")
        parser.add_argument("--beside", action="store_true", help="train beside busy programs as well")
        parser.add_argument("--out", type=Path, help="folder for page and pictures, instead of docs")
        given = parser.parse_args(words)
        if given.minutes < 0:
            parser.error("--minutes must not be negative.")
        out: Path | None = given.out
        page, pictures = (PAGE, PICTURES) if out is None else (out / PAGE.name, out / PICTURES.name)
        return cls(given.minutes, given.language, given.theme, given.beside, page, pictures)

    @property
    def command(self) -> str:
        """The command that makes the page again."""
        words = [f"--minutes {self.minutes:g}"]
        words += [f"--language {self.language}"] * (self.language != ENGLISH)
        words += [f"--theme {self.theme}"] * (self.theme != "light")
        words += ["--beside"] * self.is_beside
        return f'make first-evening OPTIONS="{" ".join(words)}"'


@contextmanager
def at_the_desk(
    options: EveningOptions, home: Path, settings: Mapping[str, str] = _REAL_TRAINER
) -> Iterator[FirstEvening]:
    """Start the app on a desktop of its own, and yield the new user before it.

    Args:
        options: What the command was asked for.
        home: Empty folder for the desktop and for the user, who has nothing yet.
        settings: Settings of a daemon that is started beforehand, as `tests.integration.loopback_daemon` has them.
    """
    with ExitStack() as kept:
        place = kept.enter_context(desk(TrayKind.EMBEDDED, home / "desk"))
        kept.enter_context(place.panel())
        _paint(place, _DESKTOP)
        environment = {**place.environment, **_APP, "LANG": f"{options.language}.UTF-8", "LC_ALL": ""}
        person = kept.enter_context(
            volunteer_at(home / "user", environment=environment, settings=dict(settings))
        )
        kept.callback(end_all, person)
        _prepare(person, options)
        reader = kept.enter_context(reading(environment["DBUS_SESSION_BUS_ADDRESS"]))
        hands = Hands(place, reader)
        camera = EveningCamera(hands, person, options.pictures, options.theme)
        kept.enter_context(begun(person))
        yield FirstEvening(hands, person, camera, words_of(options.language))


def _paint(place: TrayDesk, colour: str) -> None:
    """Give the desktop a colour, which else is black."""
    environment = {**os.environ, **place.environment}
    painting = ["display", "-size", "64x64", "-window", "root", f"xc:{colour}"]
    subprocess.run(painting, check=False, env=environment)  # its exit status is 1, though it has painted


def _prepare(person: VolunteerMachine, options: EveningOptions) -> None:
    """Write the choice of a look, and start a daemon beforehand on a machine that is busy; the app starts it else."""
    person.paths.prepare()
    if options.theme != "light":
        (person.paths.config / "app.ini").write_text(f"[General]\nappearance={options.theme}\n")
    if options.is_beside:
        person.prefer(other_cpu_load="off")
        person.start()


def end_all(person: VolunteerMachine) -> None:
    """End the daemon with its swarm in order, and kill what is left."""
    try:
        person.ask(Quit())
        wait_until(lambda: not person.family(), "", _END_SECONDS, every=0.5)
    except (ClientError, AssertionError):
        for process in person.family():
            processes.kill(process.pid)


def spend(evening: FirstEvening, minutes: float) -> None:
    """Do what the evening consists of, for so many minutes of training."""
    evening.set_up()
    begun_at = time.monotonic()

    def wait_for(minute: float) -> None:
        time.sleep(max(0.0, begun_at + 60 * minute - time.monotonic()))

    marks = [mark for mark in MARKS if mark < minutes]
    wait_for(min(_FIRST_MINUTE, minutes))
    evening.see_now()
    evening.draw()
    for number, mark in enumerate([*marks, minutes]):
        wait_for(mark)
        evening.see_run(mark)
        if number == 0:
            evening.see_leaderboard()
            evening.see_website("first", "dashboard")
    evening.see_website("gallery")


def page(options: EveningOptions, taken: Sequence[EveningPicture], machine: str) -> str:
    """Return the text of the page.

    Args:
        options: What the command was asked for.
        taken: The pictures, in their order.
        machine: The machine in words.
    """
    loads = [picture.load for picture in taken]
    busy = (
        " The machine was busy with other programs: training had their priority, and was not paused by them."
        if options.is_beside
        else ""
    )
    link = os.path.relpath(options.pictures, options.page.parent)
    lines = [
        "# The first evening",
        "",
        "These pictures show what a new user sees, minute by minute. This command took them, from a fresh home:",
        "",
        f"```sh not-executed\n{options.command}\n```",
        "",
        f"It ran on {machine}. The load average of one minute was {min(loads):.1f} to {max(loads):.1f}.{busy}",
        "The user chose to train always, and worked by keys alone. Times count from the start of the app.",
        "The packages for training were installed already; their download is not in these times.",
    ]
    for picture in taken:
        epoch = f", epoch {picture.epoch:,}" if picture.epoch else ""
        lines += [
            "",
            f"## {clock(picture.seconds)}{epoch}",
            "",
            picture.caption,
            "",
            f"![{seen_in(picture.name)}]({link}/{picture.name}.png)",
        ]
    return "\n".join([*lines, ""])


def seen_in(name: str) -> str:
    """Return what is to be seen in the picture of a ``name``, such as ``prompts-2``."""
    return _SEEN[re.sub(r"-[\d.]+$", "", name)]


def clock(seconds: float) -> str:
    """Return a time as minutes and seconds, such as ``2:05``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def machine_in_words() -> str:
    """Return the processor, its cores and the RAM of this machine."""
    memory = psutil.virtual_memory().total / 2**30
    return f"{os.cpu_count()} cores ({_processor()}) with {memory:.0f} GiB of RAM and no GPU"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def main() -> None:
    options = EveningOptions.read()
    with tempfile.TemporaryDirectory(prefix="evening-") as folder:
        made = Path(folder) / options.pictures.name
        made.mkdir()
        with at_the_desk(replace(options, pictures=made), Path(folder) / "home") as evening:
            spend(evening, options.minutes)
        options.pictures.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(options.pictures, ignore_errors=True)
        shutil.move(made, options.pictures)
    options.page.write_text(page(options, evening.camera.taken, machine_in_words()))


if __name__ == "__main__":
    main()
