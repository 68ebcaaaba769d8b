"""Evaluates a model by prompts in this process, with a progress bar, and reports the result."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TaskID
from rich.text import Text

from client.console.drawing import on_download, progress_bar, ranking_of
from client.generation.evaluated_model import EvaluatedSource, find_evaluated, load_evaluated
from client.generation.kept_evaluations import drawings_of, kept_bytes, picture_bytes, require_room
from client.generation.metered_download import MeteredDownload, metered_download
from client.generation.ranker_download import is_downloaded, no_more_than
from client.machine.capacity import read_machine
from client.paths import Paths
from core.evaluation.calibration import calibrate
from core.evaluation.document import PAGE, EvaluatedModel, Evaluation
from core.evaluation.drawings import DrawingFolder
from core.evaluation.evaluate import EvaluatedPrompt, evaluate
from core.evaluation.held_out import HeldOutPair, held_out_pairs, tried
from core.evaluation.index import PictureIndex, build_index
from core.evaluation.page import page_of, page_style
from core.evaluation.prompts import EvaluationPrompt, prompts_in, usual_prompts
from core.evaluation.sorting import ResultKind
from core.evaluation.training_pictures import PictureEncoder, TrainingPictures
from core.evaluation.wording import HEADINGS, accuracy, data_words
from core.evaluation.writing import check_target, write_evaluation
from core.generation.parts import DrawingDevice, DrawingParts
from core.memory.machine import Allowance
from core.memory.units import format_size
from core.messages.pictures import GenerationRequest
from core.run.training.families import picture_rules
from core.text import CaptionTokenizer

_INDEX, _DRAWINGS = "index", "drawings"
"""Folders of what is kept from one evaluation for the next."""


@dataclass(frozen=True)
class EvaluationChoices:
    """The choices of a user for an evaluation."""

    run: Path | None
    """Folder or manifest of the run; None: the joined run, or a demo's."""
    checkpoint: Path | None
    """Folder of the checkpoint or model; None: the run's newest."""
    prompts: Path | None
    """File of the prompts; None: the run's own."""
    out: Path
    drawings: int
    pictures: int
    """Most training pictures that are looked at."""
    seed: int


def run_evaluation(choices: EvaluationChoices, paths: Paths, console: Console) -> Evaluation:
    """Evaluate a model and write the report; CoreError where that cannot be, before much memory is taken."""
    check_target(choices.out.resolve())
    style, source = page_style(), find_evaluated(paths, choices.run, choices.checkpoint)
    held_out = held_out_pairs(source.run.manifest, source.run.base)
    prompts = _prompts(choices, source, held_out)
    tokenizer = source.run.tokenizer()
    for one in prompts:
        tokenizer.encode_prompt(one.prompt)
    with progress_bar(console) as bar:
        steps = _EvaluationSteps(choices, source, paths, console, bar)
        evaluation, pictures = steps.evaluated(prompts, held_out, tokenizer)
    write_evaluation(choices.out, evaluation, pictures, page_of(evaluation, pictures, style))
    return evaluation


def report(evaluation: Evaluation, out: Path, kept: Path) -> Text:
    """Return what was found, and where the report is, in a few lines.

    Args:
        evaluation: What was found.
        out: Folder of the report.
        kept: Folder of what evaluations keep for the next ones.
    """
    lines = []
    for kind in ResultKind:
        results = evaluation.of_kind(kind)
        lines.append(f"{HEADINGS[kind]}: {len(results)}")
        lines += [f"  {result.prompt}" for result in results]
    lines += [data_words(evaluation), accuracy(evaluation)[0], f"The report: {out / PAGE}"]
    size = format_size(kept_bytes(kept))
    return Text("\n".join([*lines, f"Kept for the next evaluations, {size}, which you may remove: {kept}"]))


def _prompts(
    choices: EvaluationChoices, source: EvaluatedSource, held_out: Sequence[HeldOutPair]
) -> list[EvaluationPrompt]:
    captions = [caption for caption, _ in held_out]
    if choices.prompts is not None:
        return prompts_in(choices.prompts, captions)
    return usual_prompts(source.run.manifest.contact.sample_prompts, captions)


@dataclass(frozen=True)
class _EvaluationSteps:
    """The steps of one evaluation, of which each shows its progress."""

    choices: EvaluationChoices
    source: EvaluatedSource
    paths: Paths
    console: Console
    bar: Progress

    def evaluated(
        self,
        prompts: Sequence[EvaluationPrompt],
        held_out: Sequence[HeldOutPair],
        tokenizer: CaptionTokenizer,
    ) -> tuple[Evaluation, dict[str, bytes]]:
        """Return the evaluation and its pictures; what refuses a run comes before the drawing, which takes long."""
        run = self.source.run
        training = TrainingPictures.of_run(run.manifest, run.base, self._notify)
        folder = self.paths.evaluations / training.digest[:32]
        with self._metered() as download:
            parts = self._loaded(tokenizer, download)
            encoder = PictureEncoder.of(parts)
            index = self._index(folder / _INDEX, training, encoder, prompts[0].prompt, download)
        calibration = calibrate(index)
        trial = tried(held_out, index, encoder, calibration.thresholds)
        drawings = drawings_of(folder / _DRAWINGS, parts.origin.parameter_digest)
        drawn = self._drawn(prompts, DrawingFolder(drawings, training.digest), parts, encoder)
        now = datetime.now(UTC).replace(microsecond=0)
        return evaluate(drawn, index, calibration, encoder, self._about(parts), now, trial)

    def _notify(self, text: str) -> None:
        self.console.print(text, markup=False)

    def _metered(self) -> AbstractContextManager[MeteredDownload]:
        """Limit and count the download of the ranker, and of training pictures that are on the Hub."""
        run, manifest = ranking_of(self.source.model)[1], self.source.run.manifest
        is_needed = is_downloaded(manifest.contact.ranking) or bool(picture_rules(manifest.training).data.hub)
        return metered_download(run, self.paths, self.console, is_needed=is_needed)

    def _loaded(self, tokenizer: CaptionTokenizer, download: MeteredDownload) -> DrawingParts:
        task = self.bar.add_task("Loading the model", total=None)
        guided = self.source.model.usual_guidance != 1.0
        place = DrawingDevice.of(self.source.run.config, read_machine(), Allowance(), guided=guided)
        arrived = partial(on_download, self.bar, task, no_more_than(download.allowed))
        parts = load_evaluated(self.source, tokenizer, place, arrived)
        self.bar.remove_task(task)
        return parts

    def _index(
        self,
        folder: Path,
        training: TrainingPictures,
        encoder: PictureEncoder,
        prompt: str,
        download: MeteredDownload,
    ) -> PictureIndex:
        each = picture_bytes(encoder.grid**2, encoder.embedder.embed_texts([prompt]).shape[1])
        require_room(folder, self.choices.pictures * each)
        task = self.bar.add_task("Looking at training pictures", total=float(self.choices.pictures))

        def looked_at(done: int) -> None:
            self.bar.update(task, completed=float(done))
            download.require_quota()

        index = build_index(folder, training, encoder, self.choices.pictures, looked_at)
        self.bar.remove_task(task)
        return index

    def _drawn(
        self,
        prompts: Sequence[EvaluationPrompt],
        drawings: DrawingFolder,
        parts: DrawingParts,
        encoder: PictureEncoder,
    ) -> list[EvaluatedPrompt]:
        task, found = self.bar.add_task("Drawing", total=float(len(prompts))), list[EvaluatedPrompt]()
        for number, one in enumerate(prompts):
            request = GenerationRequest.of(
                prompt=one.prompt, count=self.choices.drawings, seed=self.choices.seed
            )
            kept = drawings.draw(request, parts, encoder, partial(_show_drawing, self.bar, task, number))
            found.append(EvaluatedPrompt(one.prompt, one.is_held_out, kept))
        self.bar.remove_task(task)
        return found

    def _about(self, parts: DrawingParts) -> EvaluatedModel:
        manifest, origin = self.source.run.manifest, parts.origin
        return EvaluatedModel(
            run=origin.run,
            title=origin.title or manifest.contact.title,
            training_digest=manifest.training_digest,
            epoch=origin.epoch,
            parameter_digest=origin.parameter_digest,
            drawings=self.choices.drawings,
            seed=self.choices.seed,
            guidance=parts.usual_guidance,
            ranker=self.source.ranker_name,
        )


def _show_drawing(bar: Progress, task: TaskID, before: int, progress: float) -> None:
    bar.update(task, completed=before + progress)
