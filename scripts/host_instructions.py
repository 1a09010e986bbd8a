#!/usr/bin/env python3
"""Host instructions a simulated warp instruction, the simulator's cost as callgrind counts it: alike under any load.

host_instructions.py BUILD_FOLDER [--record | --check]

What the process does before and behind its kernel is taken off, as an empty kernel has it. --record writes the counts to
bench/speed/recorded.json. --check fails where one is more than 2 % above what is recorded there; exit status 77, and a
reason, where counts cannot be compared: they are of one compiler, one C library and one instruction set.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEED, CALIBRATION = ROOT / "bench" / "speed", ROOT / "bench" / "calibration"
RECORDED = SPEED / "recorded.json"
ALLOWED = 0.02
SKIPPED = 77

EMPTY = SPEED / "empty"
KERNELS = {"mandelbrot": CALIBRATION / "mandelbrot", "state_machine": SPEED / "state_machine",
           "branch_nested": CALIBRATION / "branch_nested", "vecadd": CALIBRATION / "vecadd"}
TARGETS = {"mandelbrot": 900, "state_machine": 1100, "vecadd": 1700}
MODES = {"timing": [], "functional": ["--functional-only"]}

CPU_PROGRAM, CPU_SIZES = ("blackscholes", "8"), ("64", "512")  # the smaller is what is taken off


def callgrind(command: list, profile: str = "/dev/null", loop: str = "") -> int:
    """The host's instructions, or those in the function `loop` and what it calls; a profile keeps callers apart."""
    options = [f"--callgrind-out-file={profile}"]
    if loop:
        options.append(f"--toggle-collect={loop}")
    if profile != "/dev/null":
        options.append("--separate-callers=24")
    done = subprocess.run(["valgrind", "--tool=callgrind", *options, *command], check=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    collected = int(re.search(r"Collected : (\d+)", done.stderr)[1])
    if collected == 0:
        sys.exit(f"host_instructions.py: nothing was counted; is there still a function {loop}?")
    return collected


def run(warpfork: pathlib.Path, kernel: pathlib.Path, options: list, profile: str = "/dev/null",
        loop: str = "") -> tuple[int, int]:
    """The host's instructions, and the kernel's warp instructions."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        host = callgrind([warpfork, "run", *options, "--json", result, kernel.with_suffix(".ptx"), "--launch",
                          kernel.with_suffix(".launch.toml")], profile, loop)
        return host, json.loads(result.read_text())["launches"][0]["warp_instructions"]


def measure(warpfork: pathlib.Path) -> dict:
    """{kernel: {mode: host instructions a warp instruction}}"""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {(name, mode): pool.submit(run, warpfork, kernel, options)
                for name, kernel in {"": EMPTY, **KERNELS}.items() for mode, options in MODES.items()}
    counts = {key: each.result() for key, each in runs.items()}

    def of(name: str, mode: str) -> float:
        host, simulated = counts[name, mode]
        return round((host - counts["", mode][0]) / simulated, 1)

    return {name: {mode: of(name, mode) for mode in MODES} for name in KERNELS}


def measure_cpu(build: pathlib.Path) -> float:
    """Host instructions a µop of simt-x, of what the larger input has more than the smaller one."""
    def count(size: str) -> tuple[int, int]:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run([build / "warpfork", "record", "-o", folder / "recording.wft", "--",
                            build / "workloads" / "spmd" / CPU_PROGRAM[0], *CPU_PROGRAM[1:], size, "1"],
                           check=True, capture_output=True)
            host = callgrind([build / "warpfork", "cpu", "run", folder / "recording.wft", "--core", "simt-x", "--json",
                              folder / "result.json"])
            return host, json.loads((folder / "result.json").read_text())["totals"]["uops"]

    (less_host, less), (more_host, more) = (count(size) for size in CPU_SIZES)
    return (more_host - less_host) / (more - less)


def built_with(build: pathlib.Path) -> str:
    """What the counts depend on beside the sources."""
    cache = (build / "CMakeCache.txt").read_text()
    compiler = max(build.glob("CMakeFiles/*/CMakeCXXCompiler.cmake"), key=os.path.getmtime).read_text()

    def value(name: str, text: str, form: str) -> str:
        found = re.search(form.format(name), text, re.MULTILINE)
        return found[1] if found else ""

    named = [value(f"CMAKE_CXX_COMPILER_{what}", compiler, r'^set\({} "(.*)"\)') for what in ("ID", "VERSION")]
    options = [value(name, cache, r"^{}:\w+=(.*)$")
               for name in ("CMAKE_BUILD_TYPE", "CMAKE_CXX_FLAGS", "WARPFORK_PROFILE")]
    if value("WARPFORK_LTO", cache, r"^{}:\w+=(.*)$") == "ON":
        options.append("LTO")
    processor = pathlib.Path("/proc/cpuinfo").read_text()
    words = [*named, *options, os.confstr("CS_GNU_LIBC_VERSION"), "AVX2" if " avx2 " in processor else "no AVX2"]
    return ", ".join(word for word in words if word)


def change(count: float, recorded: dict, name: str, mode: str) -> str:
    before = recorded.get(name, {}).get(mode)
    return f"{(count / before - 1) * 100:+.1f} %" if before else ""


def show(counts: dict, recorded: dict) -> None:
    print(f"{'kernel':<16}{'timing':>9}{'since':>10}{'target':>9}{'functional':>13}{'since':>10}")
    for name, of in counts.items():
        print(f"{name:<16}{of['timing']:>9.0f}{change(of['timing'], recorded, name, 'timing'):>10}"
              f"{TARGETS.get(name, ''):>9}{of['functional']:>13.0f}"
              f"{change(of['functional'], recorded, name, 'functional'):>10}")


def text_of(counts: dict) -> str:
    """As a table of docs/performance.md."""
    lines = ["| kernel | timing | target | functional |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {name} | {of['timing']:.0f} | {TARGETS.get(name, '')} | {of['functional']:.0f} |"
              for name, of in counts.items()]
    return "\n".join(lines)


def check(counts: dict, recorded: dict) -> int:
    risen = [f"{name}, {mode}: {recorded[name][mode]} -> {count} host instructions a warp instruction "
             f"({change(count, recorded, name, mode)})"
             for name, of in counts.items() for mode, count in of.items()
             if count > recorded[name][mode] * (1 + ALLOWED)]
    for line in risen:
        print(line)
    if risen:
        print("If it must be, say why in the commit, and record the new counts: ./dev bench --record")
    return 1 if risen else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--record", action="store_true")
    what.add_argument("--check", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    present, record = built_with(build), json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    comparable = present == record.get("built_with")
    if shutil.which("valgrind") is None:
        print("valgrind is missing, which counts the host's instructions (./dev setup)")
        return SKIPPED
    if options.check and not comparable:
        print(f"recorded with {record.get('built_with')}, but this is {present}")
        return SKIPPED
    counts = measure(build / "warpfork")
    recorded = record.get("instructions", {}) if comparable else {}
    show(counts, recorded)
    if options.check:
        return check(counts, recorded)
    if options.record:
        RECORDED.write_text(json.dumps({"built_with": present, "instructions": counts}, indent=2) + "\n")
    elif (build / "workloads" / "spmd" / CPU_PROGRAM[0]).exists():
        print(f"simt-x on {CPU_PROGRAM[0]}: {measure_cpu(build):.0f} host instructions a µop")
    return 0


if __name__ == "__main__":
    sys.exit(main())
