#!/usr/bin/python3
"""Breaks divergence mechanisms and rooms in small ways and counts how many the tests notice.

  scripts/mutation_check.py [--dry-run] [--jobs N] [NAME…]      (default: all, mechanisms and rooms)

The ways are data: tests/mutation/NAME.toml holds a list of [[mutant]] with `file`, `what` (in words), `find` (must
occur exactly once in the file), `replace` and, where no test can notice, `equivalent`: why. Each is built and tested in
a copy of the tree, N of them side by side (default: a copy a processor), by the tests of the room in which the file
lies; a test that fails, crashes or hangs has noticed. Prints

  pdom 1/14     4.2 s  caught by PdomStack.runs_the_first_path_first_then_the_second_then_all: wrong order of the sides
  …
  pdom: 14 mutants, 13 caught, 1 equivalent, 0 survive

Exit status 1 if a mutant survives that is not called equivalent, does not compile, or is caught though it is. With
--dry-run nothing is built: says only whether every `find` still occurs once.
"""
import argparse
import concurrent.futures
import os
import pathlib
import queue
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 120  # of a processor, for a whole run; without a fault: about 5 in divergence, 30 in ooo
MEMORY = 1 << 32  # bytes of address space: mutants may fill tables without end, recorded threads reserve much
PROGRAMS = 300  # of each contract test
LEFT_OUT = "LaunchAddresses.device_memory_that_reaches*"  # reserves more address space than MEMORY


def every_name() -> list[str]:
    return sorted(file.stem for file in (ROOT / "tests" / "mutation").glob("*.toml"))


def load(name: str) -> list[dict]:
    path = ROOT / "tests" / "mutation" / f"{name}.toml"
    if not path.exists():
        sys.exit(f"mutation_check: no {path.relative_to(ROOT)}; there are files for: "
                 + ", ".join(every_name()))
    mutants = tomllib.loads(path.read_text())["mutant"]
    for mutant in mutants:
        times = (ROOT / mutant["file"]).read_text().count(mutant["find"])
        if times != 1:
            sys.exit(f"mutation_check: {path.relative_to(ROOT)}, '{mutant['what']}': "
                     f"`find` occurs {times} times in {mutant['file']}, not once:\n{mutant['find']}")
    return mutants


def tests_of(mutant: dict) -> str:
    """The test program of the room in which the mutant's file lies."""
    return f"test_{pathlib.PurePath(mutant['file']).parts[1]}"


class Tree:
    """A copy of the working tree with a build folder of its own."""

    def __init__(self, folder: pathlib.Path):
        self.root, self.build_folder = folder, folder / "build" / "release"
        # Places, paths and flags in the compiler's cache are those of ./dev build, whose objects are found there.
        self.environment = os.environ | {
            "CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1", "CCACHE_SLOPPINESS": "pch_defines,time_macros",
            "CCACHE_IGNOREOPTIONS": "-w", "WARPFORK_CONTRACT_PROGRAMS": str(PROGRAMS)}
        shutil.copytree(ROOT, self.root, symlinks=True, ignore=shutil.ignore_patterns(".git", "build", "out"))
        # -w: a mutant may leave something unused.
        self.command("cmake", "-S", self.root, "-B", self.build_folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                     "-DCMAKE_CXX_FLAGS=-w").check_returncode()

    def command(self, *words, **options) -> subprocess.CompletedProcess:
        return subprocess.run(words, cwd=self.root, env=self.environment, capture_output=True, text=True, **options)

    def verdict(self, tests: str, jobs: int = 1) -> str:
        """"survives", "caught by …" or "does not compile: …"."""
        build = self.command("ninja", "-C", self.build_folder, "-j", str(jobs), tests)
        if build.returncode != 0:
            error = re.search(r"error: .*", build.stdout)
            return f"does not compile: {error[0] if error else build.stdout[-500:]}"
        test = self.command(self.build_folder / tests, "--gtest_fail_fast", f"--gtest_filter=-{LEFT_OUT}",
                            preexec_fn=set_limits)
        if test.returncode == 0:
            return "survives"
        if test.returncode == -signal.SIGXCPU:
            return f"caught by {last_started(test.stdout)} (hangs)"
        failed = re.search(r"\[  FAILED  \] ([\w/.]+)", test.stdout)
        return f"caught by {failed[1] if failed else last_started(test.stdout) + ' (crashes)'}"

    def verdict_with(self, mutant: dict) -> str:
        path = self.root / mutant["file"]
        original = path.read_text()
        path.write_text(original.replace(mutant["find"], mutant["replace"]))
        try:
            return self.verdict(tests_of(mutant))
        finally:
            path.write_text(original)


def set_limits():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))


def last_started(output: str) -> str:
    return re.findall(r"\[ RUN      \] (\S+)", output)[-1]


class Trees:
    """Copies that try mutants side by side."""

    def __init__(self, folder: pathlib.Path, count: int):
        self.pool = concurrent.futures.ThreadPoolExecutor(count)
        self.trees = [Tree(folder / str(number)) for number in range(count)]
        self.idle = queue.SimpleQueue()
        for tree in self.trees:
            self.idle.put(tree)

    def verdicts(self, mutants: list[dict]):
        """Of each, in their order: what became of it, and after how many seconds."""
        return self.pool.map(self.timed_verdict, mutants)

    def timed_verdict(self, mutant: dict) -> tuple[str, float]:
        tree = self.idle.get()
        start = time.monotonic()
        try:
            return tree.verdict_with(mutant), time.monotonic() - start
        finally:
            self.idle.put(tree)


def check(name: str, mutants: list[dict], trees: Trees) -> bool:
    """Prints a line per mutant and their sum. Returns whether all is as it should be."""
    caught = equivalent = 0
    faults = []
    for number, (mutant, (verdict, seconds)) in enumerate(zip(mutants, trees.verdicts(mutants)), 1):
        is_equivalent = "equivalent" in mutant and verdict == "survives"
        caught += verdict.startswith("caught")
        equivalent += is_equivalent
        if not is_equivalent and ("equivalent" in mutant or not verdict.startswith("caught")):
            faults.append(f"{mutant['what']} ({mutant['file']}): {verdict}"
                          + (", though called equivalent" if "equivalent" in mutant else ""))
        place = f"{name} {number}/{len(mutants)}"
        print(f"{place:<20} {seconds:5.1f} s  {'equivalent' if is_equivalent else verdict}: "
              f"{mutant['what']}", flush=True)
    print(f"{name}: {len(mutants)} mutants, {caught} caught, {equivalent} equivalent, "
          f"{len(mutants) - caught - equivalent} survive")
    for fault in faults:
        print(f"  FAULT: {fault}")
    sys.stdout.flush()
    return not faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("name", nargs="*", help="mechanisms and rooms; default: all")
    parser.add_argument("--dry-run", action="store_true", help="only look for every `find`")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="copies side by side")
    arguments = parser.parse_args()
    mutants = {name: load(name) for name in arguments.name or every_name()}
    if arguments.dry_run:
        return 0
    with tempfile.TemporaryDirectory(prefix="warpfork-mutation-") as folder:
        start = time.monotonic()
        trees = Trees(pathlib.Path(folder), arguments.jobs)
        for tests in sorted({tests_of(mutant) for list_ in mutants.values() for mutant in list_}):
            for tree in trees.trees:  # the second finds in ccache what the first has compiled
                verdict = tree.verdict(tests, arguments.jobs)
                if verdict != "survives":
                    sys.exit(f"mutation_check: {tests} of the tree as it is: {verdict}")
        print(f"{'unchanged tree':<20} {time.monotonic() - start:5.1f} s  passes", flush=True)
        results = [check(name, list_, trees) for name, list_ in mutants.items()]
    print(f"{sum(map(len, mutants.values()))} mutants in {time.monotonic() - start:.0f} s")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
