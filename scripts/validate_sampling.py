#!/usr/bin/env python3
"""How often the intervals of `run --sample` hold: validate_sampling.py [--seeds N] [--share SHARE] [BUILD]

Runs workloads with inputs of many blocks whole and, from several starting points, sampled. Says for each statistic in how
many of all launches and starting points the whole run's number was within the interval, how wide that was and how far off
the estimate, relative to the whole run's number; then, for each program, launches and the host's processor time. Numbers
that a sampled run calls exact must be equal.
"""
import argparse
import collections
import json
import resource
import statistics
import subprocess
import sys
import tempfile

# Waves are many with large inputs and few cores: name, arguments, number of cores.
RUNS = [
    ("aes", ["--kilobytes", "1500"], 2),
    ("backprop", ["--size", "8192"], 3),
    ("bfs", ["200000"], 1),
    ("cp", ["1024", "--atoms", "30"], 1),
    ("dg", ["8", "--stages", "1"], 1),
    ("gaussian", ["160"], 1),
    ("h264_mc", [], 2),
    ("hotspot", ["512"], 1),
    ("lps", ["1000"], 1),
    ("lud", ["40"], 1),
    ("mandelbrot", ["768"], 1),
    ("mc", ["100000", "--per-thread", "1"], 1),
    ("memc", ["120000"], 1),
    ("mergesort", [], 1),
    ("mum", ["30000"], 1),
    ("nn", ["--size", "600000"], 2),
    ("nn", ["--size", "4500000"], 15),
    ("ray", ["512"], 1),
    ("ray", ["2048"], 15),
    ("raytrace", ["256"], 1),
    ("rend", ["256"], 1),
    ("storegpu", ["49152"], 1),
    ("visibility", ["300"], 1),
]
SHOWN = ("cycles", "ipc", "idle_cycles", "scheduler_cycles", "stalls.memory", "stalls.scoreboard", "stalls.pipeline",
         "occupancy.mean_warps", "divergent_paths.warp_instructions", "caches.l1d.accesses", "caches.l1d.misses",
         "caches.l2.accesses", "caches.l2.misses", "dram.reads", "dram.writes", "dram.row_hits")


def run(build, program, arguments, cores, extra):
    """The result document and seconds of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/result.json"
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run([f"{build}/warpfork", "run", "--set", f"cores={cores}", "--json", file, *extra,
                               f"{build}/workloads/{program}", *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{program}: {done.stderr}")
        with open(file, encoding="utf-8") as result:
            document = json.load(result)
        return document, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def numbers(value, path=""):
    """Every number by its key, as `half_intervals` has them."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key not in ("sampled", "branches", "timeline"):
                yield from numbers(part, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from numbers(part, f"{path}.{index}")
    elif isinstance(value, (int, float)):
        yield path, value


def outcomes(whole, sampled):
    """By key: whether the whole run's number is inside, half the interval and the error, relative."""
    halves, estimates = sampled["sampled"]["half_intervals"], dict(numbers(sampled))
    for key, value in numbers(whole):
        error, half = abs(estimates[key] - value), halves.get(key, 0)
        yield key, error <= half + 1e-9 * abs(value), half / (abs(value) or 1), error / (abs(value) or 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--share", default="30%")
    parser.add_argument("--only", help="this program")
    parser.add_argument("--all-keys", action="store_true")
    parser.add_argument("--by-program", action="store_true")
    parser.add_argument("build", nargs="?", default="build/release")
    options = parser.parse_args()
    found, speed = collections.defaultdict(list), []
    for program, arguments, cores in RUNS:
        if options.only not in (None, program):
            continue
        whole, seconds = run(options.build, program, arguments, cores, [])
        used, times = 0, []
        for seed in range(options.seeds):
            sampled, time = run(options.build, program, arguments, cores,
                                ["--sample", options.share, "--sample-seed", str(seed)])
            times.append(time)
            for one, other in zip(whole["launches"], sampled["launches"]):
                if other["mode"] == "timing" and other["sampled"]["batches"]:
                    used += seed == 0
                    for key, *outcome in outcomes(one, other):
                        found[(program, key) if options.by_program else key].append(outcome)
        speed.append(f"{program:12} {cores:2} cores, {used:3} of {len(whole['launches']):3} launches sampled, "
                     f"{seconds:6.2f} s whole, {statistics.mean(times):6.2f} s sampled")
        print(speed[-1], flush=True)
    for key, values in found.items():
        inside, halves, errors = zip(*values)
        name = key[1] if options.by_program else key
        if name in SHOWN or options.all_keys and any(errors):
            print(f"{' '.join(key) if options.by_program else key:44} inside {statistics.mean(inside):6.1%} of {len(values)}, "
                  f"half of the interval {statistics.mean(halves):7.2%}, error {statistics.mean(errors):7.2%}")


if __name__ == "__main__":
    main()
