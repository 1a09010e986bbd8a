// What all pages do: dark or light, and the data that the page was written with. In the head, so that a dark page is
// never white first. <button id="theme"> switches; without a choice of the reader's the system's counts. On paper: light.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const key = "warpfork-theme";
  const kept = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // a page opened from a file may have no storage
    }
  };
  const keep = (theme) => {
    try {
      localStorage.setItem(key, theme);
    } catch {
      // then it holds until the page is closed
    }
  };
  let chosen = kept();

  function show(theme) {
    if (root.dataset.theme === theme) return;
    root.dataset.theme = theme;
    window.dispatchEvent(new CustomEvent("themechange", { detail: theme })); // charts have colours of their own
  }
  const showChosen = () => show(chosen ?? (system.matches ? "dark" : "light"));
  function switchTheme() {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    keep(chosen);
    showChosen();
  }

  showChosen();
  system.addEventListener("change", showChosen);
  window.addEventListener("beforeprint", () => show("light"));
  window.addEventListener("afterprint", showChosen);
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", switchTheme);
  });

  /** What the page was written with under this id. */
  window.pageData = (id) => JSON.parse(document.getElementById(id).textContent);
  /** A colour of the page's style sheet, as it is now: themeColour("series-1"). */
  window.themeColour = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
})();
