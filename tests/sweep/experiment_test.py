#!/usr/bin/env python3
"""Tests of `warpfork experiment` as a plan of a sweep: experiment_test.py WARPFORK [TEST…]

The benchmark is a recorded program that counts.
"""
import csv
import io
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import emulator  # noqa: E402  (of the folder above)

PROGRAM = """#include <stdlib.h>
__attribute__((noinline)) int work(int turns) {
  volatile int sum = 0;
  for (int i = 0; i < turns; i++) sum += i;
  return sum < 0;
}
int main(int words, char** word) { return words == 2 ? work(atoi(word[1])) : 3; }
"""
EXPERIMENT = """title = "Counting"
paper = "none"
baseline = "smt"
[[configuration]]
name = "smt"
core = "smt"
warps = 1
threads = 1
[[configuration]]
name = "simt-x"
core = "simt-x"
warps = 1
threads = 1
[[benchmark]]
name = "few"
program = "count"
region = ["work"]
small = ["TURNS"]
[[benchmark]]
name = "many"
program = "count"
region = ["work"]
small = ["20000"]
[[figure]]
name = "Figure 1"
title = "speed"
mean = "arithmetic"
[[figure.quantity]]
title = "cycles"
value = "cycles"
"""
COMPILE = ["gcc", "-static", "-no-pie", "-fcf-protection=none", "-O1", "-o", "count", "count.c"]
CHECKER = ROOT / "scripts" / "validate_result.py"


@unittest.skipUnless(emulator.takes_plugins(), emulator.WANTED)
class Experiment(unittest.TestCase):
    warpfork = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "count.c").write_text(PROGRAM)
        subprocess.run(COMPILE, cwd=self.folder, check=True)
        self.describe("100")

    def describe(self, turns: str) -> None:
        (self.folder / "counting.toml").write_text(EXPERIMENT.replace("TURNS", turns))

    def command(self, *words: str) -> list[str]:
        return [self.warpfork, "experiment", "counting.toml", "--programs", ".", "--jobs", "2", *words]

    def run_words(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)

    def experiment(self, *words: str) -> str:
        done = self.run_words(*self.command(*words))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def files(self, part: str = "points") -> dict[str, tuple[int, bytes]]:
        return {file.name: (file.stat().st_mtime_ns, file.read_bytes())
                for file in (self.folder / "counting.results" / part).iterdir()}

    def test_what_is_there_is_neither_run_nor_recorded_again(self):
        first = self.experiment()
        before, recordings = self.files(), self.files("recordings")
        self.assertEqual((len(before), len(recordings)), (4, 2))
        self.assertEqual(self.experiment(), first)
        self.assertEqual(self.files(), before)
        self.describe("101")
        self.experiment()
        self.assertEqual(len(self.files()), 6)
        self.assertEqual({name: self.files("recordings")[name] for name in recordings}, recordings)

    def test_its_numbers_are_those_of_its_points(self):
        text = self.experiment("--json", "figures.json")
        figures = json.loads((self.folder / "figures.json").read_text())
        done = self.run_words(self.warpfork, "results", "query",
                              "SELECT program, machine, cycles FROM points ORDER BY 1, 2", "--csv", "-")
        rows = list(csv.reader(io.StringIO(done.stdout)))[1:]
        self.assertEqual(len(rows), 4, done.stderr)
        for program, machine, cycles in rows:
            self.assertEqual(figures["figures"][0]["quantities"][0]["values"][program][machine], int(cycles))
        self.assertIn("Figure 1: speed", text)

    def test_all_that_it_writes_conforms_to_the_schemas(self):
        self.experiment("--json", "figures.json")
        files = [self.folder / "figures.json", *(self.folder / "counting.results" / "points").iterdir()]
        done = self.run_words(sys.executable, str(CHECKER), "--strict", *map(str, files))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_killed_again_and_again_it_ends_with_the_same_figures(self):
        whole = self.experiment("--results", "whole")
        for seconds in (0.02, 0.1, 0.2, 0.3, 0.4):
            process = subprocess.Popen(self.command(), cwd=self.folder, stdout=subprocess.DEVNULL)
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.assertEqual(self.experiment(), whole.replace("whole", "counting.results"))
        self.assertEqual(self.files("running"), {})

    def test_a_program_that_cannot_be_recorded_is_told(self):
        self.describe('1", "2')
        done = self.run_words(*self.command())
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"few-1-[0-9a-f]{16}: could not be recorded: (.|\n)*never came to 'work'")

    def test_runs_that_failed_are_kept_told_and_run_again(self):
        (self.folder / "counting.toml").write_text(
            (self.folder / "counting.toml").read_text().replace('core = "simt-x"', 'core = "simt-x"\nset = ["rename=none"]'))
        done = self.run_words(*self.command())
        self.assertEqual(done.returncode, 1)
        self.assertIn("4 points: 2 there, 2 failed", done.stderr)
        self.assertIn("the same command runs its points again", done.stderr)
        failed = next(iter(self.files("failures")))[:16]
        told = self.run_words(self.warpfork, "why", failed, "--results", "counting.results").stdout
        self.assertRegex(told, r"on simt-x\n(.*\n)*It failed: error: ")
        self.describe("100")
        self.experiment()


if __name__ == "__main__":
    Experiment.warpfork = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
