#!/usr/bin/env python3
"""Tests of `warpfork sweep`, `why` and `results` as a user meets them: sweep_test.py WARPFORK [TEST…]

The work is a bare kernel of four threads.
"""
import csv
import io
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

KERNEL = """.version 6.0
.target sm_20
.address_size 64
.visible .entry number(.param .u64 out, .param .u32 start) {
  .reg .b32 %r<4>; .reg .b64 %rd<3>; .reg .pred %p1;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r3, [start];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p1, %r1, 1;
  @%p1 bra DONE;
  add.u32 %r2, %r1, %r3;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r2;
DONE:
  ret;
}
"""
LAUNCH = """kernel = "number"
grid = 1
block = 4
[[argument]]
buffer = "out"
bytes = 16
zeros = true
[[argument]]
scalar = {start}
type = "u32"
[[expect]]
buffer = "out"
type = "u32"
values = [7, 8, 0, 0]
"""
PLAN = """[[program]]
name = "number"
file = "number.ptx"
launch = "number{start}.toml"
[[machine]]
machine = "gtx480"
[[axis]]
name = "start"
values = [7]
[[axis]]
name = "warps"
set = "KEY"
from = 1
to = 2
"""


class Sweep(unittest.TestCase):
    warpfork = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "number.ptx").write_text(KERNEL)
        for start in (7, 8):
            (self.folder / f"number{start}.toml").write_text(LAUNCH.format(start=start))

    def plan(self, values: str, starts: str = "[7]", key: str = "memory.dram.row_to_column") -> None:
        """A plan of one kernel with an axis of starts and one of a machine's key."""
        (self.folder / "plan.toml").write_text(
            PLAN.replace("from = 1\nto = 2", values).replace("[7]", starts)
            .replace("KEY", key))

    def run_warpfork(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([self.warpfork, *words], cwd=self.folder, capture_output=True, text=True, check=False)

    def sweep(self, *words: str, status: int = 0) -> str:
        done = self.run_warpfork("sweep", "plan.toml", "--jobs", "2", *words)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def files(self, part: str = "points") -> dict[str, tuple[int, bytes]]:
        return {file.name: (file.stat().st_mtime_ns, file.read_bytes())
                for file in (self.folder / "plan.results" / part).iterdir()}

    def count(self) -> int:
        return len(list((self.folder / "plan.results").glob("points/*.json")))

    def query(self, sql: str) -> list[list[str]]:
        done = self.run_warpfork("results", "query", sql, "--csv", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(csv.reader(io.StringIO(done.stdout)))[1:]

    def database(self) -> bytes:
        (self.folder / "plan.results" / "results.sqlite").unlink(missing_ok=True)
        self.assertEqual(self.run_warpfork("results").returncode, 0)
        return (self.folder / "plan.results" / "results.sqlite").read_bytes()

    def test_points_that_are_there_are_not_run_again(self):
        self.plan("values = [10, 11]")
        self.assertIn("2 points: 2 there", self.sweep())
        first = self.files()
        self.plan("values = [10, 11, 12]")
        self.assertIn("3 points: 3 there", self.sweep())
        self.assertEqual({name: self.files()[name] for name in first}, first)

    def test_a_dry_run_says_what_would_be_run_and_runs_nothing(self):
        self.plan("values = [10]")
        self.sweep()
        self.plan("values = [10, 11]")
        text = self.sweep("--dry-run")
        self.assertRegex(text, r"[0-9a-f]{16}  there +number on gtx480: start 7, warps 10\n")
        self.assertRegex(text, r"[0-9a-f]{16}  to run +number on gtx480: start 7, warps 11\n")
        self.assertIn("1 to run, about less than 1 s", text)
        self.assertEqual(len(self.files()), 1)

    def test_a_changed_input_or_program_makes_other_points(self):
        self.plan("values = [10]")
        self.sweep()
        old = next(iter(self.files()))[:16]
        (self.folder / "number.ptx").write_text(KERNEL + "// changed\n")
        new = self.sweep("--dry-run")[:16]
        self.assertNotEqual(old, new)
        text = self.run_warpfork("why", new).stdout
        self.assertIn("It is not there: a sweep runs it.", text)
        self.assertIn(f"{old} in points/ was the same but for: program\n", text)
        self.assertIn("The plan as it is now does not have it", self.run_warpfork("why", old).stdout)

    def test_a_changed_price_makes_other_points_where_energy_is_asked_for(self):
        prices = pathlib.Path(__file__).resolve().parents[2] / "machines" / "prices" / "40nm.toml"
        (self.folder / "own.toml").write_text(prices.read_text())
        for energy, changes in (("true", True), ("false", False)):
            plan = PLAN.replace('machine = "gtx480"', 'machine = "gtx480"\nset = ["energy.prices=own.toml"]')
            (self.folder / "plan.toml").write_text(f"energy = {energy}\n" + plan.replace("KEY", "memory.dram.row_to_column"))
            old = self.sweep("--dry-run")
            (self.folder / "own.toml").write_text((self.folder / "own.toml").read_text() + "# changed\n")
            self.assertEqual(self.sweep("--dry-run") != old, changes)

    def test_failures_are_kept_grouped_and_retried_by_cause(self):
        self.plan("values = [10, 11]", starts="[7, 8]")
        text = self.sweep(status=1)
        self.assertIn("4 points: 2 there, 2 failed\n", text)
        self.assertRegex(text, r" 2  exit: .*out")
        before = self.files("failures")
        self.sweep(status=1)
        self.assertEqual(self.files("failures"), before)
        self.sweep("--retry", "signal", status=1)
        self.assertEqual(self.files("failures"), before)
        self.sweep("--retry", "exit", status=1)
        self.assertNotEqual(self.files("failures"), before)
        failed = next(iter(before))[:16]
        self.assertIn("It failed: exit:", self.run_warpfork("why", failed).stdout)
        self.assertEqual(self.query("SELECT state, count(*) FROM points GROUP BY 1"), [["done", "2"], ["failed", "2"]])

    def test_a_program_that_the_system_kills_lacked_memory_and_others_died_of_their_signals(self):
        names = {"KILL": "memory", "SEGV": "signal"}
        plan = '[[machine]]\nmachine = "gtx480"\n'
        for name in names:
            program = self.folder / name
            program.write_text(f"#!/bin/sh\nkill -{name} $$\n")
            program.chmod(0o755)
            plan += f'[[program]]\nfile = "{name}"\n'
        (self.folder / "plan.toml").write_text(plan)
        self.sweep(status=1)
        self.assertEqual(dict(self.query("SELECT program, cause FROM points")), names)
        self.assertIn("1  memory: KILL was killed by the system", self.sweep(status=1))

    def test_what_is_wrong_in_a_plan_is_told_with_its_place(self):
        self.plan("values = [10]", key="memory.dram.row_to_colunm")
        done = self.run_warpfork("sweep", "plan.toml")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"plan.toml:6:\d+: error: point 'number on gtx480: start 7, warps 10'.*row_to_colunm")
        (self.folder / "number7.toml").write_text(LAUNCH.format(start=7).replace("zeros = true", 'zeros = true\noutput = "x"'))
        self.plan("values = [10]")
        self.assertIn("all points would write the same file", self.run_warpfork("sweep", "plan.toml").stderr)

    def test_a_plan_may_ask_what_each_line_cost(self):
        plan = PLAN.replace("from = 1\nto = 2", "values = [10]").replace("KEY", "memory.dram.row_to_column")
        (self.folder / "plan.toml").write_text("lines = true\n" + plan)
        self.sweep()
        rows = self.query("SELECT ptx_line, issues, transactions, branches FROM lines WHERE ptx_line = 14 OR branches = 1 "
                          "ORDER BY ptx_line")
        self.assertEqual(rows, [["10", "1", "0", "1"], ["14", "1", "1", "0"]])

    def test_without_timing_there_are_no_times_and_what_was_executed(self):
        plan = PLAN.replace("from = 1\nto = 2", "values = [10]").replace("KEY", "memory.dram.row_to_column")
        (self.folder / "plan.toml").write_text("functional_only = true\n" + plan)
        self.sweep()
        columns = "cycles, ipc, warp_instructions, simd_efficiency"  # four of 32 lanes, and two after the branch
        rows = {view: self.query(f"SELECT {columns} FROM {view}")[0] for view in ("points", "kernels")}
        self.assertEqual(rows["points"], rows["kernels"])
        self.assertEqual(rows["points"][:2], ["", ""])
        self.assertGreater(float(rows["points"][3]), 2 / 32)
        self.assertLess(float(rows["points"][3]), 4 / 32)

    def test_what_cannot_be_printed_is_told_with_its_cause_and_by_the_status(self):
        self.plan("values = [10]")
        run = ["run", "--host-time", "-", "number.ptx", "--launch", "number7.toml"]  # its report goes to standard error
        with open("/dev/full", "w", encoding="utf-8") as full:
            def done(words: list[str], **streams) -> subprocess.CompletedProcess:
                return subprocess.run([self.warpfork, *words], cwd=self.folder, text=True, check=False, **streams)
            listed = done(["sweep", "plan.toml", "--dry-run"], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(listed.returncode, 1)
            self.assertIn("standard output cannot be written: No space left on device", listed.stderr)
            much = done(["machines", "gtx480"], stdout=full, stderr=subprocess.PIPE)
            self.assertIn("standard output cannot be written: No space left on device", much.stderr)
            self.assertEqual(done(run, stdout=subprocess.DEVNULL, stderr=full).returncode, 1)
        self.assertEqual(self.run_warpfork(*run).returncode, 0)

    def test_every_result_conforms_to_the_schema(self):
        self.plan("values = [10]", starts="[7, 8]")
        self.sweep(status=1)
        checker = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "validate_result.py"
        files = [str(file) for part in ("points", "failures")
                 for file in (self.folder / "plan.results" / part).iterdir()]
        self.assertEqual(len(files), 2)
        done = subprocess.run([sys.executable, str(checker), "--strict", *files], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        document = json.loads(pathlib.Path(files[0]).read_text())
        del document["point"]["hash"]
        (self.folder / "less.json").write_text(json.dumps(document))
        done = subprocess.run([sys.executable, str(checker), str(self.folder / "less.json")], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 1)

    def test_killed_again_and_again_it_ends_with_the_same_bytes(self):
        points = 100
        self.plan(f"from = 1\nto = {points}")
        self.sweep()
        whole, results = self.database(), self.files()
        (self.folder / "plan.results").rename(self.folder / "whole")
        chance = random.Random(14)
        for _ in range(6):
            process = subprocess.Popen([self.warpfork, "sweep", "plan.toml", "--jobs", "2"], cwd=self.folder,
                                       stdout=subprocess.DEVNULL)
            there = self.count() + chance.randrange(1, 6)
            while self.count() < there and process.poll() is None:
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.02))
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertGreater(self.count(), 0)
        self.assertIn(f"{points} points: {points} there", self.sweep())
        self.assertEqual({name: text for name, (_, text) in self.files().items()},
                         {name: text for name, (_, text) in results.items()})
        self.assertEqual(self.database(), whole)
        self.assertEqual(list((self.folder / "plan.results" / "running").iterdir()), [])

    def test_a_signal_to_all_of_its_processes_fails_no_point(self):
        again = "AGAIN:\n  add.u32 %r2, %r2, 1;\n  setp.ne.u32 %p1, %r2, 2000000000;\n  @%p1 bra AGAIN;\n"
        (self.folder / "number.ptx").write_text(KERNEL.replace("DONE:", "DONE:\n  mov.u32 %r2, 0;\n" + again))
        self.plan("values = [10, 11]")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([self.warpfork, "sweep", "plan.toml", "--jobs", "2"], cwd=self.folder,
                                       stdout=subprocess.DEVNULL, start_new_session=True)
            results = self.folder / "plan.results"
            while len(list(results.glob("running/*.log"))) < 2:
                time.sleep(0.01)
            os.killpg(process.pid, number)
            self.assertEqual(process.wait(), -number)
            self.assertEqual(list((results / "failures").iterdir()), [])
            self.assertIn("2 points: 0 there, 2 to run\n", self.sweep("--dry-run"))


if __name__ == "__main__":
    Sweep.warpfork = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
