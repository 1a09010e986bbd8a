#!/usr/bin/env python3
"""Writes the tables of docs/performance.md and its picture, docs/pictures/cycle.svg, anew: performance_page.py BUILD_FOLDER

All are counts of the host's instructions by callgrind, which do not depend on what else the machine does.
"""
import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile

import callgrind_profile
import host_instructions
import page_tables

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE, PICTURE = ROOT / "docs" / "performance.md", ROOT / "docs" / "pictures" / "cycle.svg"
LOOP = "warpfork::gpu::Device::simulate*"  # the simulation's loop: what is before and behind it is not counted
PROFILED = ["state_machine", "mandelbrot", "vecadd"]
DRAWN = "state_machine"

LAUNCH = """kernel = "k"
grid = [{blocks}, 1, 1]
block = [{threads}, 1, 1]
[[argument]]
buffer = "out"
bytes = 8388608
fill = 0
"""
KERNEL = """.version 6.0
.target sm_20
.address_size 64
.visible .entry k(.param .u64 out) {{
  .reg .pred %p; .reg .b32 %i, %n, %lane, %t, %a, %b, %c, %d; .reg .b64 %at, %offset;
  ld.param.u64 %at, [out];
  mov.u32 %lane, %tid.x;
  mov.u32 %i, %ctaid.x;
  mov.u32 %n, %ntid.x;
  mad.lo.u32 %i, %i, %n, %lane;
  and.b32 %i, %i, 2047;
  mul.wide.u32 %offset, %i, {stride};
  add.u64 %at, %at, %offset;
  mov.u32 %a, 1; mov.u32 %b, 2; mov.u32 %c, 3; mov.u32 %d, 4;
  mov.u32 %n, {turns};
TURN:
{body}
  sub.u32 %n, %n, 1;
  setp.ne.u32 %p, %n, 0;
  @%p bra TURN;
  ret;
}}
"""
WORK = "  add.u32 %a, %a, %n;\n  add.u32 %b, %b, %n;\n  add.u32 %c, %c, %n;\n  add.u32 %d, %d, %n;\n"


def paths(number: int) -> str:
    """A warp's threads part to so many paths, which do the same work one after the other."""
    if number == 1:
        return WORK
    turns = [f"  and.b32 %t, %lane, {number - 1};"]
    for path in range(number):
        turns.append(f"  setp.ne.u32 %p, %t, {path};\n  @%p bra BEHIND_{path};\n{WORK}BEHIND_{path}:")
    return "\n".join(turns)


# {table: (what varies, {value: (kernel's figures, cores)})}; a thread does `body` in each of its turns.
GROWTH = {
    "warps": ("warps of the one core", {
        warps: (dict(threads=32 * min(warps, 24), blocks=max(1, warps // 24), turns=2400 // warps, body=WORK), 1)
        for warps in (1, 2, 4, 8, 16, 24, 48)}),
    "cores": ("cores, 8 warps on each", {
        cores: (dict(threads=256, blocks=cores, turns=300 // cores + 20, body=WORK), cores) for cores in (1, 4, 15, 60)}),
    "idle": ("cores, 8 warps on one of them", {
        cores: (dict(threads=256, blocks=1, turns=300, body=WORK), cores) for cores in (1, 4, 15, 60)}),
    "divergence": ("paths of a warp, 8 warps on one core", {
        number: (dict(threads=256, blocks=1, turns=240 // number + 10, body=paths(number)), 1)
        for number in (1, 2, 4, 8, 16, 32)}),
    "memory": ("lines that a load of a warp reads, 8 warps on one core", {
        lines: (dict(threads=256, blocks=1, turns=100, stride=4 * lines, body="  ld.global.u32 %t, [%at];\n" + WORK), 1)
        for lines in (1, 2, 4, 8, 16, 32)}),
}


def grown(warpfork: pathlib.Path, figures: dict, cores: int) -> tuple[int, dict]:
    """The host's instructions, and the launch."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "k.ptx").write_text(KERNEL.format(**{"stride": 4, **figures}))
        (folder / "k.toml").write_text(LAUNCH.format(**figures))
        host = host_instructions.callgrind([warpfork, "run", "--set", f"cores={cores}", "--json", folder / "result.json",
                                            folder / "k.ptx", "--launch", folder / "k.toml"], loop=LOOP)
        return host, json.loads((folder / "result.json").read_text())["launches"][0]


def table(head: list, rows: list) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def spaced(number: float) -> str:
    return f"{number:,.0f}".replace(",", " ")


def growth_table(runs: dict, what: str) -> str:
    rows = []
    for value, run in runs.items():
        host, launch = run.result()
        issued = launch["warp_instructions"]
        rows.append([value, spaced(issued), spaced(launch["cycles"]), spaced(host / issued),
                     spaced(host / launch["cycles"])])
    return table([what, "warp instructions", "cycles", "host instructions a warp instruction", "a cycle"], rows)


def profile(warpfork: pathlib.Path, name: str) -> tuple[dict, int]:
    """Host instructions by stack within the loop, and the warp instructions."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "profile"
        _, issued = host_instructions.run(warpfork, host_instructions.KERNELS[name], [], str(file), loop=LOOP)
        found = callgrind_profile.stacks(file.read_text())
    cut = {}
    for stack, cost in found.items():
        begin = stack.index("Device::simulate") if "Device::simulate" in stack else 0
        cut[stack[begin:]] = cut.get(stack[begin:], 0) + cost
    return cut, issued


def unit_table(profiles: dict) -> str:
    sums = {name: callgrind_profile.by_unit(costs) for name, (costs, _) in profiles.items()}
    units = sorted({unit for of in sums.values() for unit in of}, key=lambda unit: -sums[DRAWN].get(unit, 0))

    def cell(name: str, cost: int) -> str:
        costs, issued = profiles[name]
        return f"{spaced(cost / issued)} ({cost / sum(costs.values()):.0%})"

    rows = [[unit, *(cell(name, sums[name].get(unit, 0)) for name in profiles)] for unit in units]
    return table(["unit", *profiles], [*rows, ["together", *(cell(name, sum(of.values())) for name, of in sums.items())]])


def main() -> None:
    build = pathlib.Path(sys.argv[1]).resolve()
    warpfork = build / "warpfork"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        profiled = {name: pool.submit(profile, warpfork, name) for name in PROFILED}
        growth = {name: {value: pool.submit(grown, warpfork, *case) for value, case in cases.items()}
                  for name, (_, cases) in GROWTH.items()}
    profiles = {name: each.result() for name, each in profiled.items()}
    tables = {name: growth_table(growth[name], what) for name, (what, _) in GROWTH.items()}
    tables["units"] = unit_table(profiles)
    tables["counts"] = host_instructions.text_of(host_instructions.measure(warpfork))
    tables["built"] = f"Counted with {host_instructions.built_with(build)}."
    page_tables.write(PAGE, tables)
    costs, issued = profiles[DRAWN]
    each = spaced(sum(costs.values()) / issued)
    title = f"{DRAWN}: {each} host instructions a warp instruction in the simulation's loop"
    PICTURE.write_text(callgrind_profile.flame_graph(costs, title))


if __name__ == "__main__":
    main()
