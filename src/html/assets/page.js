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
  document.addEventListener("click", (event) => {
    if (event.target.closest("#theme")) switchTheme();
  });

  /** What the page was written with under this id: JSON, as zlib and then base64 write it. */
  window.pageData = async (id) => {
    document.body.setAttribute("aria-busy", "true");
    if (!window.DecompressionStream) throw new Error(sayTooOld());
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (c) => c.charCodeAt(0));
    const json = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
    return json.finally(() => document.body.setAttribute("aria-busy", "false"));
  };
  function sayTooOld() {
    const text = "This page needs a browser of 2023 or later: it holds its data compressed.";
    document.body.append(Object.assign(document.createElement("p"), { textContent: text }));
    return text;
  }
  /** A colour of the page's style sheet, as it is now: themeColour("series-1"). */
  window.themeColour = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
})();
