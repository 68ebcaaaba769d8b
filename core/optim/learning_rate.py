"""The learning rate of each epoch; it needs no package, so that reports can say it."""


def linear_schedule(epoch: float, *, peak: float, warmup: int, total: int) -> float:
    """Return the learning rate at ``epoch``: linear warm-up to the peak, then linear decay to zero.

    It rises from 0 at epoch 0 to ``peak`` at epoch ``warmup``, falls to 0 at epoch ``total`` and stays there, as in
    transformers' ``get_linear_schedule_with_warmup`` (the paper, section 3.3: 31,250 epochs, the first tenth
    of them warm-up, 2.5e-3).

    Raises:
        ValueError: ``epoch`` is negative, or not 0 <= ``warmup`` <= ``total``.
    """
    if not 0 <= warmup <= total or epoch < 0:
        raise ValueError(
            f"a schedule needs 0 <= warmup <= total and epochs from 0, not {warmup=} {total=} {epoch=}"
        )
    if epoch < warmup:
        return peak * epoch / warmup
    return peak * max(0, total - epoch) / max(1, total - warmup)
