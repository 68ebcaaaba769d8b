"""The link by which people join the run that this site is of."""

from coordinator.web.context import WebContext
from core.join_link import JoinLink


def join_link(context: WebContext) -> str:
    """For `idlebrush join`; where only invited people are admitted, each needs a link of their own."""
    address = f"{context.settings.address.rstrip('/')}/run.toml"
    return str(JoinLink(address, context.manifest.fingerprint))
