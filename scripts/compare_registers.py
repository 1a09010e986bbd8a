#!/usr/bin/env python3
"""Compares allocated registers a thread with those of ptxas, kernel by kernel.

    scripts/compare_registers.py [--cycles] build/release/warpfork build/release/workloads/* [more programs or PTX files]

Compared are the vector registers of `warpfork inspect --registers` (machine gtx480) and one more: ptxas always keeps R1 for
the stack pointer. Exit status 1 if the mean ratio is not within 15 %. With --cycles the programs run as well, each kernel
timed with its own allocation and with the number of ptxas for occupancy: how many cycles the difference is worth.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FIGURES = pathlib.Path(__file__).resolve().parent.parent / "tests/data/ptxas_registers.json"
STACK_POINTER = 1


def allocated(warpfork: str, file: pathlib.Path) -> dict[str, int]:
    text = subprocess.run([warpfork, "inspect", str(file), "--registers"], check=True, capture_output=True, text=True).stdout
    return {name: int(number) for name, number in re.findall(r"^kernel (\S+): .*\n(\d+) registers? a thread", text, re.M)}


def cycles(warpfork: str, file: pathlib.Path, kernel: str, *options: str) -> int:
    """Of all launches of the kernel, at the program's default size; 0 if it does not end by itself."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        done = subprocess.run([warpfork, "run", "--kernels", f"^{kernel}$", *options, "--json", str(result), str(file)],
                              check=False, capture_output=True)
        return 0 if done.returncode != 0 else sum(launch.get("cycles", 0) for launch in json.loads(result.read_text())["launches"])


def main() -> int:
    with_cycles = "--cycles" in sys.argv
    if with_cycles:
        sys.argv.remove("--cycles")
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    figures = json.loads(FIGURES.read_text())["registers"]
    ratios, costs = [], []
    print(f"{'program':<20} {'kernel':<28} {'ours':>5} {'ptxas':>6} {'ratio':>6}" + " cycles with ours / with ptxas's" * with_cycles)
    for file in (pathlib.Path(name) for name in sys.argv[2:]):
        if file.stem not in figures or not file.is_file():
            continue
        for kernel, number in allocated(sys.argv[1], file).items():
            if kernel not in figures[file.stem]:
                continue
            ours, theirs = number + STACK_POINTER, figures[file.stem][kernel]
            ratios.append(ours / theirs)
            print(f"{file.stem:<20} {kernel.replace('_ZN12_GLOBAL__N_1', '')[:28]:<28} {ours:>5} {theirs:>6} {ours / theirs:>6.2f}",
                  end="")
            if with_cycles:
                with_ours = cycles(sys.argv[1], file, kernel)
                with_theirs = cycles(sys.argv[1], file, kernel, "--set", f"core.registers_per_thread={theirs}")
                if with_ours and with_theirs:
                    costs.append(with_ours / with_theirs)
                    print(f" {with_ours:>11} {with_theirs:>11} {costs[-1]:>6.3f}", end="")
            print()
    if not ratios:
        print("compare_registers: none of these files has figures", file=sys.stderr)
        return 1
    mean, deviation = sum(ratios) / len(ratios), sum(abs(ratio - 1) for ratio in ratios) / len(ratios)
    print(f"\n{len(ratios)} kernels: mean ratio {mean:.2f}, mean deviation {deviation:.1%}, largest ratio {max(ratios):.2f}")
    if costs:
        off = sum(abs(cost - 1) for cost in costs) / len(costs)
        print(f"cycles: mean deviation {off:.1%}, most {max(costs):.3f}, fewest {min(costs):.3f}")
    return 0 if abs(mean - 1) <= 0.15 else 1


if __name__ == "__main__":
    sys.exit(main())
