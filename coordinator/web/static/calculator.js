// Asks for the result again whenever something of the form changes, and shows it in the place of the old one.
const form = document.querySelector("[data-calculator]");
let latest = 0;

async function calculate() {
  latest += 1;
  const own = latest;
  const query = new URLSearchParams(new FormData(form));
  const answer = await fetch(`/calculator?${query}`, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const result = page.querySelector("[data-result]");
  if (own !== latest || !result) return;
  document.querySelector("[data-result]").replaceWith(result);
  history.replaceState(null, "", `/calculator?${query}`);
}

if (form) {
  form.querySelector("[type=submit]").hidden = true;
  let waiting = null;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(calculate, 250);
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); calculate(); });
}
