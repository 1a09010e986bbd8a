"""Where a program's host instructions go, from callgrind with the callers kept apart: as stacks, by unit of the simulated
machine, and drawn as a flame graph."""
import html
import pathlib
import re

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "src"

# Classes by the unit whose work they do; of the other rooms' classes, ROOMS says it.
UNITS = {
    "issue: schedulers": ["IssueStage", "WarpScheduler", "LaneCensus"],
    "issue: which entries may": ["SplitBuffers", "InstructionBuffers", "IssueConditions", "RegisterHazards", "Scoreboard",
                                 "PendingReads", "HazardTable", "OutstandingOperations", "CompactionTiming", "StateCounts"],
    "issue: dispatch": ["DispatchStage", "TransactionGenerator", "DivergenceEffects", "BlockSlots", "TableTraffic",
                        "InFlightPool", "InstructionTimings"],
    "execution of the lanes": ["ResidentBlock", "BlockExecution", "BlockBarriers", "RegisterHomes", "DeferredAccesses"],
    "operand collectors": ["OperandCollector", "BankAccesses", "GroupCollector", "RegisterBanks", "SourceRegisters"],
    "arithmetic units": ["ExecutionUnits", "SpatialLanes", "CompletionWheel", "ResultBookings", "StageRegister"],
    "load/store": ["LoadStoreUnit", "SharedMemoryPorts", "Coalescer", "TransactionTable", "Cache", "TagArray", "Mshr"],
    "write-back": ["WritebackStage", "RegisterWritePort"],
    "fetch": ["FetchUnit"],
    "statistics": ["ThreadCensus", "IssueTally", "LaunchStatistics", "CoreStatistics", "BranchPartings", "ListenerPair"],
    "order of cores and units": ["Core", "CoreCalendar", "Device", "RunAhead", "CorePort", "WarpAdmission",
                                 "LivelockWatch"],
}
ROOMS = {"divergence": "divergence mechanism", "simt": "execution of the lanes", "memory": "crossbar, L2, DRAM",
         "report": "statistics"}
OTHER = "other"
COLOURS = ["#e4a03c", "#d98a5b", "#c9b458", "#8fb56a", "#6aa6b5", "#7a94cf", "#a684c4", "#c97f9f", "#b0756a", "#93a3a8",
           "#cfc7a8", "#8f9f5f", "#bdbdbd", "#d4d4d4"]


def short_name(name: str) -> str:
    """A function as Class::function, without namespaces, arguments and lambdas within it."""
    name = name.replace("(anonymous namespace)::", "").replace("operator()", "call").replace("[abi:cxx11]", "")
    kept, depth = "", 0
    for letter in name:
        depth += letter in "<("
        if depth == 0:
            kept += letter
        depth -= letter in ">)"
    kept = re.sub(r"::\{lambda.*", "", kept).replace(" const", "")
    return re.sub(r"^(warpfork::)?((gpu|memory|simt|report|divergence|lanes|lanes_avx2|detail)::)*", "", kept.split(" ")[-1])


def stacks(profile: str) -> dict[tuple, int]:
    """Host instructions by stack, the outermost function first: of callgrind's output with --separate-callers."""
    names, found = {}, {}
    present, is_call = (), False
    for text in profile.splitlines():
        if match := re.match(r"(c?fn)=\((\d+)\)(?: (.*))?$", text):
            if match[3]:
                names[match[2]] = tuple(short_name(part) for part in reversed(match[3].split("'")))
            if match[1] == "fn":
                present = names[match[2]]
        elif text.startswith("calls="):
            is_call = True
        elif match := re.match(r"[+\-*\d]\S* (\d+)$", text):
            if not is_call:  # what a call costs is told of the function called, too
                found[present] = found.get(present, 0) + int(match[1])
            is_call = False
    return found


def room_of(name: str) -> str:
    """The room with a header of the class's name; empty if there is none."""
    header = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower() + ".h"
    found = next(SOURCES.glob(f"*/{header}"), None)
    return found.parent.name if found else ""


def unit_of(stack: tuple) -> str:
    """Of the innermost function of a unit: what it calls of libraries is its own cost."""
    for function in reversed(stack):
        name = function.split("::")[0]
        for unit, classes in UNITS.items():
            if name in classes:
                return unit
        if room := room_of(name):
            return ROOMS.get(room, OTHER)
    return OTHER


def by_unit(costs: dict[tuple, int]) -> dict[str, int]:
    sums = {}
    for stack, cost in costs.items():
        unit = unit_of(stack)
        sums[unit] = sums.get(unit, 0) + cost
    return sums


def flame_graph(costs: dict[tuple, int], title: str, width: int = 1200, least: float = 0.002) -> str:
    """SVG: a bar's width is a function's share with what it calls, which stands on it; coloured by unit."""
    total, height, frames = sum(costs.values()), 17, []
    colours = dict(zip(dict.fromkeys([*UNITS, *ROOMS.values(), OTHER]), COLOURS))

    def draw(prefix: tuple, members: dict[tuple, int], x: float) -> None:
        below = {}
        for stack, cost in members.items():
            if len(stack) > len(prefix):
                below.setdefault(stack[len(prefix)], {})[stack] = cost
        for name, of_name in sorted(below.items()):
            share = sum(of_name.values()) / total
            if share >= least:
                frames.append((len(prefix), x, share, name, colours[unit_of((*prefix, name))]))
                draw((*prefix, name), of_name, x)
            x += share

    draw((), costs, 0)
    rows = max(row for row, *_ in frames) + 1
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {(rows + 2) * height}" '
             'font-family="sans-serif" font-size="11">',
             f'<rect width="100%" height="100%" fill="#fff"/><text x="4" y="14">{html.escape(title)}</text>']
    for row, x, share, name, colour in frames:
        left, y, wide = x * width, (rows - row + 0.6) * height, share * width
        letters = int((wide - 4) / 6.2)
        label = name if len(name) <= letters else name[:letters - 1] + "…" if letters > 3 else ""
        parts.append(f'<g><title>{html.escape(name)}: {share:.1%}</title><rect x="{left:.1f}" y="{y:.1f}" '
                     f'width="{wide:.1f}" height="{height - 1}" fill="{colour}" stroke="#fff" stroke-width="0.5"/>'
                     + (f'<text x="{left + 2:.1f}" y="{y + 12:.1f}">{html.escape(label)}</text>' if label else "") + "</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"
