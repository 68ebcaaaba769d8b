"""What a child inherits of the environment: no secret of the person's."""

import pytest

from core.children.spawning import environment_without_secrets


@pytest.mark.parametrize("name", ["HF_TOKEN", "DATABASE_URL", "WANDB_API_KEY", "IDLEBRUSH_PASS"])
def test_a_child_inherits_no_secret(name: str) -> None:
    assert environment_without_secrets({name: "secret", "PATH": "/bin"}) == {"PATH": "/bin"}
