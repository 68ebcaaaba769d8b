// What works better with a script: the theme's switch, and buttons that copy.
const root = document.documentElement;

function showsDark() {
  const chosen = root.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

for (const button of document.querySelectorAll("[data-theme-switch]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = showsDark() ? "light" : "dark";
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch { /* for this page, then */ }
    dispatchEvent(new Event("themechange"));
  });
}

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  });
}
