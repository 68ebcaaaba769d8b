// Draws the run's curves with uPlot over the drawings that came with the page, and keeps them current.
// Numbers are written as `live.js` does, which comes before.
const curves = [...document.querySelectorAll("[data-curve]")].map((place) => ({ place, plot: null }));
const values = {
  loss: (epoch) => epoch.loss,
  peers: (epoch) => epoch.peers,
  rate: (epoch) => (epoch.seconds > 0 ? epoch.samples / epoch.seconds : null),
  seconds: (epoch) => epoch.seconds,
  bytes: (epoch) => epoch.traffic ?? null,
};
const took = (seconds) => (seconds < 60 ? `${seconds.toFixed(1)}\u00a0s` : duration(seconds));
const written = {
  loss: formats.loss.format,
  peers: whole,
  rate,
  bytes: volume,
  seconds: took,
};
const evenly = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
// Beside an axis, where neighbours differ by a round step.
const beside = { ...written, loss: evenly.format, rate: evenly.format, seconds: duration };
const wholeSteps = Array.from({ length: 24 }, (_, at) => [1, 2, 5][at % 3] * 10 ** Math.floor(at / 3));
const timeSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
const steps = { peers: { incrs: wholeSteps }, seconds: { incrs: timeSteps } };
const fromZero = (_, low, high) => [Math.min(0, low), uPlot.rangeNum(0, high || 1, 0.1, true)[1]];

function colour(name) {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function plot(curve, data) {
  const { curve: kind, colour: pigment, title } = curve.place.dataset;
  const axis = {
    stroke: colour("faint"),
    font: '12px "Instrument Sans", system-ui, sans-serif',
    grid: { stroke: colour("line"), width: 1 },
    ticks: { show: false },
  };
  const options = {
    width: curve.place.clientWidth,
    height: curve.place.classList.contains("tall") ? 336 : 208,
    padding: [10, 18, 0, 0],
    scales: { x: { time: false }, y: kind === "loss" ? {} : { range: fromZero } },
    cursor: { points: { size: 7 } },
    legend: { live: true, markers: { show: false } },
    axes: [
      { ...axis, label: "Epoch", labelSize: 18, labelFont: axis.font, size: 26, gap: 4, incrs: wholeSteps, values: (_, ticks) => ticks.map(whole) },
      { ...axis, size: 62, ...steps[kind], values: (_, ticks) => ticks.map(beside[kind]) },
    ],
    series: [
      { label: "Epoch" },
      {
        label: title,
        stroke: colour(pigment),
        width: 2,
        spanGaps: true,
        points: { show: data[0].length < 40 },
        value: (_, value) => (value === null || value === undefined ? "–" : written[kind](value)),
      },
    ],
  };
  curve.plot?.destroy();
  curve.plot = new uPlot(options, data, curve.place);
  curve.plot.root.ariaHidden = "true";
}

let epochs = [];
let newest = null;

function draw(redraw) {
  if (epochs.length < 2) return;
  for (const curve of curves) {
    const data = [epochs.map((epoch) => epoch.epoch), epochs.map(values[curve.place.dataset.curve])];
    if (curve.plot && !redraw) curve.plot.setData(data);
    else plot(curve, data);
  }
}

// The epoch is in the address so that a proxy, which keeps an answer for some seconds, has another one for each.
async function load() {
  const answer = await fetch(`/api/history?points=500${newest ? `&at=${newest}` : ""}`);
  if (!answer.ok) return;
  epochs = (await answer.json()).epochs;
  draw(false);
  tabulate();
}

function tabulate() {
  const body = document.querySelector("[data-epochs] tbody");
  if (!body || !epochs.length) return;
  const rows = epochs.slice(-10).reverse().map((epoch) => {
    const row = document.createElement("tr");
    const texts = [epoch.epoch, epoch.loss === null ? "–" : written.loss(epoch.loss), whole(epoch.samples), whole(epoch.peers), took(epoch.seconds)];
    for (const [index, text] of texts.entries()) {
      const cell = document.createElement(index ? "td" : "th");
      if (index) cell.className = index === 4 ? "right wide-only" : "right";
      else cell.scope = "row";
      cell.textContent = text;
      row.append(cell);
    }
    return row;
  });
  body.replaceChildren(...rows);
}

let waiting = null;
let since = performance.now();
document.addEventListener("run", ({ detail }) => {
  const at = `${detail.generation}/${detail.epoch}`;
  if (at === newest || waiting) return;
  // Everybody hears of an epoch in the same seconds: the curves are fetched within a quarter of the time it took.
  const spread = newest === null ? 0 : Math.min((performance.now() - since) / 4, 30_000);
  [newest, since] = [at, performance.now()];
  waiting = setTimeout(() => { waiting = null; load(); }, spread * Math.random());
});
addEventListener("themechange", () => draw(true));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(true));
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === width) return;
  width = innerWidth;
  for (const { place, plot: drawn } of curves) drawn?.setSize({ width: place.clientWidth, height: drawn.height });
});
load();
