"""The control channel's messages: all of them survive the way, and values out of bounds are refused."""

from typing import Any, get_args

import pytest
from pydantic import SecretStr

from client.api.answers import ANSWERS, MAX_ANSWER, DaemonAnswer, Done, Refused, Status
from client.api.board import TeamBoard, TeamBoardRow, TeamQuery
from client.api.commands import (
    CancelGeneration,
    CancelReceipts,
    CancelSignIn,
    ChangeTeam,
    EnterGate,
    Finish,
    ForgetCandidate,
    Generate,
    HideName,
    Join,
    JoinCandidate,
    KeepFrames,
    KeepReceipts,
    Leave,
    LookAtRun,
    MeasureCandidate,
    OpenPage,
    Pause,
    Quit,
    Resume,
    SetPreference,
    SignIn,
    SignOut,
    StopMeasuring,
    TeamAction,
)
from client.api.environment import (
    BeginSetup,
    CancelSetup,
    PauseSetup,
    PlanSetup,
    RestartIntoFirmware,
    RestartWindows,
    ResumeSetup,
    TurnOnWsl,
    UpdateWsl,
)
from client.api.history import (
    MOST_POINTS,
    BadgeView,
    ContributionHistory,
    ContributionRow,
    EpochPoint,
    Period,
    RankPoint,
)
from client.api.questions import (
    GetStatus,
    ShowBoard,
    ShowContribution,
    ShowEpochs,
    ShowPreferences,
    ShowRanks,
    ShowTeams,
    Watch,
)
from client.api.remote.computers import (
    AddComputer,
    ComputerReach,
    ComputerView,
    OrderComputer,
    RemoveComputer,
    ShowComputers,
)
from client.api.remote.control import ClosePairing, OpenPairing, RemoveController
from client.api.requests import REQUESTS, AnyRequest
from client.api.runs import AddRunList, FindRuns, RemoveLocalSwarm, RemoveRunList, SetShare
from client.api.snapshot import NoticeView
from client.api.updates import CheckForUpdate, InstallUpdate, PutOffUpdate, ShowNews
from client.preferences.preferences import Preferences, describe
from client.remote.kept import MOST_COMPUTERS
from client.service.channel.bounded import bounded
from core.messages.lines import LineError, decode, encode
from core.messages.pictures import GenerationRequest
from tests.client.served_control import SNAPSHOT
from tests.client.snapshots import NOW

REQUEST_EXAMPLES: list[AnyRequest] = [
    GetStatus(id=1),
    Watch(id=2**53 - 1),
    Pause(),
    Pause(seconds=900),
    Resume(),
    Finish(),
    Quit(),
    Join(folder="/home/ümlaut/a\nrun"),
    Join(folder="/home/ümlaut/a\nrun", instead=True),
    Leave(),
    Leave(membership=True),
    Leave(run="ab" * 32),
    RemoveLocalSwarm(),
    SetShare(run="ab" * 32, share=0),
    FindRuns(),
    AddRunList(location="https://list.example/runs.json", key="abcd-efgh"),
    RemoveRunList(location="https://list.example/runs.json"),
    LookAtRun(location="idlebrush:join?run=https%3A//example.org/run.toml&key=ab-cd"),
    LookAtRun(location="/home/ümlaut/run.toml", key="ab-cd"),
    MeasureCandidate(),
    MeasureCandidate(seconds=1.5),
    StopMeasuring(),
    JoinCandidate(digest="ab" * 32),
    ForgetCandidate(),
    EnterGate(
        run="ab" * 32,
        coordinator="https://train.example.org",
        gate="cd" * 32,
        flow="browser",
        invitation=SecretStr("x"),
    ),
    ShowBoard(),
    ShowTeams(),
    ShowTeams(query=TeamQuery(since="week", around="絵筆", limit=100)),
    ChangeTeam(action=TeamAction.FOUND, name="絵筆 & Co"),
    ChangeTeam(action=TeamAction.LEAVE),
    ShowContribution(),
    ShowContribution(by=Period.HOUR, periods=2_000, all_runs=True),
    ShowEpochs(points=2),
    ShowRanks(),
    ShowPreferences(),
    OpenPage(),
    KeepReceipts(),
    CancelReceipts(),
    KeepFrames(),
    HideName(hidden=True),
    Generate(wanted=GenerationRequest(prompt="red heart, ümlaut", count=128, best=4, top_p=0.75)),
    CancelGeneration(generation="20260301-143000-ab12cd"),
    SetPreference(name="schedule", value="mon-fri 18:00-08:00"),
    SignIn(),
    SignIn(token=SecretStr("hf_x"), keep="file"),
    CancelSignIn(),
    SignOut(),
    PlanSetup(),
    BeginSetup(),
    PauseSetup(),
    ResumeSetup(),
    CancelSetup(),
    TurnOnWsl(),
    RestartWindows(),
    RestartIntoFirmware(),
    UpdateWsl(),
    CheckForUpdate(),
    InstallUpdate(),
    PutOffUpdate(),
    ShowNews(language="zh_CN"),
    OpenPairing(),
    ClosePairing(),
    RemoveController(name="Laptop"),
    ShowComputers(),
    AddComputer(address="192.168.1.7:47320", code=SecretStr("ABCD-2345"), name="Desktop"),
    RemoveComputer(name="Desktop"),
    OrderComputer(name="Desktop", order=Pause(seconds=900)),
    OrderComputer(name="Desktop", order=SetPreference(name="run-mode", value="always")),
]
MOST = 2**53 - 1
EPOCH = EpochPoint(epoch=MOST, loss=1 / 3e5, samples=MOST, own_samples=MOST, peers=MOST, seconds=1e6 / 3)
TEAM = TeamBoardRow(rank=1, number=MOST, name="絵筆 & Co", samples=MOST, week=MOST, members=MOST)
RANK = RankPoint(time=NOW, rank=MOST, of=MOST)
ROW = ContributionRow(
    start=NOW.replace(tzinfo=None),
    samples=MOST,
    epochs=MOST,
    compute_seconds=1e9 / 3,
    joules=1e12 / 3,
    bytes_sent=MOST,
    bytes_received=MOST,
)
BADGE = BadgeView(code="samples_1000", reached=NOW.date(), progress=1.0)
HISTORY = ContributionHistory(
    by=Period.DAY, rows=(ROW,), total=ROW, streak_days=3, longest_streak_days=4, badges=(BADGE,)
)
NOTICES = tuple(NoticeView(time=NOW, text="x" * 400) for _ in range(1_000))
COMPUTER = ComputerView(
    name="Desktop",
    address="[fd00::7]:47320",
    fingerprint="ab-cd",
    reach=ComputerReach.CONNECTED,
    since=NOW,
    snapshot=SNAPSHOT,
    seen=NOW,
)
LONGEST_COMPUTER = COMPUTER.model_copy(
    update={"snapshot": bounded(SNAPSHOT.model_copy(update={"notices": NOTICES, "headline": "x" * 10_000}))}
)
ANSWER_EXAMPLES: list[DaemonAnswer] = [
    Done(id=1),
    Done(id=2, text="Paused for an hour."),
    Done(id=2, about="20260301-143000-ab12cd"),
    Done(id=2, contribution=HISTORY, epochs=(EPOCH,), ranks=(RANK,), preferences=describe(Preferences())),
    Done(id=2, computers=(COMPUTER,)),
    Done(
        id=2,
        teams=TeamBoard(rows=(TEAM,), total=MOST, own=TEAM, leads=True, offset=MOST),
    ),
    Refused(id=0, code="line", what="What.", remedy="Remedy."),
    Status(id=3, snapshot=SNAPSHOT),
]


@pytest.mark.parametrize("request_", REQUEST_EXAMPLES, ids=repr)
def test_a_request_survives_the_way(request_: AnyRequest) -> None:
    assert decode(encode(request_), REQUESTS) == request_


@pytest.mark.parametrize("answer", ANSWER_EXAMPLES, ids=lambda answer: answer.type)
def test_an_answer_survives_the_way(answer: DaemonAnswer) -> None:
    assert decode(encode(answer), ANSWERS) == answer


@pytest.mark.parametrize(
    "content",
    [
        {"epochs": (EPOCH,) * MOST_POINTS},
        {"ranks": (RANK,) * MOST_POINTS},
        {"computers": (LONGEST_COMPUTER,) * MOST_COMPUTERS},
        {"contribution": HISTORY.model_copy(update={"rows": (ROW,) * MOST_POINTS})},
    ],
    ids=["epochs", "ranks", "computers", "contribution"],
)
def test_the_longest_curve_fits_an_answer(content: dict[str, Any]) -> None:
    answer = Done(id=1, **content)
    assert decode(encode(answer, MAX_ANSWER), ANSWERS, MAX_ANSWER) == answer


def test_every_kind_of_message_is_covered() -> None:
    assert {type(request) for request in REQUEST_EXAMPLES} == set(get_args(AnyRequest))
    assert {type(answer) for answer in ANSWER_EXAMPLES} == set(get_args(DaemonAnswer))


@pytest.mark.parametrize(
    "line",
    [
        b'{"type": "pause", "seconds": 0}',
        b'{"type": "pause", "seconds": 1e999}',
        b'{"type": "pause", "seconds": NaN}',
        b'{"type": "pause", "seconds": 31622401}',
        b'{"type": "status", "id": 9007199254740992}',
        b'{"type": "join"}',
        b'{"type": "join", "folder": "' + b"x" * 4097 + b'"}',
        b'{"type": "sign_in", "keep": "post-it"}',
        b'{"type": "sign_in", "token": "' + b"x" * 4097 + b'"}',
        b'{"type": "enter_gate", "run": "ab", "coordinator": "x", "gate": "cd", "flow": "browser"}',
        b'{"type": "leave", "run": "ab"}',
        b'{"type": "set_share", "run": "' + b"ab" * 32 + b'", "share": -1}',
        b'{"type": "set_share", "run": "' + b"ab" * 32 + b'", "share": 10001}',
        b'{"type": "set_share", "run": "' + b"ab" * 32 + b'", "share": 1.5}',
        b'{"type": "hide_name"}',
        b'{"type": "remove_computer", "name": ""}',
        b'{"type": "order_computer", "name": "x", "order": {"type": "quit"}}',
        b'{"type": "order_computer", "name": "x", "order": {"type": "sign_out"}}',
        b'{"type": "add_computer", "address": "", "code": "ABCD2345"}',
        b'{"type": "change_team", "action": "join"}',
        b'{"type": "change_team", "action": "leave", "name": "Blue"}',
        b'{"type": "change_team", "action": "join", "name": "\\u0007"}',
        b'{"type": "show_teams", "query": {"limit": 101}}',
        b'{"type": "generate"}',
        b'{"type": "generate", "wanted": {"prompt": ""}}',
        b'{"type": "generate", "wanted": {"prompt": "\\u0007 heart"}}',
        b'{"type": "generate", "wanted": {"prompt": "heart", "count": 100000}}',
        b'{"type": "generate", "wanted": {"prompt": "heart", "temperature": NaN}}',
        b'{"type": "resume", "protocol": 2}',
        b'{"type": "resume", "now": true}',
    ],
    ids=lambda line: line[:40].decode(),
)
def test_values_out_of_bounds_are_refused(line: bytes) -> None:
    with pytest.raises(LineError):
        decode(line + b"\n", REQUESTS)
