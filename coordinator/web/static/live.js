// Shows the newest numbers of the run as they come, without asking for the page again.
const formats = {
  whole: new Intl.NumberFormat("en", { maximumFractionDigits: 0 }),
  loss: new Intl.NumberFormat("en", { minimumFractionDigits: 4, maximumFractionDigits: 4 }),
};
const whole = (value) => formats.whole.format(value);
const rate = (value) => (value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : whole(value));
const volume = (bytes) => {
  let value = bytes, power = 0;
  while (value >= 999.5 && power < 5) { value /= 1000; power += 1; }
  return `${Number(value.toPrecision(3))}\u00a0${["B", "kB", "MB", "GB", "TB", "PB"][power]}`;
};
const duration = (seconds) => {
  let left = Math.round(seconds);
  const parts = [];
  for (const [length, unit] of [[86_400, "d"], [3600, "h"], [60, "min"], [1, "s"]]) {
    const count = Math.floor(left / length);
    left %= length;
    if (count || parts.length) parts.push([count, unit]);
  }
  return parts.slice(0, 2).filter(([count]) => count).map((part) => part.join("\u00a0")).join(" ") || "0\u00a0s";
};
const sum = (peers, state) => Object.values(peers).reduce((total, each) => total + each[state], 0);

const shown = {
  epoch: (run) => whole(run.epoch),
  loss: (run) => (run.loss === null ? "–" : formats.loss.format(run.loss)),
  training: (run) => whole(sum(run.peers, "training")),
  in_step: (run) => whole(run.in_step),
  warning: (run) => run.warning ?? "",
  samples_per_second: (run) => rate(run.samples_per_second),
  gathered: (run) => whole(run.round_seconds ? run.gathered : Math.min(run.gathered, run.target)),
  beyond: (run) => (!run.round_seconds && run.gathered > run.target ? `, ${whole(run.gathered - run.target)} more wait for the round` : ""),
  seconds_to_next: (run) => (run.seconds_to_next === null ? "no computer is training" : `about ${duration(run.seconds_to_next)} to go`),
  exchanged_bytes: (run) => volume(run.exchanged_bytes),
};

// What is done of an epoch, and of what: samples, or seconds where the clock ends it.
function epochOf(run) {
  if (!run.round_seconds) return [run.gathered, run.target];
  return [run.round_seconds - (run.seconds_to_next ?? run.round_seconds), run.round_seconds];
}

function countRows(kind, counts) {
  for (const row of document.querySelectorAll(`tr[data-${kind}]`)) {
    const count = counts[row.dataset[kind]] ?? 0;
    row.lastElementChild.textContent = whole(count);
    row.hidden = count === 0;
  }
}

function show(run) {
  for (const element of document.querySelectorAll("[data-live]")) {
    const text = shown[element.dataset.live]?.(run);
    if (text !== undefined && element.textContent !== text) element.textContent = text;
  }
  for (const sign of document.querySelectorAll("[data-warning]")) sign.hidden = !run.warning;
  for (const bar of document.querySelectorAll("progress[data-bar]")) {
    const [value, most] = bar.dataset.bar === "epoch" ? [run.epoch, run.total_epochs] : epochOf(run);
    bar.max = most;
    bar.value = Math.min(value, most);
  }
  for (const row of document.querySelectorAll("tr[data-device]")) {
    const peers = run.peers[row.dataset.device] ?? { training: 0, paused: 0, joining: 0 };
    for (const cell of row.querySelectorAll("[data-state]")) cell.textContent = whole(peers[cell.dataset.state]);
    row.hidden = peers.training + peers.paused + peers.joining === 0;
  }
  countRows("reach", run.reach);
  countRows("wait", run.waiting);
  for (const table of document.querySelectorAll("[data-waits]")) table.hidden = Object.keys(run.waiting).length === 0;
  for (const row of document.querySelectorAll("tr[data-none]")) row.hidden = Object.keys(run.peers).length > 0;
  for (const sign of document.querySelectorAll(".live")) {
    sign.dataset.state = "live";
    sign.textContent = "Live";
  }
  document.dispatchEvent(new CustomEvent("run", { detail: run }));
}

const LOOK_MS = 15_000;
const LONGEST_MS = 600_000;
let events = null;
let again = null;
let pause = 30_000;

function listen() {
  clearTimeout(again);
  events?.close();
  events = new EventSource("/api/events");
  events.addEventListener("status", (event) => {
    pause = 30_000;
    show(JSON.parse(event.data));
  });
  events.addEventListener("error", () => {
    for (const sign of document.querySelectorAll(".live")) {
      sign.dataset.state = "away";
      sign.textContent = "Connecting again";
    }
    // After an answer that is no stream, as while the site is full, browsers give up.
    if (events.readyState !== EventSource.CLOSED) return;
    look(performance.now() + pause * (1 + Math.random()));
    pause = Math.min(2 * pause, LONGEST_MS);
  });
}

// Reads the numbers without a stream, which proxies answer for many readers at once, until a stream is asked for again.
async function look(until) {
  const answer = await fetch("/api/status").catch(() => null);
  if (answer?.ok) show(await answer.json());
  const left = until - performance.now();
  again = left > 0 ? setTimeout(look, Math.min(left, LOOK_MS * (0.5 + Math.random())), until) : setTimeout(listen);
}

listen();
addEventListener("pagehide", () => { clearTimeout(again); events.close(); });
// A page that is shown again from the cache has stopped listening.
addEventListener("pageshow", ({ persisted }) => { if (persisted) listen(); });
