"""All pages of the website, as the app mounts them."""

from coordinator.web.pages import (
    articles,
    calculator,
    checkpoints,
    dashboard,
    first,
    gallery,
    join,
    leaderboard,
    machine,
    own,
    volunteer,
)

ROUTERS = tuple(
    page.router
    for page in (
        first,
        dashboard,
        leaderboard,
        volunteer,
        own,
        gallery,
        join,
        calculator,
        checkpoints,
        articles,
        machine,
    )
)
