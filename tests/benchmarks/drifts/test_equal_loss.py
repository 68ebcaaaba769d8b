"""Rows of the comparison at equal loss: each is compared with float32 gradients of as many peers."""

from benchmarks.drifts.equal_loss import CASES, with_ratios


def test_each_row_is_measured_after_the_one_that_it_is_compared_with() -> None:
    names = list(CASES)
    for place, case in enumerate(CASES.values()):
        assert (CASES[case.reference].peers, CASES[case.reference].run) == (case.peers, case.run)
        assert names.index(case.reference) <= place


def test_losses_are_compared_at_equal_samples() -> None:
    def row(name: str, *losses: float) -> dict[str, object]:
        by_samples = dict(zip(("960", "5760"), losses, strict=True))
        return {"case": name, "compared_with": CASES[name].reference, "loss_by_samples": by_samples}

    alone, compared, other = with_ratios(
        [
            row("m2-gradients-float32", 4.0, 2.0),
            row("m2-local5-top512b2", 5.0, 2.02),
            row("m4-local5-top512b2", 5.0, 2.0),
        ]
    )
    assert alone["relative_loss"] == 1
    assert compared["relative_by_samples"] == {"960": 1.25, "5760": 1.01}
    assert compared["relative_loss"] == 1.01
    assert other["relative_loss"] is None, "its reference is not measured yet"
