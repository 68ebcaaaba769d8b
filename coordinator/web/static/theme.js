// Before the page is drawn: the theme that its reader chose here last, kept in the browser alone.
(() => {
  try {
    const chosen = localStorage.getItem("theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch { /* storage is off: the system's theme will do */ }
})();
