"""What pictures are drawn with, from a published model's folder; `core.generation.parts` has the same of a run."""

from core.errors import CoreError
from core.generation.parts import Origin, Parts, Place
from core.published.document import ModelDocument, RunOrigin
from core.published.model_folder import ModelFolder
from core.ranking.ranker import Arrived
from core.text import CaptionTokenizer


def load_published_parts(
    folder: ModelFolder,
    tokenizer: CaptionTokenizer,
    place: Place,
    arrived: Arrived = lambda done, total: None,
) -> Parts:
    """Load all parts but the tokenizer, by which prompts are checked before; CoreError as the folder's own.

    A ranker that cannot be had is done without; ``arrived`` is told of its download.
    """
    model = folder.transformer().requires_grad_(False)
    model.compute_in(place.precision)
    codec = folder.codec().to(place.device)
    ranker, unranked = None, "The model names no ranker."
    try:
        ranker = folder.ranker(tokenizer, device=place.device, arrived=arrived)
    except CoreError as error:
        unranked = str(error)
    origin = _origin(folder.document)
    return Parts(model.to(place.device), tokenizer, codec, ranker, origin, place.room, unranked)


def _origin(document: ModelDocument) -> Origin:
    origin = document.origin
    if isinstance(origin, RunOrigin):
        return Origin(origin.run, origin.epoch, document.parameter_digest)
    return Origin(origin.name, 0, document.parameter_digest)  # a file does not tell how long it was trained
