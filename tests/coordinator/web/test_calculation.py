"""The memory calculator on the web gives what `core.memory` plans, and refuses nonsense in words."""

import pytest
from starlette.testclient import TestClient

from coordinator.web.calculation import CalculatorForm, calculate, models
from core.memory import plan
from core.memory.machine import MachineResources
from core.memory.units import format_size
from core.model.techniques import Precision

_GIB = 1 << 30


@pytest.mark.parametrize("model", ["dalle", "bert-base", "t5-large", "gpt2-large", "gpt-j-6b", "dalle-12b"])
def test_the_page_shows_the_plan_that_a_client_would_make(client: TestClient, model: str) -> None:
    machine = MachineResources(16 * _GIB, 8 * _GIB, 8, (Precision.FLOAT16, Precision.FLOAT32))
    planned = plan(model, machine)
    text = client.get("/calculator", params={"model": model}).text.replace("\u00a0", " ")
    assert ("does not fit" not in text) == planned.fits
    assert planned.reason in text
    assert format_size(planned.taken.gpu) in text


@pytest.mark.parametrize("model", models())
def test_each_technique_of_the_paper_saves_memory_on_the_gpu(model: str) -> None:
    rungs = [step.gpu for step in calculate(CalculatorForm(model=model)).steps]
    assert rungs == sorted(rungs, reverse=True)
    assert rungs[-1] < rungs[0] / 2


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"model": "gpt-9"}, "gpt-9"),
        ({"ram": "many"}, "not an amount"),
        ({"batch": "-1"}, "not a number"),
        ({"batch": "²"}, "not a number"),
        ({"batch": "0"}, "cannot be 0"),
        ({"model": "bert-base", "activations": "reverse"}, "not reversible"),
        ({"model": "gpt2", "length": "4096"}, "positions"),
        ({"shared": "3"}, "shared"),
        ({"offload": "no"}, "In a swarm the optimizer always works on the CPU"),
        ({"optimizer": "16"}, "Choose one of: 8, 32"),
        ({"where": "here"}, "Choose one of: swarm, alone"),
    ],
)
def test_what_makes_no_sense_is_reported_in_words(
    client: TestClient, asked: dict[str, str], words: str
) -> None:
    answer = client.get("/calculator", params=asked)
    assert answer.status_code == 200
    assert words in answer.text


@pytest.mark.parametrize("asked", [{"model": "x" * 41}, {"ram": "9" * 13}])
def test_what_is_too_long_is_not_looked_at(client: TestClient, asked: dict[str, str]) -> None:
    assert client.get("/calculator", params=asked).status_code == 422


@pytest.mark.parametrize("where", ["swarm", "alone"])
@pytest.mark.parametrize("bits", ["8", "32"])
def test_the_optimizer_takes_the_bits_that_were_asked_for(client: TestClient, where: str, bits: str) -> None:
    text = client.get("/calculator", params={"optimizer": bits, "where": where}).text
    assert f"moments in {bits} bits" in text


def test_moments_in_32_bits_take_four_times_the_memory() -> None:
    def moments(bits: str) -> int:
        bars = calculate(CalculatorForm(optimizer=bits)).bars
        return sum(line.bytes for bar in bars for line in bar.lines if "moment" in line.name)

    assert 3.8 < moments("32") / moments("8") <= 4.0


def test_without_a_gpu_everything_lies_in_ram() -> None:
    answer = calculate(CalculatorForm(model="gpt2", gpu="0"))
    assert [bar.place for bar in answer.bars] == ["RAM"]
