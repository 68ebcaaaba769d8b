"""What a volunteer agrees to, in plain words: which run, when, what is fetched and sent, and how to stop it."""

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QCoreApplication

from client.api.prospect import ProspectView
from client.api.snapshot import RunView
from gui.first_run.prospect_view import Fact, download, is_alone, seen, traffic
from gui.first_run.times_view import sentences
from gui.wording import amounts
from gui.wording.techniques import plan_sentence

translate = QCoreApplication.translate


def summary(prospect: ProspectView, times: Mapping[str, str], joined: RunView | None) -> Iterator[Fact]:
    """In the order in which it is read; ``joined`` is the run that this one takes the place of."""
    yield Fact("picture", translate("FirstRun", "Run"), prospect.title)
    if joined is not None:
        text = translate("FirstRun", "It takes the place of {title}, which this computer trains now.")
        yield Fact("info", translate("FirstRun", "Instead of"), text.format(title=joined.title))
    if prospect.plan is not None:
        yield Fact("cpu", translate("FirstRun", "This computer"), plan_sentence(prospect.plan))
    yield Fact("clock", translate("FirstRun", "When"), " ".join(sentences(times)))
    yield Fact("download", translate("FirstRun", "Download"), download(prospect))
    if not is_alone(prospect):
        yield Fact("network", translate("FirstRun", "Traffic"), traffic(prospect))
    yield Fact("eye", translate("FirstRun", "Others see"), seen(prospect))
    stop = translate("FirstRun", "Pause it or leave the run whenever you like, from the icon near the clock.")
    yield Fact("pause", translate("FirstRun", "To stop"), stop)


def outcome(prospect: ProspectView, times: Mapping[str, str]) -> Iterator[Fact]:
    """What holds once it was joined."""
    return (
        fact
        for fact in summary(prospect, times, None)
        if fact.label
        in (translate("FirstRun", "Run"), translate("FirstRun", "When"), translate("FirstRun", "To stop"))
    )


def bringing(prospect: ProspectView) -> str:
    """How far the run's files are."""
    if prospect.progress is None:
        return translate("FirstRun", "Preparing to download the run's files…")
    #: {share} is such as "42%", {size} such as "1.2 GB".
    text = translate("FirstRun", "Downloading the run's files: {share}, {size} to go.")
    return text.format(
        share=amounts.percent(prospect.progress), size=amounts.data_size(prospect.download_bytes)
    )
