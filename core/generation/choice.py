"""Draws codes from logits by the Gumbel-max trick, with noise that is a function of seed, image, position and code.

Noise that hangs on nothing else makes a picture the same in any batch and on any device, as far as logits are the
same; where they differ in the last bits, as products of another batch size may, the code differs with a probability
of about that difference: drawing from cumulated probabilities would multiply it by the number of candidates.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from core.messages.sampling import Sampling

_GOLDEN = 0x9E3779B97F4A7C15
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_WORD = 2**64 - 1
_FEW = 512
"""Candidates among which a top-p is sought before all are sorted."""


def image_keys(seed: int, images: Sequence[int]) -> Tensor:
    """Return a key for the noise of each image, int64 of shape (images,).

    The keys depend on ``seed`` and on the numbers ``images`` alone.
    """
    base = _mix(seed + _GOLDEN)
    return torch.tensor([_signed(_mix(base + (image + 1) * _GOLDEN)) for image in images])


def choose(logits: Tensor, sampling: Sampling, keys: Tensor, position: int) -> Tensor:
    """Draw a code for each image, int64 of shape (images,).

    Args:
        logits: Logits of the codes, (images, vocabulary).
        sampling: Temperature, top-k and top-p.
        keys: Result of `image_keys`, int64 of shape (images,).
        position: Position of the code in its image, counted row by row.
    """
    scores = logits.float() / sampling.temperature
    scores, codes = _candidates(scores, sampling.top_k, sampling.top_p)
    best = (scores + gumbel_noise(keys, position, codes)).argmax(-1, keepdim=True)
    return codes.gather(-1, best).squeeze(-1)


def gumbel_noise(keys: Tensor, position: int, codes: Tensor) -> Tensor:
    """Return standard Gumbel variables, float64 (images, candidates), by SplitMix64 (Steele et al., 2014).

    Args:
        keys: Result of `image_keys`, int64 of shape (images,).
        position: Position of the codes in their images.
        codes: Candidates, int64 (images, candidates).
    """
    states = _mix_each(keys + _signed((position + 1) * _GOLDEN))
    bits = _mix_each(states[:, None] + (codes + 1) * _signed(_GOLDEN))
    uniform = (_shifted(bits, 12).double() + 0.5) * 2.0**-52  # exact, hence neither 0 nor 1
    return uniform.log_().neg_().log_().neg_()


def _candidates(scores: Tensor, top_k: int | None, top_p: float | None) -> tuple[Tensor, Tensor]:
    """Return candidates' scores and codes, both (images, candidates); a score of -inf excludes a code."""
    codes = torch.arange(scores.shape[-1], device=scores.device).expand(scores.shape)
    if top_k is not None:
        scores, codes = _largest(scores, codes, top_k)
    if top_p is None:
        return scores, codes
    total = scores.logsumexp(-1, keepdim=True)
    if scores.device.type == "cpu":  # elsewhere sorting all is faster than asking
        few = _largest(scores, codes, _FEW)
        if bool((few[0].logsumexp(-1, keepdim=True) - total).exp().min() >= top_p):
            scores, codes = few
    return _nucleus(scores, codes, total, top_p)


def _largest(scores: Tensor, codes: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return the ``count`` largest scores of each row and their codes, in any order."""
    vocabulary = scores.shape[-1]
    if count >= vocabulary:
        return scores, codes
    if scores.device.type == "cpu":  # numpy is ten times as fast here: it vectorises the selection
        chosen = np.argpartition(scores.numpy(), vocabulary - count, axis=-1)[:, vocabulary - count :]
        places = torch.from_numpy(chosen)
    else:
        places = scores.topk(count, dim=-1, sorted=False).indices
    return scores.gather(-1, places), codes.gather(-1, places)


def _nucleus(scores: Tensor, codes: Tensor, total: Tensor, top_p: float) -> tuple[Tensor, Tensor]:
    """Keep the fewest likeliest codes whose probability is at least ``top_p``.

    ``total`` is the log of the sum over all codes, to which probabilities refer.
    """
    scores, order = scores.sort(-1, descending=True)
    probabilities = (scores - total).exp()
    before = probabilities.cumsum(-1) - probabilities
    return scores.masked_fill(before >= top_p, float("-inf")), codes.gather(-1, order)


def _mix(state: int) -> int:
    """Return SplitMix64's output function of any integer."""
    state &= _WORD
    state = (state ^ (state >> 30)) * _FIRST & _WORD
    state = (state ^ (state >> 27)) * _SECOND & _WORD
    return state ^ (state >> 31)


def _mix_each(states: Tensor) -> Tensor:
    """Return SplitMix64's output function of each int64, read as unsigned: products wrap around."""
    states = (states ^ _shifted(states, 30)) * _signed(_FIRST)
    states = (states ^ _shifted(states, 27)) * _signed(_SECOND)
    return states ^ _shifted(states, 31)


def _shifted(words: Tensor, by: int) -> Tensor:
    """Return words shifted to the right as if they were unsigned."""
    return (words >> by) & (_WORD >> by)


def _signed(word: int) -> int:
    word &= _WORD
    return word - 2**64 if word >> 63 else word
