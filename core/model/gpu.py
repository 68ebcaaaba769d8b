"""Chooses the GPU on which this process computes."""

import torch


def emptiest_gpu() -> torch.device:
    """Return the GPU with the most free memory, for which the memory plan was made.

    Where there are several, asking initialises CUDA on each of them: a trainer is shown one alone.
    """
    count = torch.cuda.device_count()
    index = max(range(count), key=lambda item: torch.cuda.mem_get_info(item)[0]) if count > 1 else 0
    return torch.device("cuda", index)
