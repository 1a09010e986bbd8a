#!/usr/bin/env python3
"""`warpfork sweep --engine slurm` on a Slurm of three nodes: slurm_test.py WARPFORK [TEST…]

Nodes, the controller and the sweep itself are killed in mid-run. Exit status 77: it cannot run here, and says why.
"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

import experiment_test  # which finds emulator
import emulator
import slurm_cluster
from slurm_cluster import wait_until

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & has it ignored, for what we start as well

KERNEL = """.version 6.0
.target sm_20
.address_size 64
.visible .entry count(.param .u64 out, .param .u32 times) {
  .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %p1;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [times];
  mov.u32 %r2, 0;
LOOP:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra LOOP;
  st.global.u32 [%rd1], %r2;
  ret;
}
"""
LAUNCH = """kernel = "count"
grid = 1
block = 1
[[argument]]
buffer = "out"
bytes = 4
zeros = true
[[argument]]
scalar = {times}
type = "u32"
[[expect]]
buffer = "out"
type = "u32"
values = [{expected}]
"""
PLAN = """[[program]]
name = "count"
file = "count.ptx"
launch = "{times}.toml"
[[machine]]
machine = "gtx480"
[[axis]]
name = "times"
values = [TIMES]
[[axis]]
name = "latency"
set = "memory.dram.row_to_column"
from = 1
to = POINTS
"""
SHORT, LONG, WRONG = 10, 200_000, 11  # loops of a point: none to speak of, more than a tenth of a second; 11 expects another sum


class SlurmSweep(unittest.TestCase):
    warpfork = ""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = slurm_cluster.Cluster(pathlib.Path(folder.name))
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.start()

    def setUp(self):
        self.cluster.heal()
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "count.ptx").write_text(KERNEL)
        for times in (SHORT, LONG, WRONG):
            expected = times + (times == WRONG)
            (self.folder / f"{times}.toml").write_text(LAUNCH.format(times=times, expected=expected))

    def plan(self, times: str, points: int) -> None:
        (self.folder / "plan.toml").write_text(PLAN.replace("TIMES", times).replace("POINTS", str(points)))

    def start(self, *words: str) -> subprocess.Popen:
        process = subprocess.Popen([self.warpfork, "sweep", "plan.toml", *words], cwd=self.folder,
                                   env=self.cluster.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, preexec_fn=slurm_cluster.die_with_parent)
        self.addCleanup(process.kill)
        return process

    def end(self, process: subprocess.Popen, status: int = 0) -> str:
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, status, output + errors)
        return output

    def sweep(self, *words: str, status: int = 0) -> str:
        return self.end(self.start("--engine", "slurm", *words), status)

    def count(self) -> int:
        return len(list((self.folder / "plan.results" / "points").glob("*.json")))

    def database(self, results: str = "plan.results") -> bytes:
        file = self.folder / results / "results.sqlite"
        file.unlink(missing_ok=True)
        subprocess.run([self.warpfork, "results", "--results", results], cwd=self.folder, check=True, capture_output=True)
        return file.read_bytes()

    def journals(self) -> list[pathlib.Path]:
        """Of all tasks: N.X.journal for each time that task N ran."""
        return list((self.folder / "plan.results" / "slurm").glob("*/*.journal"))

    @staticmethod
    def told(what: str, journals: list[pathlib.Path]) -> list[str]:
        """Keys of the points that have "begun" or "ended" there."""
        lines = [json.loads(line) for file in journals for line in file.read_text().splitlines()]
        return [line[what] for line in lines if what in line]

    def begun_again(self, before: set[str]) -> list[tuple[set[str], set[str]]]:
        """Of tasks with new journals: what had ended by the old ones, and what has begun by the new ones."""
        new = [file for file in self.journals() if file.name not in before]
        tasks = {file.name.split(".")[0] for file in new} & {name.split(".")[0] for name in before}
        chosen = [(task, [file for file in new if file.name.startswith(task + ".")]) for task in tasks]
        return [(set(self.told("ended", [file for file in self.journals()
                                         if file.name in before and file.name.startswith(task + ".")])),
                 set(self.told("begun", files))) for task, files in chosen if self.told("begun", files)]

    def assert_same_as_local(self) -> None:
        """As many points, the same bytes, and nothing of ours left."""
        slurm = self.database()
        self.end(self.start("--results", "local.results"))
        self.assertEqual(slurm, self.database("local.results"))
        self.assert_nothing_is_left()

    def assert_nothing_is_left(self) -> None:
        wait_until(lambda: self.cluster.jobs() == [], "no job is left")
        self.assertEqual(list((self.folder / "plan.results").glob("slurm/*")), [])

    def test_gives_what_the_local_engine_gives(self):
        self.plan(str(SHORT), 60)
        output = self.sweep("--chunk", "7", "--jobs", "2", '--sbatch=--comment="a b" --time=5')
        self.assertIn("60 points: 60 there\n", output)
        self.assert_same_as_local()
        runs = (self.folder / "plan.results" / "times.jsonl").read_text().split("\n")
        self.assertEqual(len([run for run in runs if run]), 60)

    @unittest.skipUnless(emulator.takes_plugins(), emulator.WANTED)
    def test_an_experiment_has_the_same_figures_by_slurm(self):
        (self.folder / "count.c").write_text(experiment_test.PROGRAM)
        subprocess.run(experiment_test.COMPILE, cwd=self.folder, check=True)
        (self.folder / "counting.toml").write_text(experiment_test.EXPERIMENT.replace("TURNS", "100"))
        words = [self.warpfork, "experiment", "counting.toml", "--programs", ".", "--json", "-"]
        figures = [subprocess.run([*words, "--results", f"{engine}.results", "--engine", engine], cwd=self.folder,
                                  env=self.cluster.environment, check=True, capture_output=True).stdout
                   for engine in ("slurm", "local")]
        self.assertIn(b'"figures"', figures[0])
        self.assertEqual(figures[0], figures[1])
        wait_until(lambda: self.cluster.jobs() == [], "no job is left")

    def test_a_killed_node_loses_no_point_and_doubles_none(self):
        self.plan(str(LONG), 24)
        sweep = self.start("--engine", "slurm", "--chunk", "4")
        wait_until(lambda: self.count() >= 3, "first points")
        before = {file.name for file in self.journals()}
        self.assertGreater(len(before), 1)
        self.cluster.kill("node1")
        wait_until(lambda: any(self.begun_again(before)), "a task that runs again")
        for first, again in self.begun_again(before):
            self.assertEqual(first & again, set())
        self.cluster.start_node("node1")
        self.assertIn("24 points: 24 there\n", self.end(sweep))
        self.assert_same_as_local()

    # A controller that is killed may run tasks again that ran meanwhile, both at once, and hold others back.
    def test_a_killed_controller_loses_no_point_and_doubles_none(self):
        self.plan(str(LONG), 24)
        sweep = self.start("--engine", "slurm", "--chunk", "4")
        wait_until(lambda: self.count() >= 3, "first points")
        self.cluster.kill("controller")
        wait_until(lambda: self.count() >= 8, "points without a controller")
        self.cluster.start_controller()
        self.assertIn("24 points: 24 there\n", self.end(sweep))
        self.assert_same_as_local()

    def test_a_killed_sweep_is_taken_up_without_submitting_again(self):
        self.plan(str(LONG), 20)
        sweep = self.start("--engine", "slurm", "--chunk", "3")
        wait_until(lambda: self.count() >= 3, "first points")
        sweep.kill()
        sweep.communicate()
        arrays = list((self.folder / "plan.results" / "slurm").iterdir())
        again = self.start("--engine", "slurm", "--chunk", "3")
        wait_until(lambda: self.count() >= 10 or again.poll() is not None, "more points")
        self.assertEqual(list((self.folder / "plan.results" / "slurm").iterdir()), arrays)
        begun = self.told("begun", self.journals())
        self.assertEqual(len(set(begun)), len(begun))
        self.assertIn("20 points: 20 there\n", self.end(again))
        self.assert_same_as_local()

    def test_detached_it_goes_on_alone_and_is_collected_by_the_same_command(self):
        self.plan(f"{SHORT}, {WRONG}", 5)
        self.assertIn("Slurm is at work on them", self.sweep("--detach"))
        self.assertIn("some are under way on a cluster\n", self.sweep("--dry-run"))
        refused = self.start()
        self.assertIn("are under way on a cluster", refused.communicate()[1])
        wait_until(lambda: self.cluster.jobs() == [], "all tasks")
        output = self.sweep(status=1)
        self.assertIn("10 points: 5 there, 5 failed\n", output)
        self.assertRegex(output, r" 5  exit: .*out")
        self.assertEqual(list((self.folder / "plan.results").glob("slurm/*")), [])

    def test_interrupted_it_cancels_its_tasks_and_goes_on_later(self):
        self.plan(str(LONG), 24)
        sweep = self.start("--engine", "slurm", "--chunk", "4")
        wait_until(lambda: self.count() >= 2, "first points")
        sweep.send_signal(signal.SIGINT)
        output, _ = sweep.communicate(timeout=60)
        self.assertIn("interrupted: the same command goes on from here", output)
        self.assert_nothing_is_left()
        self.assertEqual(list((self.folder / "plan.results" / "failures").iterdir()), [])
        self.assertLess(self.count(), 24)
        self.assertIn("24 points: 24 there\n", self.sweep())
        self.assert_same_as_local()

    def test_what_somebody_cancels_has_failed_until_it_is_retried(self):
        self.plan(str(LONG), 20)
        sweep = self.start("--engine", "slurm", "--chunk", "2")
        wait_until(lambda: self.count() >= 1, "first points")
        self.cluster.ask("scancel", "--me")  # six tasks at a time run, the others wait
        failures = self.end(sweep, 1).splitlines()[1:-2]
        self.assertTrue(all("cancelled: its Slurm task was cancelled" in line for line in failures[::2]), failures)
        self.assertIn("20 points: 20 there\n", self.sweep("--retry", "cancelled"))
        self.assert_same_as_local()

    def test_what_slurm_does_not_take_is_told_with_its_reason(self):
        self.plan(str(SHORT), 2)
        refused = self.start("--engine", "slurm", "--sbatch=--partition=none")
        self.assertIn("Slurm takes no jobs of this sweep: ", refused.communicate()[1])
        self.assert_nothing_is_left()


if __name__ == "__main__":
    if reason := slurm_cluster.why_not():
        print(f"skipped: {reason}")
        sys.exit(77)
    slurm_cluster.enter_namespace()
    SlurmSweep.warpfork = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(warnings="ignore")
