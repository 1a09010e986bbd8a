// The clock: buttons, slider and keys.

const { runs: data } = await pageData("step");
const runs = data.map((run) => new Run(run));
const listing = new Listing(document.querySelector("#code tbody"), runs);
const panes = runs.map(() => document.querySelector("#runs").appendChild(make("article")));
const slider = document.querySelector("#slider");
const number = document.querySelector("#cycle");
const playButton = document.querySelector("#play");
const speed = document.querySelector("#speed");

const first = Math.min(...runs.map((run) => run.first));
const last = Math.max(...runs.map((run) => run.last));
const sorted = (lists) => [...new Set(lists.flat())].sort((a, b) => a - b);
const events = sorted(runs.map((run) => run.events));
const changes = sorted(runs.map((run) => run.states.map((state) => state.cycle)));
let cycle = first;
let timer = null;

function show(wanted) {
  cycle = Math.min(last, Math.max(first, wanted));
  slider.value = number.value = cycle;
  slider.setAttribute("aria-valuetext", `cycle ${cycle}`);
  listing.show(cycle);
  runs.forEach((run, i) => showRun(panes[i], run, cycle));
}

const after = (cycles) => cycles.find((other) => other > cycle) ?? last;
const before = (cycles) => cycles.findLast((other) => other < cycle) ?? first;

function stop() {
  clearInterval(timer);
  timer = null;
  playButton.textContent = "▶ play";
}

/** Cycles in which nothing changes are passed over. */
function play() {
  if (timer !== null) return stop();
  if (cycle === last) show(first);
  playButton.textContent = "❚❚ stop";
  timer = setInterval(() => {
    show(after(changes));
    if (cycle === last) stop();
  }, 1000 / Number(speed.value));
}

const actions = {
  first: () => show(first),
  "event-before": () => show(before(events)),
  before: () => show(cycle - 1),
  after: () => show(cycle + 1),
  "event-after": () => show(after(events)),
  last: () => show(last),
  play,
};

function actionOf({ key, shiftKey, target }) {
  if (key === "ArrowLeft") return shiftKey ? "event-before" : "before";
  if (key === "ArrowRight") return shiftKey ? "event-after" : "after";
  if (key === "Home") return "first";
  if (key === "End") return "last";
  return key === " " && target.tagName !== "BUTTON" ? "play" : undefined;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === number || event.target.tagName === "SELECT") return; // keys of their own
  const action = actionOf(event);
  if (!action) return;
  event.preventDefault();
  if (action !== "play") stop();
  actions[action]();
});

for (const [name, action] of Object.entries(actions))
  document.getElementById(name).addEventListener("click", () => {
    if (name !== "play") stop();
    action();
  });
slider.addEventListener("input", () => show(Number(slider.value)));
number.addEventListener("change", () => {
  show(Number(number.value));
  number.blur(); // so that the arrows step again
});
speed.addEventListener("change", () => {
  if (timer === null) return;
  stop();
  play();
});

/** Where something happened, a row of ticks for each run. */
function ticks() {
  const box = document.querySelector("#ticks");
  for (const run of runs) {
    const places = new Set(run.events.map((at) => (last === first ? 0 : ((at - first) / (last - first)) * 100).toFixed(1)));
    box.append(make("div", {}, ...[...places].map((place) => make("i", { style: `left: ${place}%` }))));
  }
}

for (const control of [slider, number]) {
  control.min = first;
  control.max = last;
}
ticks();
show(first);
