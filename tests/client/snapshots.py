"""A snapshot of a daemon that has something to say about everything."""

from datetime import UTC, datetime, timedelta

from client.api.snapshot import (
    AccountView,
    Activity,
    BudgetView,
    ContributionView,
    GenerationView,
    MembershipView,
    NoticeView,
    ProblemView,
    ProgressView,
    ReachView,
    ReadingView,
    ReasonView,
    RunView,
    SignInView,
    Snapshot,
    StandingView,
    TrainerView,
)

NOW = datetime(2026, 3, 1, 14, 30, tzinfo=UTC)
IDLE = Snapshot(version="0.1.0", pid=1, started=NOW, activity=Activity.OFF, headline="No run was joined.")
FULL = Snapshot(
    version="0.1.0",
    pid=4700,
    started=NOW - timedelta(hours=2),
    activity=Activity.THROTTLED,
    headline="Training for half of the time: you are using the computer",
    reasons=(ReasonView(code="in_use", text="You are using the computer."),),
    snoozed_until=NOW + timedelta(days=1),
    run=RunView(
        name="emoji",
        title="Emoji, a starter set",
        digest="ab",
        fingerprint="abcd",
        folder="/x",
        total_epochs=600,
    ),
    progress=ProgressView(
        epoch=34,
        loss=3.12345,
        samples=10,
        swarm_samples=48,
        target_batch_size=96,
        peers=12,
        samples_per_second=34.5,
        own_samples_per_second=2.1,
        seconds_to_next_epoch=12.0,
    ),
    trainer=TrainerView(
        pid=4711,
        peer_id="12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo",
        plan="With 8 GiB of free GPU memory, 4 training examples are computed at a time and nothing is computed "
        "twice.",
        micro_batch=4,
        gpu_bytes=7_800_000_000,
        ram_bytes=1_900_000_000,
        held_bytes=830_000_000,
        started=NOW,
        restarts=1,
    ),
    reach=ReachView(
        code="outgoing",
        text="Other peers cannot connect to this computer.",
        remedy="Forward TCP port 31330.",
        port=31_330,
        address="11.0.0.7",
    ),
    budget=BudgetView(threads=3, share=0.5, upload=1_000_000, download=None),
    contribution=ContributionView(
        samples_today=1204,
        samples=52_113,
        compute_seconds=11_520,
        epochs=41,
        bytes_sent=1_200_000_000,
        bytes_received=1_100_000_000,
        month_bytes=4_400_000_000,
    ),
    account=AccountView(name="somebody", kept="in the keyring"),
    sign_in=SignInView(
        address="https://huggingface.co/device", code="ABCD-1234", expires=NOW + timedelta(minutes=10)
    ),
    membership=MembershipView(name="somebody", kept="until the client ends", text="Admitted."),
    standing=StandingView(rank=7, of=1_204, samples=52_000, looked=NOW),
    generations=(
        GenerationView(
            id="20260301-143000-ab12cd",
            prompt="red heart",
            count=128,
            progress=0.25,
            text="It is drawn between steps of training.",
        ),
    ),
    gallery="/home/somebody/.local/share/idlebrush/gallery",
    readings=(
        ReadingView(name="last input", value="idle for 12 min", source="X11 screen saver extension"),
        ReadingView(name="battery charge", value="", source="UPower does not answer."),
    ),
    problem=ProblemView(code="disk", what="The disk is nearly full.", remedy="Free some space."),
    notices=(
        NoticeView(time=NOW - timedelta(days=1), text="Memory ran out; training continues with less of it."),
        NoticeView(time=NOW, text="Joined the swarm."),
    ),
)
