"""Draws the pictures of a request within the memory there is, and ranks them, in short steps."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.errors import CoreError, MemoryPlanError
from core.generation.cache_layout import images_that_fit
from core.generation.drawing import Drawing, guided_text
from core.generation.parts import DrawingParts, precision_of
from core.generation.sublayers import Prefix
from core.messages.pictures import GenerationRequest
from core.model.micro_steps import is_out_of_memory
from core.ranking.ranker import best

MOST_AT_ONCE = 16
"""Most images of a batch, as in the paper; larger batches gain little, and report less often."""
RANKED_AT_ONCE = 16
"""Images that are ranked at once: a fixed number, so that scores do not depend on the memory there is."""
_DRAWING = 0.95
"""Share of a request's progress that is drawing codes; the rest is pixels and ranks."""


class Cancelled(Exception):
    """Ends drawing after the request for pictures was withdrawn."""


@dataclass(frozen=True)
class Picture:
    """A picture that was drawn."""

    number: int
    """Number in its request, from 0; its random draws depend on it."""
    pixels: Tensor
    """Pixels, uint8 (3, height, width)."""
    score: float | None = None
    """Score by the run's ranker, higher is better; None: not ranked."""


@dataclass(frozen=True)
class Pictures:
    """The result of a request."""

    kept: tuple[Picture, ...]
    """Pictures, best first if they were ranked; else all that were drawn, in their order."""
    unranked: str = ""
    """Reason why they have no scores, for people; empty if they have."""


class PictureGeneration:
    """A request that is being drawn: call ``step`` until it is ``done``."""

    def __init__(
        self, request: GenerationRequest, parts: DrawingParts, begin: Callable[..., Drawing] = Drawing
    ) -> None:
        """Prepare to draw the pictures of ``request`` with ``parts``; ``begin`` makes the drawing of a batch.

        Raises TextError for a prompt that the model cannot read, and GenerationError for settings that do not fit it.
        """
        self._request, self._parts, self._begin = request, parts, begin
        prompt, empty = parts.tokenizer.encode_prompt(request.prompt), parts.tokenizer.encode([""])
        self._sampling = request.sampling(parts.model.config.image_vocab, parts.usual_guidance)
        self._tokens = guided_text(prompt, empty, self._sampling)
        self._text = Prefix(parts.model, self._tokens)
        self._batch = images_that_fit(
            parts.model.config,
            _room_for_codes(request, parts),
            MOST_AT_ONCE,
            precision_of(parts.model),
            guided=self._sampling.is_guided,
        )
        self._drawing: Drawing | None = None
        self._undecoded: list[Tensor] = []
        self._pictures: list[Picture] = []
        self._ranked = 0
        self._unranked = "" if parts.ranker else parts.unranked

    @property
    def done(self) -> bool:
        """True if all pictures are drawn, and ranked unless they stay unranked."""
        return self._is_drawn and (self._ranked == self._request.count or bool(self._unranked))

    @property
    def device(self) -> torch.device:
        """Device of the model."""
        return self._parts.model.vocabulary.weight.device

    @property
    def progress(self) -> float:
        """Share of the work that is done, from 0 to 1."""
        if self.done:
            return 1.0
        begun = self._drawing.progress * self._this_batch if self._drawing else 0.0
        drawn = (self._first + begun) / self._request.count
        rest = (len(self._pictures) + self._ranked) / (2 * self._request.count)
        return _DRAWING * drawn + (1 - _DRAWING) * rest

    def step(self) -> None:
        """Take a short step; if memory runs out, halve the batch and draw it again, which changes no picture.

        Raises MemoryPlanError if there is too little memory for a single picture.
        """
        try:
            self._advance()
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        else:
            return
        # Outside the handler, where the error no longer holds the tensors of the failed attempt.
        self._do_with_less()

    def pictures(self) -> Pictures:
        """Return the best pictures that differ, as many as were requested; without ranks, all of them."""
        if self._unranked:
            return Pictures(tuple(self._pictures), self._unranked)
        scores = torch.tensor([picture.score for picture in self._pictures], dtype=torch.float64)
        pixels = [picture.pixels for picture in self._pictures]
        places = best(scores, self._request.best or self._request.count, pixels)
        return Pictures(tuple(self._pictures[place] for place in places))

    @property
    def _first(self) -> int:
        """Number of the first image of this batch."""
        return len(self._pictures) + len(self._undecoded)

    @property
    def _this_batch(self) -> int:
        return min(self._batch, self._request.count - self._first)

    @property
    def _is_drawn(self) -> bool:
        return len(self._pictures) == self._request.count

    def _advance(self) -> None:
        if self._undecoded:
            self._decode()
        elif self._is_drawn:
            self._rank()
        elif self._drawing is None:
            self._drawing = self._begin(
                self._parts.model, self._text, self._sampling, self._first, self._this_batch
            )
        elif self._drawing.done:
            self._undecoded, self._drawing = list(self._drawing.codes().split(1)), None
        else:
            self._drawing.step()

    def _decode(self) -> None:
        """Decode one picture, as a codec takes much memory for each; its pixels do not depend on the batch."""
        image = self._parts.codec.decode(self._undecoded[0])[0]
        self._pictures.append(Picture(len(self._pictures), (image * 255).round().byte().cpu()))
        del self._undecoded[0]

    def _rank(self) -> None:
        assert self._parts.ranker is not None
        places = range(self._ranked, min(self._ranked + RANKED_AT_ONCE, len(self._pictures)))
        images = torch.stack([self._pictures[place].pixels for place in places]).float() / 255
        try:
            scores = self._parts.ranker.scores(self._request.prompt, images).tolist()
        except CoreError as error:
            self._leave_unranked(str(error))
            return
        for place, score in zip(places, scores, strict=True):
            self._pictures[place] = replace(self._pictures[place], score=score)
        self._ranked = places.stop

    def _leave_unranked(self, why: str) -> None:
        self._unranked = why
        self._pictures = [replace(picture, score=None) for picture in self._pictures]

    def _do_with_less(self) -> None:
        """Draw fewer at a time after memory ran out, or, if all are drawn, do without ranks."""
        give_back_memory()
        if self._is_drawn:
            self._leave_unranked("There was too little memory to rank them.")
            return
        if self._undecoded or self._this_batch == 1:
            raise MemoryPlanError(
                "There is too little memory to draw even one picture.",
                "Close other programs that use the GPU or much memory, and ask again.",
            )
        self._drawing, self._batch = None, max(1, self._this_batch // 2)
        if not self._text.done:  # what it was adding to is incomplete
            self._text = Prefix(self._parts.model, self._tokens)


def _room_for_codes(request: GenerationRequest, parts: DrawingParts) -> int:
    """Return the bytes for drawing codes; on the CPU, all pictures take theirs from the same memory."""
    if parts.model.vocabulary.weight.is_cuda:
        return parts.room
    side = parts.model.config.grid * parts.codec.downsampling
    return parts.room - request.count * 3 * side * side


def give_back_memory() -> None:
    """Free the GPU memory that torch keeps for reuse, as the next picture may be far off."""
    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()


def wait_for(device: torch.device) -> None:
    """Wait until ``device``, if it is a GPU, has done its queued work, which may be long."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def generate(
    request: GenerationRequest,
    parts: DrawingParts,
    report: Callable[[float], None] = lambda progress: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Pictures:
    """Draw and rank all pictures of a request.

    Args:
        request: Prompt, number of pictures, and sampling.
        parts: Model, tokenizer, codec and ranker.
        report: Called with the progress, from 0 to 1, after each step.
        cancelled: Returns True to end the drawing; called after each step.

    Raises:
        TextError: the model cannot read the prompt.
        MemoryPlanError: there is too little memory for a single picture.
        Cancelled: ``cancelled`` returned True.
    """
    generation = PictureGeneration(request, parts)
    while not generation.done:
        generation.step()
        if cancelled():
            raise Cancelled
        report(generation.progress)
    return generation.pictures()
