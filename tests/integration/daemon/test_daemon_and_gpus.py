"""The daemon on a computer whose GPUs play a recording: games start beside a trainer, and it makes room for them.

That it comes back only after the memory was free for two minutes is a matter of `client.policy.policy` and its tests.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psutil
import pytest

from client.api.commands import Pause, SetPreference
from client.api.snapshot import Activity, Snapshot
from tests.client.machine.recorded_nvml import GIB, GpuProcess, RecordedGpu
from tests.client.stand_ins.trainer import Deed
from tests.desktops.desktop import press_key, virtual_display
from tests.integration.daemon.newcomer import is_stopped
from tests.integration.stand_in_learner import GPU_BYTES, learner_settings
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import AT_ONCE, wait_until

DESKTOP = GpuProcess(900_001, memory=GIB // 2, draws=True)
GAME = GpuProcess(900_002, memory=3 * GIB, draws=True)
"""A game that waits in its menu: it takes memory long before it computes anything."""
GPU_IS_LOST = 15  # NVML_ERROR_GPU_IS_LOST
IDLE_SOON = "3s"


@dataclass
class Computer:
    """A computer, and what its driver reports."""

    person: VolunteerMachine
    recording: Path
    display: str
    gpus: list[RecordedGpu] = field(default_factory=lambda: [RecordedGpu(processes=(DESKTOP,))])

    def record(self, **fails: int) -> None:
        """The driver tells of the GPUs as they are now, or fails so."""
        frame = {"gpus": [asdict(gpu) for gpu in self.gpus], "fails": fails}
        with self.recording.open("a") as file:
            file.write(json.dumps(frame) + "\n")

    def show(self, *processes: GpuProcess, gpu: int = 0, **differing: object) -> None:
        """Show these processes as holding memory of that GPU, besides the desktop's."""
        fields = {**vars(self.gpus[gpu]), **differing, "processes": (DESKTOP, *processes)}
        self.gpus[gpu] = RecordedGpu(**fields)
        self.record()

    def train(self, manifest: Path) -> GpuProcess:
        """Have it train; how the driver shows the trainer."""
        self.record()
        self.person.start()
        self.person.join(manifest)
        self.person.wait_for(Activity.TRAINING)
        return self.shown()

    def shown(self) -> GpuProcess:
        """The trainer, on the GPU that it was given."""
        ours = GpuProcess(self.person.trainer.pid, memory=GPU_BYTES, use=90)
        self.show(ours, gpu=int(_environment(self.person.trainer)["CUDA_VISIBLE_DEVICES"]))
        return ours


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    with virtual_display() as name:
        yield name


@pytest.fixture
def computer(tmp_path: Path, display: str) -> Iterator[Computer]:
    recording = tmp_path / "nvml.jsonl"
    settings = {"environment": {"DISPLAY": display}, "settings": learner_settings(nvml=str(recording))}
    with volunteer_at(tmp_path / "home", **settings) as person:
        person.prefer(idle_minutes=IDLE_SOON, other_cpu_load="off")
        yield Computer(person, recording, display)


def _environment(process: psutil.Process) -> dict[str, str]:
    return process.environ()


def texts(seen: Snapshot) -> list[str]:
    return [reason.text for reason in seen.reasons]


def codes(seen: Snapshot) -> list[str]:
    return [reason.code for reason in seen.reasons]


def is_blind(seen: Snapshot) -> bool:
    """Return true if the driver reports no GPU to the daemon."""
    return any(view.name == "GPUs" and not view.value for view in seen.readings)


@pytest.mark.parametrize("state", ["training", "frozen"])
def test_a_game_that_takes_memory_gets_the_trainers(computer: Computer, manifest: Path, state: str) -> None:
    person, ours = computer.person, computer.train(manifest)
    trainer = person.trainer
    if state == "frozen":
        person.ask(Pause(seconds=3600))
        wait_until(lambda: is_stopped(trainer), "it goes on", AT_ONCE)
    computer.show(ours, GAME)
    wait_until(lambda: not trainer.is_running(), "the trainer stays", AT_ONCE)
    seen = person.wait_for(Activity.PAUSED)
    assert "Another program needs the GPU's memory." in texts(seen)
    if state == "training":
        assert seen.headline == "Paused: another program needs the GPU's memory."
    person.wait_until(lambda seen: seen.trainer is None, "its process is still shown")
    computer.show()
    ended = "Another program needed the GPU's memory a moment ago."
    person.wait_until(lambda seen: ended in texts(seen), "it does not see that the game has ended")
    assert person.look().trainer is None, "it waits whether the game comes back"


def test_a_game_that_is_content_with_the_headroom_gets_the_rest_as_well(
    computer: Computer, manifest: Path
) -> None:
    computer.gpus = [RecordedGpu(total=GPU_BYTES + GIB + GIB // 2, processes=(DESKTOP,))]
    ours = computer.train(manifest)
    trainer = computer.person.trainer
    computer.show(ours, GpuProcess(GAME.pid, memory=GIB - GIB // 8, draws=True))
    wait_until(lambda: not trainer.is_running(), "the trainer stays", AT_ONCE)
    assert codes(computer.person.wait_for(Activity.PAUSED)) == ["gpu_memory_needed"]


def test_a_game_that_computes_has_the_trainer_frozen_while_there_is_room_for_both(
    computer: Computer, manifest: Path
) -> None:
    ours = computer.train(manifest)
    trainer = computer.person.trainer
    computer.show(ours, GpuProcess(GAME.pid, memory=GIB // 4, use=60, draws=True))
    seen = computer.person.wait_for(Activity.PAUSED)
    assert seen.headline == "Paused: other programs use more than 25% of the GPU."
    wait_until(lambda: is_stopped(trainer), "it goes on", AT_ONCE)


def test_a_game_on_another_gpu_is_in_nobodys_way(computer: Computer, manifest: Path) -> None:
    computer.gpus = [
        RecordedGpu(processes=(DESKTOP,)),
        RecordedGpu("NVIDIA GeForce RTX 4090", total=24 * GIB, processes=(DESKTOP,)),
    ]
    computer.train(manifest)
    trainer = computer.person.trainer
    assert _environment(trainer)["CUDA_VISIBLE_DEVICES"] == "1", "the one with most free memory"
    assert _environment(trainer)["GOMP_SPINCOUNT"] == "1000", "its threads leave cores to each other"
    computer.show(GpuProcess(GAME.pid, memory=10 * GIB, use=99, draws=True), gpu=0)
    computer.person.wait_until(
        lambda seen: any(view.name == "GPU 0" and "99 %" in view.value for view in seen.readings),
        "it does not see the game",
    )
    seen = computer.person.look()
    assert (seen.activity, seen.reasons) == (Activity.TRAINING, ())
    assert [(view.index, view.why_unused) for view in seen.gpus] == [(0, "busy"), (1, "")]
    assert computer.person.trainer == trainer


def test_the_gpu_that_is_chosen_trains_and_another_choice_moves_it(
    computer: Computer, manifest: Path
) -> None:
    computer.gpus = [RecordedGpu(processes=(DESKTOP,)), RecordedGpu(total=24 * GIB, processes=(DESKTOP,))]
    computer.person.prefer(idle_minutes=IDLE_SOON, other_cpu_load="off", gpus="0")
    computer.train(manifest)
    trainer = computer.person.trainer
    assert _environment(trainer)["CUDA_VISIBLE_DEVICES"] == "0"
    for choice, visible in (("1", "1"), ("none", "")):
        computer.person.ask(SetPreference(name="gpus", value=choice))
        wait_until(lambda gone=trainer: not gone.is_running(), "it stays where it was")  # type: ignore[misc]
        computer.person.wait_for(Activity.TRAINING)
        trainer = computer.person.trainer
        assert _environment(trainer)["CUDA_VISIBLE_DEVICES"] == visible


def test_a_pause_frees_the_gpu_where_that_is_preferred(computer: Computer, manifest: Path) -> None:
    computer.person.prefer(idle_minutes=IDLE_SOON, other_cpu_load="off", free_gpu_on_pause="on")
    computer.train(manifest)
    trainer = computer.person.trainer
    press_key(computer.display)
    wait_until(lambda: not trainer.is_running(), "the trainer stays", AT_ONCE)
    computer.show()
    computer.person.wait_for(Activity.TRAINING)


def test_a_gpu_that_stays_too_hot_has_it_frozen(computer: Computer, manifest: Path) -> None:
    ours = computer.train(manifest)
    trainer = computer.person.trainer
    computer.show(ours, celsius=90)
    seen = computer.person.wait_for(Activity.PAUSED)
    assert seen.headline == "Paused: the GPU is hotter than 85 °C."
    wait_until(lambda: is_stopped(trainer), "it goes on", AT_ONCE)
    computer.show(celsius=60)
    computer.person.wait_until(
        lambda seen: seen.headline == "Paused: the GPU is cooling down from 85 °C.", "it does not see that"
    )
    assert computer.person.trainer == trainer


def test_a_driver_that_is_lost_for_a_while_makes_a_trainer_no_other(
    computer: Computer, manifest: Path
) -> None:
    computer.person.prefer(
        idle_minutes=IDLE_SOON, other_cpu_load="off", other_gpu_load="off", while_in_use_cpu="50%"
    )
    computer.train(manifest)
    trainer = computer.person.trainer
    computer.record(nvmlDeviceGetMemoryInfo=GPU_IS_LOST)
    computer.person.wait_until(is_blind, "it does not see that the driver is lost")
    press_key(computer.display)
    wait_until(lambda: is_stopped(trainer), "it goes on, as if on the processor", AT_ONCE)


def test_a_gpu_that_turns_up_is_used_from_then_on(computer: Computer, manifest: Path) -> None:
    computer.record(nvmlDeviceGetCount=GPU_IS_LOST)
    computer.person.start()
    computer.person.join(manifest)
    computer.person.wait_for(Activity.TRAINING)
    trainer = computer.person.trainer
    assert _environment(trainer)["CUDA_VISIBLE_DEVICES"] == ""
    computer.record()
    wait_until(lambda: not trainer.is_running(), "it stays on the processor")
    computer.person.wait_for(Activity.TRAINING)
    assert _environment(computer.person.trainer)["CUDA_VISIBLE_DEVICES"] == "0"


def test_a_game_is_seen_that_started_while_the_driver_did_not_answer(
    computer: Computer, manifest: Path
) -> None:
    ours = computer.train(manifest)
    trainer = computer.person.trainer
    computer.record(nvmlDeviceGetMemoryInfo=GPU_IS_LOST)
    paused = computer.person.wait_for(Activity.PAUSED)
    assert paused.headline == "Paused: Idlebrush cannot tell whether other programs use the GPU."
    assert computer.person.trainer == trainer, "it has a chance to go on"
    computer.show(ours, GAME)
    wait_until(lambda: not trainer.is_running(), "the trainer stays", AT_ONCE)
    computer.person.wait_until(
        lambda seen: "gpu_memory_needed" in codes(seen), "it does not say that the game is the reason"
    )


def test_one_that_does_not_listen_holds_no_gpu_while_it_is_waited_for(
    computer: Computer, manifest: Path
) -> None:
    person = computer.person
    person.settings.update(learner_settings(Deed.IGNORE_STOP, nvml=str(computer.recording)))
    computer.train(manifest)
    trainer = person.trainer
    person.ask(SetPreference(name="run-mode", value="never"))
    wait_until(lambda: not trainer.is_running(), "the trainer stays", AT_ONCE)
    assert codes(person.wait_for(Activity.PAUSED)) == ["never"]
