#!/usr/bin/env python3
"""Which results another commit had otherwise: results_against.py BUILD_FOLDER [COMMIT] [--experiment NAME]…

COMMIT (default: the last release, that is git tag) is checked out and built under build/against. Each simulator runs the
calibration kernels, then the experiments at scale `small`, each with the programs and statements of its own commit. What
is printed are the rows that differ, before (COMMIT) and after (BUILD_FOLDER): cycles of calibration kernels, means of the
experiments' figures, and the values that stand beside the papers' statements. Exit status 1 if an experiment failed.

Rows of simt-x differ, too, by where the two checkouts lie: a recorded program's path is on its stack, and a longer one moves
what lies there. (Measured: pathfinder of either commit takes as many cycles from folders with names of one length. Of two
checkouts whose simulators give the same cycles for a recording, rows differed by 1 % in the median, at most by 49 %.)
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import calibrate
from other_commit import ROOT, built, last_release

Rows = dict[tuple[str, ...], float]


def calibration(build: pathlib.Path, folder: pathlib.Path) -> Rows:
    """Cycles by machine and kernel; a kernel that does not run has none."""
    cases = json.loads((calibrate.FOLDER / "reference.json").read_text())["cases"]
    runs = {(machine, name): calibrate.run(str(build / "warpfork"), machine, case, False, folder)[0]
            for machine in calibrate.MACHINES for name, case in cases.items()}
    return {row: launch["cycles"] for row, launch in runs.items() if "cycles" in launch}


def headlines(document: dict) -> Rows:
    """Means by figure, quantity and configuration; what stands beside a statement by figure, its number and its text."""
    rows: Rows = {}
    for figure in document["figures"]:
        for quantity in figure["quantities"]:
            for configuration, mean in quantity.get("means", {}).items():
                rows[figure["name"], quantity["title"], f"{figure['mean']}, {configuration}"] = mean
        for number, claim in enumerate(figure["claims"], 1):
            rows[figure["name"], f"statement {number}", claim["text"]] = claim["here"]
    return rows


def experiment(build: pathlib.Path, name: str, folder: pathlib.Path) -> Rows | None:
    """None if it fails."""
    result = folder / f"{name}.json"
    done = subprocess.run([build / "warpfork", "experiment", name, "--scale", "small", "--results", folder / f"{name}.results",
                           "--json", result], stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        print(f"{name}: failed with exit status {done.returncode} in {build}")
        return None
    return headlines(json.loads(result.read_text()))


def report(title: str, before: Rows, after: Rows) -> None:
    """Prints the rows that differ or that one of them lacks, in the order of the present ones."""
    rows = list(dict.fromkeys([*after, *before]))
    changed = [row for row in rows if before.get(row) != after.get(row)]
    print(f"== {title}: {len(changed)} of {len(rows)} rows differ" + (", before and after" if changed else ""))
    for row in changed:
        values = ["–" if rows.get(row) is None else f"{rows[row]:.4g}" if isinstance(rows[row], float) else str(rows[row])
                  for rows in (before, after)]
        print(f"{', '.join(row):<90}{values[0]:>12}{values[1]:>12}")
    print(flush=True)


def compare_experiment(name: str, builds: list[pathlib.Path], folders: list[pathlib.Path]) -> bool:
    """Whether both could run it."""
    before, after = (experiment(build, name, folder) for build, folder in zip(builds, folders))
    if before is None or after is None:
        print(f"== experiment {name}: not compared\n", flush=True)
        return False
    report(f"experiment {name}", before, after)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("commit", nargs="?")
    experiments = sorted(file.parent.name for file in (ROOT / "experiments").glob("*/experiment.toml"))
    parser.add_argument("--experiment", action="append", choices=experiments, help="only this one, and calibration")
    options = parser.parse_args()
    builds = [built(options.commit or last_release(), "all", "spmd"), options.build.resolve()]
    with tempfile.TemporaryDirectory() as folder:
        folders = [pathlib.Path(folder) / name for name in ("before", "after")]
        for each in folders:
            each.mkdir()
        report("calibration, cycles", *map(calibration, builds, folders))
        compared = [compare_experiment(name, builds, folders) for name in options.experiment or experiments]
    return 0 if all(compared) else 1


if __name__ == "__main__":
    sys.exit(main())
