"""Draws the pictures of a request within the memory there is, and ranks them; step by step, to be done in between."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.errors import CoreError, MemoryPlanError
from core.generation.drawing import Drawing
from core.generation.memory import images_that_fit
from core.generation.parts import Parts, precision_of
from core.generation.prefix import Prefix
from core.generation.request import GenerationRequest
from core.micro_steps import is_out_of_memory
from core.ranking.ranker import best

MOST_AT_ONCE = 16
"""Images of a batch, as in the paper; more than so many gain little, and report less often."""
RANKED_AT_ONCE = 16
"""Always so many, whatever fits a batch, so that scores do not depend on it."""
_DRAWING = 0.95
"""Share of a request's progress that is drawing codes; the rest is pixels and ranks."""


class Cancelled(Exception):
    """Whoever asked for pictures does not want them any more."""


@dataclass(frozen=True)
class Picture:
    """A picture that was drawn."""

    number: int
    """Of the request, from 0: the number that its random draws hang on."""
    pixels: Tensor
    """uint8 (3, height, width)."""
    score: float | None = None
    """By the run's ranker, higher is better; None: not ranked."""


@dataclass(frozen=True)
class Pictures:
    """What came of a request."""

    kept: tuple[Picture, ...]
    """Best first if they were ranked; else all that were drawn, in their order."""
    unranked: str = ""
    """Why they have no scores, for people; empty if they have."""


class Generation:
    """A request on its way: ``step`` until it is ``done``."""

    def __init__(
        self, request: GenerationRequest, parts: Parts, begin: Callable[..., Drawing] = Drawing
    ) -> None:
        """``begin`` makes a batch's drawing. Raises TextError for a prompt that the model cannot read."""
        self._request, self._parts, self._begin = request, parts, begin
        self._tokens = parts.tokenizer.encode_prompt(request.prompt)
        self._text = Prefix(parts.model, self._tokens)
        self._sampling = request.sampling(parts.model.config.image_vocab)
        self._batch = images_that_fit(
            parts.model.config, _room_for_codes(request, parts), MOST_AT_ONCE, precision_of(parts.model)
        )
        self._drawing: Drawing | None = None
        self._undecoded: list[Tensor] = []
        self._pictures: list[Picture] = []
        self._ranked = 0
        self._unranked = "" if parts.ranker else parts.unranked

    @property
    def done(self) -> bool:
        return self._is_drawn and (self._ranked == self._request.count or bool(self._unranked))

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        return self._parts.model.vocabulary.weight.device

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        if self.done:
            return 1.0
        begun = self._drawing.progress * self._this_batch if self._drawing else 0.0
        drawn = (self._first + begun) / self._request.count
        rest = (len(self._pictures) + self._ranked) / (2 * self._request.count)
        return _DRAWING * drawn + (1 - _DRAWING) * rest

    def step(self) -> None:
        """A little further; out of memory, the batch is halved and drawn anew, and no picture changes by it."""
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
        """The best so many as were asked for, or, without ranks, all of them."""
        if self._unranked:
            return Pictures(tuple(self._pictures), self._unranked)
        scores = torch.tensor([picture.score for picture in self._pictures], dtype=torch.float64)
        places = best(scores, self._request.best or self._request.count)
        return Pictures(tuple(self._pictures[place] for place in places))

    @property
    def _first(self) -> int:
        """The first image of this batch."""
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
        """One at a time: its pixels do not depend on the batch, and a codec takes much for each."""
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
        """After memory ran out: draw fewer at a time, or, where all are drawn, do without ranks."""
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


def _room_for_codes(request: GenerationRequest, parts: Parts) -> int:
    """Bytes that are left once all pictures are in memory, if that is the model's."""
    if parts.model.vocabulary.weight.is_cuda:
        return parts.room
    side = parts.model.config.grid * parts.codec.downsampling
    return parts.room - request.count * 3 * side * side


def give_back_memory() -> None:
    """What torch keeps of a GPU for the next picture is given back: there may be none for long."""
    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()


def wait_for(device: torch.device) -> None:
    """Until a GPU has done what it was given: it takes in at once what keeps it busy for long."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def generate(
    request: GenerationRequest,
    parts: Parts,
    report: Callable[[float], None] = lambda progress: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Pictures:
    """Draw and rank all pictures of a request; ``report`` is told of the progress, from 0 to 1.

    Raises:
        TextError: the model cannot read the prompt.
        MemoryPlanError: there is too little memory for a single picture.
        Cancelled: ``cancelled``, which is asked after each code, said so.
    """
    generation = Generation(request, parts)
    while not generation.done:
        generation.step()
        if cancelled():
            raise Cancelled
        report(generation.progress)
    return generation.pictures()
