"""The link by which people join the run that this site is of."""

from coordinator import contact
from coordinator.web.context import WebContext


def join_link(context: WebContext) -> str:
    """For `idlebrush join`; where only invited people are admitted, each needs a link of their own."""
    return contact.join_link(context.manifest, context.settings)
