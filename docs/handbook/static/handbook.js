// Sets the chosen theme before anything is drawn, and shows the way back where a run's website serves the handbook.
document.addEventListener("DOMContentLoaded", () => {
  for (const way of document.querySelectorAll(".to-the-run")) {
    way.hidden = !location.pathname.startsWith("/docs/");
  }
});
let theme = "auto";
try {
  theme = localStorage.getItem("theme") || theme;
} catch {
  // A browser that keeps nothing for sites follows the system.
}
document.body.dataset.theme = theme;
