#!/usr/bin/env python3
"""Writes the tables of docs/results/silicon.md anew: silicon_page.py WARPFORK FOLDER_OF_PROGRAMS

The programs are the workloads as nvcc built those whose counters were recorded (tests/silicon/README.md). Takes five
minutes of one core, and as many processors as there are."""
import concurrent.futures
import json
import pathlib
import sys

import page_tables

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "silicon"))
from traffic import traffic  # noqa: E402  (of the folder above)

PAGE = ROOT / "docs" / "results" / "silicon.md"
RECORDED = ROOT / "tests" / "data" / "silicon" / "nvidia-h200"
MECHANISMS = ("pdom", "multi-path-or", "thread-frontier")
LANES = 32
TRAFFIC = ("global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
           "shared_load_conflicts", "shared_store_conflicts")


def efficiency(counts):
    return f"{100 * counts['thread_instructions'] / counts['warp_instructions'] / LANES:.1f}"


def lanes_table(recorded, unoptimised, counted):
    lines = ["| program | warp instructions, GPU | pdom, by the GPU's | SIMD efficiency, GPU | GPU, `-Xptxas -O0` | "
             + " | ".join(MECHANISMS) + " |",
             "| --- |" + " ---: |" * (4 + len(MECHANISMS))]
    for name, gpu in recorded.items():
        own = counted[name, "pdom"]
        lines.append(f"| {name} | {gpu['warp_instructions']:,} | "
                     f"{own['warp_instructions'] / gpu['warp_instructions']:.2f} | {efficiency(gpu)} | "
                     f"{efficiency(unoptimised[name]) if name in unoptimised else ''} | "
                     + " | ".join(efficiency(counted[name, m]) for m in MECHANISMS) + " |")
    return "\n".join(lines)


def cell(gpu, own):
    """The GPU's number, and how far ours is off."""
    return f"{gpu:,}" if gpu == own else f"{gpu:,} ({own - gpu:+,})"


def traffic_table(recorded, counted):
    lines = ["| program | " + " | ".join(name.replace("_", " ") for name in TRAFFIC) + " |",
             "| --- |" + " ---: |" * len(TRAFFIC)]
    for name, gpu in recorded.items():
        own = counted[name, "pdom"]
        cells = (cell(gpu[t], own[t]) if gpu[t] or own[t] else "–" for t in TRAFFIC)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(warpfork, programs):
    recorded = json.loads((RECORDED / "counters.json").read_text())
    unoptimised = json.loads((RECORDED / "counters_ptxas_O0.json").read_text())
    points = [(name, mechanism) for name in recorded for mechanism in MECHANISMS]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        counts = pool.map(lambda p: traffic(warpfork, programs / p[0], ["--divergence", p[1]]), points)
        counted = dict(zip(points, counts))
    page_tables.write(PAGE, {"lanes": lanes_table(recorded, unoptimised, counted),
                             "traffic": traffic_table(recorded, counted)})


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
