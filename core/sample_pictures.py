"""Draws the run's sample prompts between micro-steps, a moment at a time: a round must never wait for pictures."""

import copy
import time
from collections.abc import Callable
from pathlib import Path

from core.codec.vqgan import load_codec
from core.events import Event, Notice, SamplesDrawn
from core.files import resolve_file
from core.generate import Drawing, Sampling
from core.micro_steps import is_out_of_memory
from core.model.transformer import Transformer
from core.pictures import save_sheet
from core.run import RunManifest
from core.text import CaptionTokenizer

_MOMENT_SECONDS = 0.2


class SamplePictures:
    """One sheet of pictures at a time, of the model as it was when the sheet was begun."""

    def __init__(
        self,
        manifest: RunManifest,
        base: Path,
        tokenizer: CaptionTokenizer,
        path: Path | None,
        report: Callable[[Event], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``base`` is the folder of the manifest's files; without a ``path`` to draw to, nothing is drawn."""
        self._manifest, self._base, self._tokenizer = manifest, base, tokenizer
        self._path, self._report, self._clock = path, report, clock
        self._drawing: tuple[int, Drawing] | None = None

    @property
    def unfinished(self) -> bool:
        return self._drawing is not None

    def begin(self, model: Transformer, epoch: int) -> None:
        """Begin a sheet for that epoch, unless one is being drawn."""
        prompts = self._manifest.contact.sample_prompts
        if prompts and self._path is not None and self._drawing is None:
            still = copy.deepcopy(model)  # pictures of one epoch, while training goes on
            sampling = Sampling.of_prompts(self._manifest.training.model.image_vocab)
            self._drawing = epoch, Drawing(still, self._tokenizer.encode(prompts), sampling)

    def draw_on(self) -> None:
        """Some more codes of each picture, for a moment; out of memory, the sheet is given up."""
        assert self._drawing is not None
        epoch, drawing = self._drawing
        until = self._clock() + _MOMENT_SECONDS
        try:
            while not drawing.done and self._clock() < until:
                drawing.step()
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            self._drawing = None
            self._report(Notice("There is too little memory to draw pictures now; training goes on."))
            return
        if drawing.done:
            self._drawing = None
            self._finish(epoch, drawing)

    def _finish(self, epoch: int, drawing: Drawing) -> None:
        assert self._path is not None
        files = self._manifest.training.codec
        codec = load_codec(resolve_file(files.config, self._base), resolve_file(files.weights, self._base))
        save_sheet(codec.decode(drawing.codes().cpu()), self._manifest.contact.sample_prompts, self._path)
        self._report(SamplesDrawn(epoch, self._path))
