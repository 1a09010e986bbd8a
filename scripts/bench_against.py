#!/usr/bin/env python3
"""How much faster the simulator is than that of another commit: bench_against.py BUILD_FOLDER [COMMIT] [--runs N]

COMMIT (default: the last release, that is git tag) is checked out and built under build/against. Both simulators run the
same programs in turns, pair by pair, since a machine's speed changes with what else it does. A ratio is the median of the
pairs' ratios of processor time, with the quartiles as its spread; above 1 the present one is faster. First that of the
whole process, its start and the program's own work included, then that of the launches alone. Memory: the present one's
peak by the other's, above 1 is more.
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import tempfile
from typing import Iterable, NamedTuple

from other_commit import built, last_release

# Programs, and a size at which a functional run is less of starting them.
PROGRAMS = {"mandelbrot": 512, "hotspot": 512, "raytrace": 256, "nw": 64, "lud": 32, "bfs": 300000, "mum": 32768,
            "backprop": 4096}
FUNCTIONAL = "--functional-only"
WATCHER = pathlib.Path(__file__).resolve().parent.parent / "bench" / "speed" / "launch_time.c"
CPU_PROGRAM, CPU_CORES = ["blackscholes", "8", "4096", "10"], ["smt", "ditva", "simt-x"]


class Use(NamedTuple):
    """What a run took: of the process and of those it has waited for."""
    seconds: float  # of processor time
    kilobytes: int  # at the peak
    launches: float  # seconds of processor time in launches; 0 if there was none that could be watched


def once(build: pathlib.Path, arguments: list) -> Use:
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nowhere:
        launches = pathlib.Path(folder) / "launches"
        environment = {**os.environ, "LAUNCH_TIME": str(launches), "LIBRARIES": str(build / "lib")}
        process = subprocess.Popen([build / "warpfork", *arguments], stdout=nowhere, stderr=nowhere, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, process.args)
        return Use(used.ru_utime + used.ru_stime, used.ru_maxrss, float(launches.read_text()) if launches.exists() else 0)


def watched(program: list, watcher: pathlib.Path) -> list:
    """A program whose launches are timed."""
    return ["/bin/sh", "-c", f'LD_LIBRARY_PATH=$LIBRARIES LD_PRELOAD={watcher} exec "$0" "$@"', *program]


def recorded(builds: list[pathlib.Path], folder: pathlib.Path) -> dict[pathlib.Path, pathlib.Path]:
    """A recording of the CPU cores' program by each simulator, since the format changes. The program is the present one's."""
    recordings = {build: folder / f"recording-{number}.wft" for number, build in enumerate(builds)}
    program = [builds[0] / "workloads" / "spmd" / CPU_PROGRAM[0], *CPU_PROGRAM[1:]]
    for build, recording in recordings.items():
        subprocess.run([build / "warpfork", "record", "-o", recording, "--", *program], check=True, capture_output=True)
    return recordings


def pairs(builds: list[pathlib.Path], arguments: list, runs: int) -> list[tuple[Use, Use]]:
    """The present one's and the other's, of each pair of runs. A dictionary among the arguments has each build's own."""
    measured = []
    for number in range(runs):
        order = builds if number % 2 else builds[::-1]
        of = {build: once(build, [each[build] if isinstance(each, dict) else each for each in arguments]) for build in order}
        measured.append(tuple(of[build] for build in builds))
    return measured


def line(name: str, builds: list[pathlib.Path], arguments: list, runs: int) -> tuple[float, float] | None:
    """Prints the ratios, with spread, and returns them: of the whole process, and of its launches or 0."""
    try:
        measured = pairs(builds, arguments, runs)
    except subprocess.CalledProcessError as error:
        print(f"{name:<28}  failed: {' '.join(map(str, error.cmd))}")
        return None
    ratios = sorted(other.seconds / own.seconds for own, other in measured)
    low, median, high = statistics.quantiles(ratios, n=4) if runs > 1 else ratios * 3
    launches = statistics.median(other.launches / own.launches if own.launches else 0 for own, other in measured)
    memory = statistics.median(own.kilobytes / other.kilobytes for own, other in measured)
    print(f"{name:<28}{median:>8.2f} ×   {low:.2f} … {high:.2f}" + (f"{launches:>8.2f} ×" if launches else " " * 10)
          + f"{memory:>10.2f}", flush=True)
    return median, launches


def geometric_mean(ratios: Iterable[float]) -> str:
    ratios = [ratio for ratio in ratios if ratio]
    return f"{math.prod(ratios) ** (1 / len(ratios)):>8.2f} ×" if ratios else ""


def group(title: str, commands: dict[str, list], builds: list[pathlib.Path], runs: int) -> None:
    print(f"{title:<28}{'faster':>10}   spread{'launches':>13}{'memory':>10}")
    lines = [found for name, arguments in commands.items() if (found := line(name, builds, arguments, runs))]
    if lines:
        whole, launches = zip(*lines)
        print(f"{'geometric mean':<28}{geometric_mean(whole)}{'':14}{geometric_mean(launches)}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("commit", nargs="?")
    parser.add_argument("--runs", type=int, default=7, help="pairs of runs of each program (default: 7)")
    options = parser.parse_args()
    build = options.build.resolve()
    builds = [build, built(options.commit or last_release(), "warpfork")]
    workload = {program: build / "workloads" / program for program in PROGRAMS}
    with tempfile.TemporaryDirectory() as folder:
        watcher = pathlib.Path(folder) / "launch_time.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", WATCHER, "-o", watcher, "-ldl"], check=True)
        for title, commands in {
                "programs, timing": {program: ["run", *watched([path], watcher)] for program, path in workload.items()},
                "programs, functional": {program: ["run", FUNCTIONAL, *watched([path], watcher)]
                                         for program, path in workload.items()},
                "larger ones, functional": {
                    f"{program} {size}": ["run", FUNCTIONAL, *watched([workload[program], str(size)], watcher)]
                    for program, size in PROGRAMS.items()}}.items():
            group(title, commands, builds, options.runs)
        recordings = recorded(builds, pathlib.Path(folder))
        commands = {core: ["cpu", "run", recordings, "--core", core] for core in CPU_CORES}
        group(f"CPU cores, {CPU_PROGRAM[0]}", commands, builds, options.runs)


if __name__ == "__main__":
    main()
