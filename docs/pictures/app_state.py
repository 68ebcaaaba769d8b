"""A volunteer's client as pictures of the app show it: made up, but for the run and the preferences."""

import hashlib
import math
from datetime import UTC, date, datetime, timedelta
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random

from client.api.board import Board, BoardRow
from client.api.candidate import CandidateStage, CandidateView, PlanView
from client.api.gallery import GalleryAlbum, GalleryIndex, TimelapseIndex
from client.api.history import (
    BadgeView,
    ContributionHistory,
    ContributionRow,
    EpochPoint,
    Period,
    RankPoint,
)
from client.api.snapshot import (
    AccountView,
    Activity,
    BudgetView,
    ContributionView,
    MembershipView,
    NoticeView,
    ProgressView,
    ReasonView,
    RunView,
    SignInView,
    Snapshot,
    StandingView,
    TrainerView,
)
from client.contribution.badges import BADGES
from client.joining.traffic import traffic
from core.generation.records import Album, FrameIndex, PictureRecord, TimelapseFrame
from core.messages.pictures import GenerationRequest
from core.run.manifest import RunManifest
from core.storage.files import write_atomically
from docs.pictures import made_up

RUN = RunManifest.load(Path(__file__).parents[2] / "assets" / "embedded" / "run.toml")
PROMPTS = RUN.contact.sample_prompts[:12]
NOW = datetime.now(UTC).replace(minute=40, second=0, microsecond=0)
_ME = "mirela"
_DIGEST = RUN.training_digest


def training(folder: Path) -> Snapshot:
    """Return the snapshot of a peer in the middle of an epoch, one of a dozen."""
    draw_pictures(folder)
    return Snapshot(
        version="0.1.0",
        pid=4700,
        started=NOW - timedelta(hours=5),
        activity=Activity.TRAINING,
        headline="Training",
        run_mode="preferences",
        run=RunView(
            name=RUN.training.name,
            title=made_up.TITLE,
            digest=_DIGEST,
            fingerprint=RUN.fingerprint,
            folder=str(folder),
            sample_prompts=PROMPTS,
            total_epochs=made_up.TOTAL_EPOCHS,
            coordinator="https://train.example.org",
            has_gate=True,
        ),
        progress=ProgressView(
            epoch=made_up.EPOCHS,
            loss=made_up.LOSS,
            samples=1_184,
            swarm_samples=made_up.GATHERED,
            target_batch_size=made_up.TARGET_BATCH_SIZE,
            peers=made_up.TRAINING_PEERS,
            samples_per_second=made_up.SAMPLES_PER_SECOND,
            own_samples_per_second=8.2,
            seconds_to_next_epoch=made_up.SECONDS_TO_NEXT,
        ),
        trainer=TrainerView(
            pid=4711,
            peer_id="12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo",
            plan="With 8 GiB of free GPU memory, 4 training examples are computed at a time and nothing is computed "
            "twice.",
            micro_batch=4,
            gpu_bytes=7_800_000_000,
            ram_bytes=1_900_000_000,
            held_bytes=830_000_000,
            started=NOW - timedelta(hours=2),
            restarts=0,
        ),
        budget=BudgetView(threads=4, share=1.0, upload=None, download=None),
        contribution=ContributionView(
            samples_today=48_230,
            samples=1_204_880,
            compute_seconds=41.5 * 3600,
            epochs=291,
            bytes_sent=18_400_000_000,
            bytes_received=21_900_000_000,
            month_bytes=40_300_000_000,
        ),
        account=AccountView(name=_ME, kept="the system's keyring"),
        membership=MembershipView(name=_ME, kept="the system's keyring", text="Admitted."),
        standing=StandingView(rank=3, of=148, samples=1_204_880, looked=NOW),
        gallery=str(folder / "gallery"),
        timelapse=str(folder / "timelapse"),
        logs=str(folder / "logs"),
        notices=(NoticeView(time=NOW - timedelta(hours=5), text=f"Joined {made_up.TITLE}."),),
    )


def paused(folder: Path) -> Snapshot:
    """Return the snapshot of a pause because the volunteer has come back."""
    return training(folder).model_copy(
        update={
            "activity": Activity.PAUSED,
            "reasons": (
                ReasonView(code="in_use", text="You are using the computer."),
                ReasonView(code="on_battery", text="The computer runs on its battery."),
            ),
        }
    )


def nothing(folder: Path) -> Snapshot:
    """Return the snapshot of the first day."""
    return Snapshot(
        version="0.1.0", pid=4700, started=NOW, activity=Activity.OFF, headline="No run was joined.",
        gallery=str(folder / "none"), logs=str(folder / "logs"), run_mode="preferences",
    )  # fmt: skip


def signing_in(folder: Path) -> Snapshot:
    view = SignInView(
        address="https://huggingface.co/oauth/device", code="PKQR-7M2X", expires=NOW + timedelta(minutes=14)
    )
    return nothing(folder).model_copy(update={"sign_in": view})


def candidate(folder: Path) -> Snapshot:
    """Return a state with a run that was inspected and measured."""
    view = CandidateView(
        location="embedded",
        stage=CandidateStage.READY,
        digest=_DIGEST,
        title=RUN.contact.title,
        description=RUN.contact.description or "",
        fingerprint=RUN.fingerprint,
        is_vouched_for=True,
        parameters=4_150_000,
        target_batch_size=RUN.training.swarm.target_batch_size,
        total_epochs=RUN.training.schedule.total_epochs,
        sample_prompts=PROMPTS,
        download_bytes=11_400_000,
        samples_per_hour=151_000.0,
        traffic=traffic(RUN.training, samples_per_hour=151_000.0),
        plan=PlanView(
            fits=True, device="", techniques=("eight_bit_optimizer",), micro_batch=32, gpu_bytes=0,
            ram_bytes=812 << 20, text="With 6 GiB of free memory, 32 training examples are computed at a time.",
        ),
    )  # fmt: skip
    return nothing(folder).model_copy(
        update={"candidate": view, "account": AccountView(name=_ME, kept="the system's keyring")}
    )


def epochs() -> tuple[EpochPoint, ...]:
    noise = Random(1)
    return tuple(
        EpochPoint(
            epoch=epoch,
            loss=made_up.LOSS + 5.0 * math.exp(-epoch / 60) + noise.gauss(0, 0.03),
            samples=made_up.TARGET_BATCH_SIZE,
            own_samples=1_100,
            peers=made_up.TRAINING_PEERS,
            seconds=made_up.SECONDS_OF_EPOCH,
        )
        for epoch in range(made_up.EPOCHS)
    )


def contribution() -> ContributionHistory:
    noise = Random(4)
    today = datetime.now().replace(hour=0, minute=0, second=0, microsecond=0)
    rows = tuple(
        _row(today - timedelta(days=days), int(noise.gauss(42_000, 14_000)))
        for days in range(27, -1, -1)
        if days not in (16, 17, 22)
    )
    total = sum(row.samples for row in rows)
    reached = ("epochs_1", "epochs_100", "samples_100", "samples_1000", "samples_10000", "samples_100000",
               "samples_1000000", "hours_10", "hours_24", "streak_3", "streak_7", "nights_1")  # fmt: skip
    badges = tuple(
        BadgeView(
            code=badge.code,
            reached=date.today() - timedelta(days=20 - number) if badge.code in reached else None,
            progress=1.0 if badge.code in reached else 0.42,
        )
        for number, badge in enumerate(BADGES)
    )
    return ContributionHistory(
        by=Period.DAY, rows=rows, total=_row(rows[0].start, total), streak_days=16, longest_streak_days=16,
        badges=badges,
    )  # fmt: skip


def _row(start: datetime, samples: int) -> ContributionRow:
    return ContributionRow(
        start=start, samples=max(0, samples), epochs=max(0, samples // 3_700), compute_seconds=samples / 8.2,
        joules=samples / 8.2 * 85.0, bytes_sent=samples * 15_000, bytes_received=samples * 18_000,
    )  # fmt: skip


def board() -> Board:
    names = made_up.NAMES
    rows = tuple(
        BoardRow(
            rank=number, name=names[(number + 7) % len(names)] if number <= len(names) else f"volunteer-{number}",
            samples=int(1_900_000 / number**0.42), compute_seconds=260_000 / number**0.5, hidden=number == 6,
        )
        for number in range(1, 41)
    )  # fmt: skip
    own = next(row for row in rows if row.name == _ME)
    return Board(rows=rows, total=148, own=own)


def ranks() -> tuple[RankPoint, ...]:
    places = (61, 48, 40, 29, 31, 22, 18, 12, 9, 7, 8, 5, 4, 3)
    return tuple(
        RankPoint(time=NOW - timedelta(days=2 * (len(places) - number)), rank=rank, of=148)
        for number, rank in enumerate(places)
    )


def draw_pictures(folder: Path) -> None:
    """Write frames of a time-lapse, two albums and a log, as the client keeps them; once a folder."""
    lapse, gallery, logs = folder / "timelapse", folder / "gallery", folder / "logs"
    if lapse.exists():
        return
    for each in (lapse, gallery, logs):
        each.mkdir(parents=True)
    frames = []
    for epoch in made_up.PICTURED_EPOCHS:
        encoded = _frame(epoch)
        frame = TimelapseFrame(epoch=epoch, sha256=hashlib.sha256(encoded).hexdigest())
        TimelapseIndex.file(lapse, frame).write_bytes(encoded)
        frames.append(frame)
    index = FrameIndex(prompts=PROMPTS, columns=made_up.COLUMNS, frames=tuple(frames))
    write_atomically(lapse / "index.json", index.model_dump_json().encode())
    albums = tuple(_album(gallery, number) for number in range(2))
    write_atomically(gallery / "index.json", GalleryIndex(albums=albums).model_dump_json().encode())
    (logs / "daemon.log").write_text(_LOG)


@cache
def _frame(epoch: int) -> bytes:
    """Return the picture after an epoch as WebP, which takes a while to make."""
    encoded = BytesIO()
    made_up.picture_after(epoch).save(encoded, "webp", quality=92)
    return encoded.getvalue()


def _album(gallery: Path, number: int) -> GalleryAlbum:
    name = f"album-{number}"
    (gallery / name).mkdir()
    records = []
    for place in range(4):
        left, top = (4 * number + place) % made_up.COLUMNS * made_up.TILE, number * made_up.TILE
        picture = made_up.drawn(1.0).crop((left, top, left + made_up.TILE, top + made_up.TILE))
        picture.save(gallery / name / f"picture-{place}.png")
        records.append(PictureRecord(file=f"picture-{place}.png", number=place, score=0.31 - 0.02 * place))
    picture.save(gallery / name / "sheet.png")
    album = Album(
        request=GenerationRequest(prompt=PROMPTS[4 * number], count=16, best=4, seed=7 + number),
        run=RUN.training.name, epoch=made_up.EPOCHS, parameter_digest="0" * 64, pictures=tuple(records),
        sheet="sheet.png",
    )  # fmt: skip
    return GalleryAlbum(id=name, time=NOW - timedelta(hours=number + 1), album=album)


_LOG = """\
2026-11-22T08:02:11.245Z INFO client.daemon: Daemon 0.1.0 started as process 4700.
2026-11-22T08:02:13.020Z INFO client.service.trainer.training: Trainer: joined, starting -> training.
2026-11-22T08:19:40.774Z INFO client.service.deciding: Decision: pause. in_use: You are using the computer.
2026-11-22T08:41:02.118Z INFO client.admission.coordination: The leaderboard cannot be read: No answer in time.
2026-11-22T08:44:31.502Z INFO client.service.deciding: Decision: run. no reason against it.
"""
