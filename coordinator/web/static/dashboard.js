// Draws the run's curves with uPlot in the place of the drawings that came with the page, and keeps them current.
const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const shortly = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const curves = [...document.querySelectorAll("[data-curve]")].map((place) => ({ place, plot: null }));
const values = {
  loss: (epoch) => epoch.loss,
  peers: (epoch) => epoch.peers,
  rate: (epoch) => (epoch.seconds > 0 ? epoch.samples / epoch.seconds : null),
  seconds: (epoch) => epoch.seconds,
  bytes: (epoch) => epoch.traffic ?? null,
};
const written = {
  loss: (value) => value.toFixed(value < 10 ? 2 : 1),
  peers: (value) => number.format(value),
  rate: (value) => (value < 10 ? value.toFixed(2) : shortly.format(value)),
  bytes: (value) => `${shortly.format(value)}B`,
  seconds: (value) => `${number.format(value)} s`,
};

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
    scales: { x: { time: false } },
    cursor: { points: { size: 7 } },
    legend: { live: true, markers: { show: false } },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? number.format(tick) : "")) },
      { ...axis, size: 58, values: (_, ticks) => ticks.map((tick) => written[kind](tick)) },
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
  curve.place.replaceChildren();
  curve.plot = new uPlot(options, data, curve.place);
}

let epochs = [];
let newest = null;

function draw(anew) {
  if (epochs.length < 2) return;
  for (const curve of curves) {
    const data = [epochs.map((epoch) => epoch.epoch), epochs.map(values[curve.place.dataset.curve])];
    if (curve.plot && !anew) curve.plot.setData(data);
    else plot(curve, data);
  }
}

async function load() {
  const answer = await fetch("/api/history?points=500");
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
    const texts = [epoch.epoch, epoch.loss === null ? "–" : epoch.loss.toFixed(4), number.format(epoch.samples), epoch.peers, `${epoch.seconds.toFixed(1)} s`];
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
