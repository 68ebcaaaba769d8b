"""A trainer on a GPU, beside computing: it goes there as planned, keeps little queued, restores its generators."""

import pytest
import torch

from core.memory import plan
from core.memory.machine import CUDA_CONTEXT, Allowance, MachineResources
from core.model.config import ModelConfig
from core.model.gpu import emptiest_gpu
from core.model.micro_steps import MicroSteps
from core.model.techniques import Precision
from core.model.transformer import Transformer
from core.swarm.wire.device_class import DeviceClass
from core.trainer.pace import CudaQueue
from core.trainer.placement import device_class, place
from core.trainer.random_state import capture_random_state, restore_random_state
from tests.core.model.tiny_model import TINY, batch

pytestmark = [pytest.mark.cuda, pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no GPU.")]

WIDE = ModelConfig(dim=256, depth=4, heads=4, text_length=16, text_vocab=1000, grid=8, image_vocab=1024)
ALLOWED = 1 << 30


def test_a_model_goes_where_and_how_it_is_planned_and_keeps_to_its_allowance() -> None:
    free = torch.cuda.mem_get_info()[0]
    machine = MachineResources(64 << 30, free, precisions=(Precision.FLOAT32, Precision.BFLOAT16))
    found, model = plan(WIDE, machine, Allowance(gpu_bytes=ALLOWED)), Transformer(WIDE)
    try:
        place(model, found)
        assert {item.device.type for item in (*model.parameters(), *model.buffers())} == {"cuda"}
        assert model.vocabulary.weight.dtype == torch.bfloat16
        assert device_class(model) is not DeviceClass.CPU
        assert MicroSteps(model, ()).add_gradients(*(item.cuda() for item in batch(WIDE, 1))) > 0
        with pytest.raises(torch.OutOfMemoryError):
            torch.empty(ALLOWED - CUDA_CONTEXT, dtype=torch.uint8, device="cuda")
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)


def test_little_is_queued_and_nothing_is_left_after_draining() -> None:
    queue = CudaQueue(emptiest_gpu())
    given, ends = torch.randn(2048, 2048, device="cuda"), list[torch.cuda.Event]()
    for _ in range(20):
        given = (given @ given).tanh()
        queue.bound()
        ends.append(torch.cuda.Event())
        ends[-1].record()
        if len(ends) > 3:
            assert ends[-4].query(), "what came before the last two is done"
    queue.drain()
    assert ends[-1].query()


def test_what_a_gpu_drew_is_drawn_again() -> None:
    torch.rand(3, device="cuda")
    state = capture_random_state()
    first = torch.rand(3, device="cuda")
    torch.rand(5, device="cuda")
    restore_random_state(state)
    assert torch.equal(torch.rand(3, device="cuda"), first)


def test_a_micro_step_leaves_nothing_to_wait_for() -> None:
    model = Transformer(TINY).cuda()
    MicroSteps(model, ()).add_gradients(*(item.cuda() for item in batch(TINY, 2)))
    assert torch.cuda.current_stream().query()
