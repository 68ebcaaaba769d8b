"""Setting an environment up from a real server: what goes wrong is told in words, and nothing is half installed."""

import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.api.errors import DownloadError, DownloadInterrupted, SetupError
from client.environment.kept_setup import KeptSetup
from client.environment.lock_file import EnvironmentLock, Variant
from client.environment.places import EnvironmentPlaces, EnvironmentRecord, python_of, record_of, write_record
from client.environment.progress import SetupProgress, SetupReporter
from client.environment.smoke_test import SmokeFailure
from client.environment.stages import SetupStage
from client.fetching.control import CapFetch, FetchControl, GoOnFetch, HoldFetch
from client.fetching.part_file import part_of
from core.errors import CoreError
from core.network.pause_token import Ended
from core.swarm.bandwidth import Line
from tests.client.environment.attempt import attempt, prepare
from tests.client.environment.packages import FACTS, GPU, lock_of, make_uv, make_variant, served_at
from tests.client.full_disk import SmallDisk
from tests.client.run_server import Deed, Handler, RunServer, broken_off, missing, other, serving, stalled, to

OLD = EnvironmentRecord(variant="cpu", digest="old", serial=1, why="It was there.", has_made_epoch=True)


@pytest.fixture
def served(tmp_path: Path) -> Path:
    return tmp_path / "served"


@pytest.fixture
def server(served: Path) -> Iterator[RunServer]:
    served.mkdir()
    with serving(served) as server:
        yield server


@pytest.fixture
def variant(served: Path, server: RunServer) -> Variant:
    return served_at(make_variant(served), server.address(""))


@pytest.fixture
def lock(variant: Variant) -> EnvironmentLock:
    return lock_of(variant)


@pytest.fixture
def torch(variant: Variant) -> str:
    """Path of the large wheel on the server."""
    return variant.wheels[0].file.replace("+", "%2B")


@pytest.fixture
def uv(tmp_path: Path) -> Path:
    return make_uv(tmp_path)


@pytest.fixture
def places(tmp_path: Path) -> EnvironmentPlaces:
    """EnvironmentPlaces with an environment in use that has made an epoch."""
    places = EnvironmentPlaces(tmp_path / "environment")
    places.current.mkdir(parents=True)
    write_record(places.current, OLD)
    return places


def hang_up(handler: Handler, data: bytes) -> None:
    handler.close_connection = True


def assert_untouched(places: EnvironmentPlaces) -> None:
    """The old environment is in use, and nothing is half installed beside it."""
    assert record_of(places.current) == OLD
    assert not list(places.root.glob("building-*"))
    assert not places.previous.exists()


def test_progress_is_exact_and_the_old_environment_is_kept_until_an_epoch(
    places: EnvironmentPlaces, lock: EnvironmentLock, variant: Variant, uv: Path
) -> None:
    heard: list[SetupProgress] = []
    state = attempt(places.root, lock, uv, heard.append)
    assert (state.stage, state.variant, state.is_fallback) == (SetupStage.ON_TRIAL, "cpu", False)
    assert state.why == "No GPU of NVIDIA or AMD was found, so the processor trains."
    by_stage = {stage: [p for p in heard if p.stage is stage] for stage in SetupStage}
    fetching, installing = by_stage[SetupStage.FETCHING], by_stage[SetupStage.INSTALLING]
    assert [p.done for p in fetching] == sorted(p.done for p in fetching)
    assert {p.total for p in fetching} == {variant.size}
    assert fetching[-1].done == variant.size
    assert next(p.name for p in fetching if p.done) == "torch 2.13.0+cpu"
    assert {p.total for p in installing} == {variant.unpacked}
    assert installing[-1].done == variant.unpacked
    assert record_of(places.previous) == OLD
    KeptSetup(places).made_epoch()
    assert not places.previous.exists()
    assert KeptSetup(places).state.stage is SetupStage.READY
    assert attempt(places.root, lock, uv).stage is SetupStage.READY, "it is not set up again"


@pytest.mark.parametrize(
    ("deeds", "words"),
    [
        ([other(lambda data: data[:-1] + b"!")] * 2, r"torch 2.13.0\+cpu is not the file that was signed"),
        ([other(lambda data: data[:-100])], "bytes where the listed package has"),
        ([missing], "answered 404 Not Found"),
        (
            [to("http://127.0.0.2/torch.whl")],
            "redirects to 'http://127.0.0.2/torch.whl', which is another server",
        ),
    ],
    ids=["wrong hash", "truncated", "missing", "redirect elsewhere"],
)
def test_a_wrong_file_is_told_in_words_and_the_next_attempt_succeeds(
    deeds: list[Deed],
    words: str,
    places: EnvironmentPlaces,
    lock: EnvironmentLock,
    torch: str,
    server: RunServer,
    uv: Path,
) -> None:
    server.instead(torch, *deeds)
    with pytest.raises(DownloadError, match=words) as caught:
        attempt(places.root, lock, uv)
    assert_untouched(places)
    failure = KeptSetup(places).state.failure
    assert failure is not None
    assert (failure.what, failure.remedy) == (caught.value.what, caught.value.remedy)
    server.deeds.clear()
    assert attempt(places.root, lock, uv).stage is SetupStage.ON_TRIAL


def test_a_connection_that_breaks_again_and_again_is_given_up_for_now_and_resumed_later(
    places: EnvironmentPlaces, lock: EnvironmentLock, torch: str, server: RunServer, uv: Path
) -> None:
    server.instead(torch, broken_off(100_000), *[hang_up] * 3)
    with pytest.raises(DownloadInterrupted, match="cannot be reached") as caught:
        attempt(places.root, lock, uv, attempts=4)
    assert "your connection to the Internet" in caught.value.remedy
    assert_untouched(places)
    server.asked.clear()
    assert attempt(places.root, lock, uv).stage is SetupStage.ON_TRIAL
    assert server.asked[0] == (f"/{torch}", "bytes=100000-")


def test_a_disk_that_is_too_full_is_told_before_anything_is_fetched(
    places: EnvironmentPlaces, lock: EnvironmentLock, server: RunServer, uv: Path
) -> None:
    with pytest.raises(
        SetupError, match=r"training environment needs 51\d MiB on the disk, and 1 MiB are free"
    ):
        attempt(places.root, lock, uv, free=lambda folder: 1 << 20)
    assert server.asked == []
    assert_untouched(places)


def plenty(folder: Path) -> int:
    return 1 << 40


@pytest.mark.parametrize("spare", [100_000, 600_000], ids=["while it is fetched", "while it is installed"])
def test_a_disk_that_fills_up_is_told_and_what_is_here_is_resumed(
    spare: int, small_disk: SmallDisk, lock: EnvironmentLock, variant: Variant, uv: Path
) -> None:
    places = EnvironmentPlaces(small_disk.folder / "environment")
    places.root.mkdir()
    wheel = places.wheel(variant.wheels[0])
    with small_disk.full(spare=spare), pytest.raises(CoreError) as caught:
        attempt(places.root, lock, uv, free=plenty)
    assert re.search("full|No space left|too large", caught.value.what)
    assert "Free some space" in caught.value.remedy
    assert places.usable() is None
    assert not list(places.root.glob("building-*"))
    if small_disk.mounted:
        assert wheel.exists() == (spare > 400_000)
        assert wheel.exists() or part_of(wheel).stat().st_size > 0
    assert attempt(places.root, lock, uv, free=plenty).stage is SetupStage.ON_TRIAL


def test_a_line_that_turns_metered_holds_the_download_until_it_is_no_longer(
    places: EnvironmentPlaces, lock: EnvironmentLock, torch: str, server: RunServer, uv: Path
) -> None:
    server.instead(torch, stalled(after=100_000))
    heard: list[SetupProgress] = []
    is_metered, arrived = threading.Event(), threading.Event()

    def hear(progress: SetupProgress) -> None:
        heard.append(progress)
        if progress.done >= 100_000:
            arrived.set()
        if progress.waiting:
            is_metered.set()

    control = FetchControl(Line(), SetupReporter(hear, every=0.0).on_hold)

    def daemon() -> None:
        assert arrived.wait(20)
        control.obey(HoldFetch(why="The connection is metered."))
        assert is_metered.wait(20)
        asked = len(server.asked)
        assert not threading.Event().wait(0.2)
        assert len(server.asked) == asked, "it went on over the metered line"
        control.obey(GoOnFetch())
        control.obey(CapFetch(download=10**9))

    giving_orders = threading.Thread(target=daemon)
    giving_orders.start()
    state = attempt(places.root, lock, uv, hear, control=control)
    giving_orders.join()
    assert state.stage is SetupStage.ON_TRIAL
    assert "The connection is metered." in {progress.waiting for progress in heard}
    assert heard[-1].waiting == ""
    assert (f"/{torch}", "bytes=100000-") in server.asked


def test_an_attempt_that_is_ended_goes_on_later(
    places: EnvironmentPlaces, lock: EnvironmentLock, torch: str, server: RunServer, uv: Path
) -> None:
    control = FetchControl(Line())

    def hear(progress: SetupProgress) -> None:
        if progress.done >= 100_000:
            control.follow(lambda: None)  # the task's input has ended

    with pytest.raises(Ended):
        attempt(places.root, lock, uv, hear, control=control)
    assert KeptSetup(places).state.stage is SetupStage.FETCHING
    assert_untouched(places)
    assert attempt(places.root, lock, uv).stage is SetupStage.ON_TRIAL


def test_two_processes_never_set_up_at_once(
    places: EnvironmentPlaces, lock: EnvironmentLock, uv: Path
) -> None:
    refused: list[str] = []

    def meanwhile(progress: SetupProgress) -> None:
        for second in (lambda: attempt(places.root, lock, uv), KeptSetup(places).made_epoch):
            with pytest.raises(SetupError) as caught:
                second()
            refused.append(caught.value.what)

    attempt(places.root, lock, uv, meanwhile)
    assert set(refused) == {"The training environment is being set up by another process."}


def test_packages_that_do_not_work_on_the_gpu_are_replaced_by_those_for_the_processor(
    places: EnvironmentPlaces, served: Path, server: RunServer, variant: Variant, uv: Path
) -> None:
    cuda = make_variant(served, "cu13", device="none", gpu="nvidia", driver="580")
    lock = lock_of(served_at(cuda, server.address("")), variant)
    facts = FACTS.__class__("linux", "x86_64", FACTS.python, "2.36", (GPU,))
    state = attempt(places.root, lock, uv, facts=facts)
    assert (state.stage, state.variant, state.is_fallback) == (SetupStage.ON_TRIAL, "cpu", True)
    assert state.why.startswith("The processor trains, because the packages for the GPU do not work here.")
    assert "no kernel image is available" in state.why
    server.asked.clear()
    assert attempt(places.root, lock, uv, facts=facts) == state, "it is tried again at each start"
    assert server.asked == []


@pytest.mark.parametrize(
    ("p2pd", "words"),
    [("raise SystemExit(1)", "the peer-to-peer daemon does not start"), ("print('?')", "does not start")],
)
def test_packages_that_fail_their_test_are_not_put_in_place(
    p2pd: str, words: str, places: EnvironmentPlaces, served: Path, server: RunServer, uv: Path
) -> None:
    lock = lock_of(served_at(make_variant(served, p2pd=p2pd), server.address("")))
    with pytest.raises(SmokeFailure, match=words) as caught:
        attempt(places.root, lock, uv)
    assert "still in use" in caught.value.remedy
    assert_untouched(places)
    assert KeptSetup(places).state.stage is SetupStage.FAILED


def test_a_wheel_that_was_damaged_on_the_disk_is_fetched_again(
    places: EnvironmentPlaces, lock: EnvironmentLock, variant: Variant, uv: Path
) -> None:
    file = places.wheel(variant.wheels[0])
    file.parent.mkdir(parents=True)
    file.write_bytes(b"damaged")
    with pytest.raises(SetupError, match="no longer what was downloaded"):
        attempt(places.root, lock, uv)
    assert_untouched(places)
    assert attempt(places.root, lock, uv).stage is SetupStage.ON_TRIAL


@pytest.mark.parametrize("has_old", [True, False])
def test_an_environment_that_makes_no_epoch_is_taken_back(
    has_old: bool, places: EnvironmentPlaces, tmp_path: Path, lock: EnvironmentLock, uv: Path
) -> None:
    root = places.root if has_old else tmp_path / "empty"
    kept = KeptSetup(EnvironmentPlaces(root))
    attempt(root, lock, uv)
    assert kept.take_back("The trainer did not start.") is has_old
    state = kept.state
    assert state.stage is (SetupStage.READY if has_old else SetupStage.ABSENT)
    assert state.failure is not None
    assert "The trainer did not start." in state.failure.what
    assert record_of(kept.places.current) == (OLD if has_old else None)
    with pytest.raises(SetupError, match="no environment on trial"):
        kept.take_back("The trainer did not start.")


def test_an_update_keeps_what_last_made_an_epoch(
    places: EnvironmentPlaces, served: Path, server: RunServer, lock: EnvironmentLock, uv: Path
) -> None:
    attempt(places.root, lock, uv)  # and it makes no epoch
    other_packages = make_variant(served, "cpu2")
    state = attempt(places.root, lock_of(served_at(other_packages, server.address("")), serial=2), uv)
    assert (state.stage, state.serial) == (SetupStage.ON_TRIAL, 2)
    assert record_of(places.previous) == OLD


def test_a_set_up_is_planned_before_it_is_begun(
    places: EnvironmentPlaces,
    lock: EnvironmentLock,
    variant: Variant,
    torch: str,
    server: RunServer,
    uv: Path,
) -> None:
    plan = prepare(places.root, lock, uv).plan()
    assert (plan.is_needed, plan.download, plan.disk) == (True, variant.size, variant.size + variant.unpacked)
    assert plan.choice.text.startswith("No GPU")
    server.instead(torch, broken_off(100_000), missing)
    with pytest.raises(DownloadError):
        attempt(places.root, lock, uv)
    assert prepare(places.root, lock, uv).plan().download == variant.size - 100_000
    attempt(places.root, lock, uv)
    assert not prepare(places.root, lock, uv).plan().is_needed


def test_the_environment_in_use_is_known_without_the_record_of_its_set_up(
    places: EnvironmentPlaces, lock: EnvironmentLock, variant: Variant, uv: Path
) -> None:
    attempt(places.root, lock, uv)
    before = KeptSetup(places).state
    places.state.write_text("damaged")
    assert KeptSetup(places).state == before


def test_no_trainer_runs_while_folders_are_renamed(
    places: EnvironmentPlaces, lock: EnvironmentLock, uv: Path
) -> None:
    heard: list[SetupProgress] = []
    found: list[tuple[SetupStage, int, EnvironmentRecord | None]] = []

    def await_trainer() -> None:
        found.append((heard[-1].stage, heard[-1].done, record_of(places.current)))

    attempt(places.root, lock, uv, heard.append, await_trainer=await_trainer)
    assert found == [(SetupStage.PLACING, 0, OLD)]


def test_an_environment_of_an_earlier_version_is_placed_with_this_versions_python(
    places: EnvironmentPlaces, lock: EnvironmentLock, uv: Path
) -> None:
    """It was made and tested when Idlebrush was updated, and the earlier version's Python is removed by now."""

    def update() -> None:
        raise Ended

    with pytest.raises(Ended):
        attempt(places.root, lock, uv, await_trainer=update)
    building = places.root / KeptSetup(places).state.building
    python_of(building).unlink()
    python_of(building).symlink_to(places.root / "removed" / "bin" / "python3")
    configuration = building / "pyvenv.cfg"
    lines = configuration.read_text().splitlines()
    moved = [f"home = {places.root}/removed/bin" if line.startswith("home") else line for line in lines]
    configuration.write_text("\n".join(moved) + "\n")
    assert attempt(places.root, lock, uv).stage is SetupStage.ON_TRIAL
    subprocess.run([python_of(places.current), "-I", "-c", "import torch"], check=True)


def test_a_set_up_that_waits_says_why_and_an_order_outlasts_an_outage() -> None:
    heard: list[SetupProgress] = []
    reporter = SetupReporter(heard.append, every=60.0, clock=lambda: 0.0)
    reporter.show(SetupStage.FETCHING, "torch", done=10, total=100)
    reporter.on_outage("The server does not answer.")
    reporter.show(SetupStage.FETCHING, "torch", done=20, total=100)
    reporter.on_outage("The server does not answer.")
    reporter.on_hold("The connection is metered.")
    reporter.show(SetupStage.FETCHING, "torch", done=30, total=100)
    reporter.on_hold("")
    assert [(progress.done, progress.waiting) for progress in heard] == [
        (10, ""),
        (10, "The server does not answer."),
        (20, ""),
        (20, "The server does not answer."),
        (20, "The connection is metered."),
        (30, "The connection is metered."),
        (30, ""),
    ]
