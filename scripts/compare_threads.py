#!/usr/bin/env python3
"""Whether results depend on the number of host threads (docs/host-threads.md): compare_threads.py WARPFORK PROGRAM [ARG…]

Runs the program with one, two, three and eight threads on a machine of lanes side by side and on one of temporal lanes;
the bytes of the result and of the output must be the same. With --all BUILD every workload, with its small input, on all
mechanisms and lane organisations: hours. Exit status 1 if anything differs.
"""
import argparse
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

THREADS = (1, 2, 3, 8)
FEW = [["--divergence", "pdom"], ["--machine", "tesla30", "--divergence", "multi-path", "--lanes", "stsimt2"]]
WITHIN_A_WARP = ("pdom", "dual-path", "warp-subdivision", "multi-path", "multi-path-or", "thread-frontier",
                 "convergence-barrier")  # what temporal lanes run, too
MECHANISMS = (*WITHIN_A_WARP, "tbc", "capri")
LANES = ("simt-scalar", "simt-bcc", "simt-scc", "tsimt", "tsimt-plus", "stsimt2", "stsimt4", "unlocked-lanes")


def every_choice() -> list[list[str]]:
    spatial = [["--machine", machine, "--divergence", mechanism]
               for machine, mechanism in itertools.product(("gtx480", "tesla30"), MECHANISMS)]
    other = [["--machine", "tesla30", "--divergence", mechanism, "--lanes", lanes, "--set", "core.registers=32768"]
             for mechanism, lanes in itertools.product(WITHIN_A_WARP, LANES)]
    return spatial + other


def workloads(build: str) -> list[list[str]]:
    """Program and small input of each, as its test of mechanisms has them."""
    tests = json.loads(subprocess.check_output(["ctest", "--test-dir", build, "--show-only=json-v1"]))["tests"]
    return [test["command"][2:] for test in tests if re.fullmatch(r"workload\.\w+\.mechanisms", test["name"])]


def outcome(warpfork: str, threads: int, choice: list[str], program: list[str]) -> tuple:
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        run = subprocess.run([warpfork, "run", "--threads", str(threads), "--json", str(result), *choice, *program],
                             capture_output=True, check=False)
        return run.returncode, run.stdout, run.stderr, result.read_bytes() if result.exists() else b""


def is_same(warpfork: str, choice: list[str], program: list[str]) -> bool:
    alone, *others = (outcome(warpfork, threads, choice, program) for threads in THREADS)
    different = [threads for threads, other in zip(THREADS[1:], others) if other != alone]
    for threads in different:
        print(f"{threads} host threads differ from one: warpfork run {' '.join(choice + program)}", flush=True)
    return not different


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", metavar="BUILD")
    parser.add_argument("warpfork", nargs="?")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if (options.all is None) == (not options.program):
        parser.error("give WARPFORK and a PROGRAM, or --all BUILD")
    programs = workloads(options.all) if options.all else [options.program]
    choices = every_choice() if options.all else FEW
    warpfork = options.warpfork or str(pathlib.Path(options.all) / "warpfork")
    results = [is_same(warpfork, choice, program) for program in programs for choice in choices]
    print(f"{len(results)} cases, {results.count(False)} of them differ")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
