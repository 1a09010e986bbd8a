#!/usr/bin/env python3
"""The speed of recording x86-64 programs and of replaying them: bench_cpu.py BUILD_FOLDER

Each figure is the best of three runs, start of the process included: whatever else the machine does only makes them
slower.
"""
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time


def best(command: list) -> tuple:
    """Seconds, and what was said on standard error."""
    def once() -> tuple:
        start = time.monotonic()
        said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        return time.monotonic() - start, said

    return min(once() for _ in range(3))


def main(build: pathlib.Path) -> None:
    warpfork, programs = build / "warpfork", build / "workloads" / "spmd"
    with tempfile.TemporaryDirectory() as folder:
        recording, result = pathlib.Path(folder) / "recording.wft", pathlib.Path(folder) / "result.json"

        def record(name: str, *arguments: str) -> tuple:
            return best([warpfork, "record", "-o", recording, "--", programs / name, *arguments])

        seconds, said = record("hotspot", "4", "512", "10")
        instructions = int(re.search(r"([\d ]+) instructions", said)[1].replace(" ", ""))
        print(f"recording hotspot: {instructions / seconds / 1e6:.0f} million instructions a second, "
              f"{recording.stat().st_size * 8 / instructions:.2f} bits each")
        record("blackscholes", "8", "4096", "10")
        for core in ("smt", "ditva", "simt-x"):
            seconds, _ = best([warpfork, "cpu", "run", recording, "--core", core, "--json", result])
            uops = json.loads(result.read_text())["totals"]["uops"]
            print(f"{core} on blackscholes, 2 warps of 4 threads: {uops / seconds / 1e6:.2f} million µops a second")
        print(f"memory: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB at most")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
