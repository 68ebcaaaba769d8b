// A slider through the epochs in the place of the list of all sheets.
const player = document.querySelector("[data-player]");
const frames = [...document.querySelectorAll(".frames > .frame")].reverse();

if (player) {
  const slider = player.querySelector("input");
  const label = player.querySelector("output");
  slider.max = String(frames.length - 1);
  slider.value = slider.max;
  const show = () => {
    const chosen = Number(slider.value);
    for (const [index, frame] of frames.entries()) frame.hidden = index !== chosen;
    const { epoch } = frames[chosen].dataset;
    label.textContent = `Epoch ${epoch}`;
    slider.setAttribute("aria-valuetext", `Epoch ${epoch}`);
  };
  slider.addEventListener("input", show);
  let playing = null;
  const button = player.querySelector("button");
  const stop = () => { clearInterval(playing); playing = null; button.textContent = "Play"; };
  button.addEventListener("click", () => {
    if (playing) { stop(); return; }
    if (slider.value === slider.max) slider.value = "0";
    show();
    button.textContent = "Stop";
    playing = setInterval(() => {
      if (slider.value === slider.max) { stop(); return; }
      slider.value = String(Number(slider.value) + 1);
      show();
    }, 450);
  });
  player.hidden = false;
  show();
}
