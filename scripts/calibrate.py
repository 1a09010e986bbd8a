#!/usr/bin/env python3
"""Runs the calibration kernels and prints how far the cycles are from the reference's.

calibrate.py WARPFORK [--machine MACHINE]… [--case REGEX] [--allocated] [--speed] [--check]

The reference executes PTX as it stands, with ptxas's number of registers for occupancy, and so does warpfork here. With
--allocated it does as it does by default: it allocates the registers and executes the allocated code, in which some
instructions may stand twice, so that instruction counts and active-lane histograms are not compared.

Exit status 1 if an output, an instruction count or an active-lane histogram differs; with --check also if the cycles of
any case are more than 20 % off, or those of a machine's cases more than 10 % on average. --speed adds the host's speed.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

LARGEST_ERROR, LARGEST_MEAN_ERROR = 0.2, 0.1
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "bench" / "calibration"

# Machines of reference.json as warpfork's options.
MACHINES = {
    "gtx480": ["--machine", "gtx480"],
    "gtx480_cold_l2": ["--machine", "gtx480", "--set", "memory.l2.filled_by_copies=false"],
    "tesla30": ["--machine", "tesla30", "--set", "core.execution.simple.latency=1",
                "--set", "core.execution.simple.interval=1"],
    "tesla30_uniform_alu": ["--machine", "tesla30"],
}


def run(warpfork: str, machine: str, case: dict, allocated: bool, folder: pathlib.Path) -> tuple[dict, dict, str]:
    """The launch's figures, the host's times, and what went wrong (empty = nothing)."""
    files = {kind: folder / f"{kind}.json" for kind in ("json", "host-time")}
    command = [warpfork, "run", *MACHINES[machine]]
    if not allocated:
        command += ["--set", "core.register_allocation=off",
                    "--set", f"core.registers_per_thread={case['registers_per_thread']}"]
    for kind, file in files.items():
        file.unlink(missing_ok=True)
        command += [f"--{kind}", str(file)]
    command += [str(FOLDER / case["ptx"]), "--launch", str(FOLDER / case["launch"])]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if not files["json"].exists():
        return {}, {}, done.stderr.strip().splitlines()[0] if done.stderr.strip() else f"exit status {done.returncode}"
    launch = json.loads(files["json"].read_text())["launches"][0]
    fault = "" if done.returncode == 0 else "output differs"
    lanes = {str(i): n for i, n in enumerate(launch["active_lanes_histogram"]) if n}
    if not allocated and not fault and lanes != case["active_lanes"]:
        fault = "active lanes differ"
    return launch, json.loads(files["host-time"].read_text()), fault


def report(warpfork: str, machine: str, cases: dict, options: argparse.Namespace, folder: pathlib.Path) -> bool:
    """Prints a machine's table; whether all is well."""
    speed = options.speed
    print(f"{machine:<24}{'reference':>10}{'warpfork':>10}{'error':>9}" + (f"{'kwi/s':>9}" if speed else ""))
    errors, faults = [], 0
    for name, case in cases.items():
        launch, host, fault = run(warpfork, machine, case, options.allocated, folder)
        faults += bool(fault)
        reference = case["cycles"][machine]
        if "cycles" not in launch:
            print(f"  {name:<22}{reference:>10}  {fault}")
            continue
        error = launch["cycles"] / reference - 1
        errors.append(abs(error))
        rate = f"{host['warp_instructions_per_second'] / 1000:>9.0f}" if speed else ""
        mark = " *" if abs(error) > LARGEST_ERROR else "  "
        print(f"  {name:<22}{reference:>10}{launch['cycles']:>10}{error:>8.1%}{rate}{mark}{fault}")
    if not errors:
        return False
    mean = sum(errors) / len(errors)
    within = sum(error <= LARGEST_ERROR for error in errors)
    print(f"  mean error {mean:.1%}, largest {max(errors):.1%}, "
          f"{within} of {len(errors)} within {100 * LARGEST_ERROR:.0f} %\n")
    close = within == len(errors) and mean <= LARGEST_MEAN_ERROR
    return faults == 0 and (close or not options.check)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warpfork")
    parser.add_argument("--machine", action="append", choices=MACHINES)
    parser.add_argument("--case", default="")
    parser.add_argument("--allocated", action="store_true")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    reference = json.loads((FOLDER / "reference.json").read_text())
    cases = {name: case for name, case in reference["cases"].items() if re.search(options.case, name)}
    with tempfile.TemporaryDirectory() as folder:
        good = [report(options.warpfork, machine, cases, options, pathlib.Path(folder))
                for machine in options.machine or MACHINES]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
