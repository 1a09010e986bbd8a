#!/usr/bin/env python3
"""How much faster the simulator is than that of another commit: bench_against.py BUILD_FOLDER [COMMIT] [--runs N]

COMMIT (default: the last release, that is git tag) is checked out and built under build/against. Both simulators run the
same programs in turns, pair by pair, since a machine's speed changes with what else it does. A ratio is the median of the
pairs' ratios of processor time, start of the process included, with the quartiles as its spread; above 1 the present one
is faster. Memory: the present one's peak by the other's, above 1 is more.
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import tempfile

from other_commit import built, last_release

# Programs, and a size at which a functional run is less of starting them.
PROGRAMS = {"mandelbrot": 512, "hotspot": 512, "raytrace": 256, "nw": 64, "lud": 32, "bfs": 300000, "mum": 32768,
            "backprop": 4096}
FUNCTIONAL = "--functional-only"
CPU_PROGRAM, CPU_CORES = ["blackscholes", "8", "4096", "10"], ["smt", "ditva", "simt-x"]


def once(command: list) -> tuple[float, int]:
    """Seconds of processor time, and the peak of memory in KB: of the process and of those it has waited for."""
    with open(os.devnull, "w") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return used.ru_utime + used.ru_stime, used.ru_maxrss


def pairs(builds: list[pathlib.Path], arguments: list, runs: int) -> tuple[list[float], float]:
    """Of each pair of runs, in order of size, how often the other's time is the present one's; the ratio of memory."""
    ratios, memory = [], []
    for number in range(runs):
        order = builds if number % 2 else builds[::-1]
        measured = {build: once([build / "warpfork", *arguments]) for build in order}
        (seconds, kilobytes), (others_seconds, others_kilobytes) = (measured[build] for build in builds)
        ratios.append(others_seconds / seconds)
        memory.append(kilobytes / others_kilobytes)
    return sorted(ratios), statistics.median(memory)


def line(name: str, builds: list[pathlib.Path], arguments: list, runs: int) -> float | None:
    """Prints the ratio, with spread, and returns it."""
    try:
        ratios, memory = pairs(builds, arguments, runs)
    except subprocess.CalledProcessError as error:
        print(f"{name:<28}  failed: {' '.join(map(str, error.cmd))}")
        return None
    low, median, high = statistics.quantiles(ratios, n=4) if runs > 1 else ratios * 3
    print(f"{name:<28}{median:>8.2f} ×   {low:.2f} … {high:.2f}{memory:>10.2f}", flush=True)
    return median


def group(title: str, commands: dict[str, list], builds: list[pathlib.Path], runs: int) -> None:
    print(f"{title:<28}{'faster':>10}   spread{'memory':>15}")
    medians = [median for name, arguments in commands.items() if (median := line(name, builds, arguments, runs))]
    if medians:
        print(f"{'geometric mean':<28}{math.prod(medians) ** (1 / len(medians)):>8.2f} ×\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("commit", nargs="?")
    parser.add_argument("--runs", type=int, default=7, help="pairs of runs of each program (default: 7)")
    options = parser.parse_args()
    build = options.build.resolve()
    builds = [build, built(options.commit or last_release(), "warpfork")]
    workload = {program: build / "workloads" / program for program in PROGRAMS}
    for title, commands in {
            "programs, timing": {program: ["run", path] for program, path in workload.items()},
            "programs, functional": {program: ["run", FUNCTIONAL, path] for program, path in workload.items()},
            "larger ones, functional": {f"{program} {size}": ["run", FUNCTIONAL, workload[program], str(size)]
                                        for program, size in PROGRAMS.items()}}.items():
        group(title, commands, builds, options.runs)
    with tempfile.TemporaryDirectory() as folder:
        recording = pathlib.Path(folder) / "recording.wft"
        program, *arguments = CPU_PROGRAM
        subprocess.run([build / "warpfork", "record", "-o", recording, "--", build / "workloads" / "spmd" / program,
                        *arguments], check=True, capture_output=True)
        commands = {core: ["cpu", "run", recording, "--core", core] for core in CPU_CORES}
        group(f"CPU cores, {program}", commands, builds, options.runs)


if __name__ == "__main__":
    main()
