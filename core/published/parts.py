"""What pictures are drawn with, from a published model's folder; `core.generation.parts` has the same of a run."""

from core.generation.parts import Origin, Parts, Place
from core.published.document import ModelDocument, RunOrigin
from core.published.model_folder import ModelFolder
from core.text import CaptionTokenizer


def load_published_parts(folder: ModelFolder, tokenizer: CaptionTokenizer, place: Place) -> Parts:
    """Load all parts but the tokenizer, by which prompts are checked before; CoreError as the folder's own."""
    model = folder.transformer().requires_grad_(False)
    model.compute_in(place.precision)
    codec = folder.codec().to(place.device)
    unranked = "A published model names no ranker."
    origin = _origin(folder.document)
    return Parts(model.to(place.device), tokenizer, codec, None, origin, place.room, unranked)


def _origin(document: ModelDocument) -> Origin:
    origin = document.origin
    if isinstance(origin, RunOrigin):
        return Origin(origin.run, origin.epoch, document.parameter_digest)
    return Origin(origin.name, 0, document.parameter_digest)  # a file does not tell how long it was trained
