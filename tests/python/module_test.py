#!/usr/bin/env python3
"""Tests of the Python module, found on PYTHONPATH, beside the command line: module_test.py WARPFORK [TEST…]"""
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import warpfork

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import emulator  # noqa: E402  (of the folder above)

HEAD = ".version 6.0\n.target sm_20\n.address_size 64\n"
KERNEL = HEAD + """.visible .entry number(.param .u64 out, .param .u32 start) {
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
LONG = HEAD + """.visible .entry long() {
  .reg .u32 %r; .reg .pred %p;
  mov.u32 %r, 0;
AGAIN:
  add.u32 %r, %r, 1;
  setp.lt.u32 %p, %r, 1000000000;
  @%p bra AGAIN;
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
values = [7, 8]
[[axis]]
name = "row"
set = "memory.dram.row_to_column"
from = 11
to = 12
"""


class Module(unittest.TestCase):
    warpfork = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for name, text in (("number.ptx", KERNEL), ("long.ptx", LONG), ("plan.toml", PLAN),
                           ("long.toml", "kernel = \"long\"\ngrid = 1\nblock = 32\n")):
            pathlib.Path(name).write_text(text)
        for start in (7, 8):
            pathlib.Path(f"number{start}.toml").write_text(LAUNCH.format(start=start))

    def told(self, *words: str, status: int = 0) -> subprocess.CompletedProcess:
        done = subprocess.run([self.warpfork, *words], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def assert_refused(self, command: list, call) -> None:
        """The call raises what the command line says."""
        with self.assertRaises(warpfork.Error) as caught:
            call()
        said = self.told(*command, status=1).stderr.removeprefix("warpfork: ").removeprefix("error: ")
        self.assertEqual(f"{caught.exception}\n", said)

    def workload(self, name: str) -> str:
        return str(pathlib.Path(self.warpfork).parent / "workloads" / name)

    # Runs

    def test_a_kernel_is_counted_as_by_the_command_line(self):
        document = json.loads(self.told("run", "--json", "-", "--divergence", "multi-path", "--lines", "--set",
                                        "core.warps=24", "number.ptx", "--launch", "number7.toml").stdout)
        self.assertEqual(warpfork.run_kernel("number.ptx", "number7.toml", divergence="multi-path", lines=True,
                                             set={"core.warps": 24}), document)

    def test_a_cuda_program_is_counted_as_by_the_command_line(self):
        document = json.loads(self.told("run", "--energy", "--json", "-", self.workload("bfs"), "500").stdout)
        self.assertEqual(warpfork.run("bfs", 500, energy=True), document)

    def test_a_launch_is_saved_and_runs_alone(self):
        whole = warpfork.run("bfs", 500, save_launch=(2, "second.wfl"), threads=2, memcheck=True)
        self.assertEqual(warpfork.run("./second.wfl")["launches"][0]["thread_instructions"],
                         whole["launches"][1]["thread_instructions"])

    def test_a_sample_is_that_of_the_command_line(self):
        document = json.loads(self.told("run", "--json", "-", "--sample", "0.5", "--sample-seed", "3", "number.ptx",
                                        "--launch", "number7.toml").stdout)
        self.assertEqual(warpfork.run_kernel("number.ptx", "number7.toml", sample=0.5, sample_seed=3), document)
        with self.assertRaisesRegex(warpfork.Error, "sample: a share from 0 to below 1 is wanted, as 0.1, not 2"):
            warpfork.run_kernel("number.ptx", "number7.toml", sample=2)

    def test_a_comparison_is_that_of_the_command_line(self):
        document = json.loads(self.told("compare", "--divergence", "pdom,tbc", "--json", "-", "number.ptx", "--launch",
                                        "number7.toml").stdout)
        self.assertEqual(warpfork.compare("number.ptx", launch="number7.toml", divergence=["pdom", "tbc"]), document)

    def test_what_a_program_prints_is_heard_by_whom_asked_alone(self):
        script = "import sys, warpfork; warpfork.run('bfs', 500, output=print if len(sys.argv) > 1 else None)"

        def printed(*words: str) -> str:
            return subprocess.run([sys.executable, "-c", script, *words], check=True, capture_output=True,
                                  text=True).stdout
        self.assertEqual(printed(), "")
        self.assertIn("PASS", printed("heard"))

    def test_lists_name_what_there_is(self):
        self.assertIn("capri", [one["name"] for one in warpfork.mechanisms()["divergence"]])
        self.assertIn("stsimt", [one["name"] for one in warpfork.mechanisms()["lanes"]])
        self.assertIn("gtx480", [one["name"] for one in warpfork.machines()])
        self.assertEqual(warpfork.machine("gtx480")["core"]["warps"], 48)
        self.assertIn("simt-x", warpfork.cores())

    # Errors

    def test_an_error_has_the_text_of_the_command_line(self):
        launch = ["number.ptx", "--launch", "number7.toml"]
        self.assert_refused(["run", "--machine", "no", *launch],
                            lambda: warpfork.run_kernel("number.ptx", "number7.toml", machine="no"))
        self.assert_refused(["run", "--set", "core.warp=3", *launch],
                            lambda: warpfork.run_kernel("number.ptx", "number7.toml", set={"core.warp": 3}))
        self.assert_refused(["run", "./number.ptx"], lambda: warpfork.run("number.ptx"))
        self.assert_refused(["cpu", "run", "none.wft"], lambda: warpfork.cpu_run("none.wft"))

    def test_an_option_that_there_is_none_of_is_told_with_the_nearest(self):
        for call, said in (
                (lambda: warpfork.run("bfs", macine="gtx480"),
                 r"^run\(\) got an unexpected keyword argument 'macine'; nearest: machine, "),
                (lambda: warpfork.run_kernel("number.ptx", "number7.toml", thread=2),
                 r"^run_kernel\(\) got an unexpected keyword argument 'thread'; nearest: threads, "),
                (lambda: warpfork.compare("bfs", threads=2), r"^compare\(\) got an unexpected keyword argument 'threads'")):
            self.assertRaisesRegex(TypeError, said, call)

    def test_a_comparison_takes_no_option_that_it_would_not_heed(self):
        for option in ("lines", "interval", "racecheck", "memcheck", "sample", "save_launch"):
            self.assertRaisesRegex(TypeError, rf"^compare\(\) got an unexpected keyword argument '{option}'",
                                   warpfork.compare, "bfs", **{option: 1})

    def test_as_many_threads_are_taken_as_there_are_processors(self):
        self.assertEqual(warpfork.run_kernel("number.ptx", "number7.toml", threads="auto"),
                         warpfork.run_kernel("number.ptx", "number7.toml"))

    def test_an_option_that_cannot_be_is_named(self):
        def run(**options):
            return warpfork.run_kernel("number.ptx", "number7.toml", **options)

        for call, said in (
                (lambda: run(interval=0), "interval: an integer from 1 to 18446744073709551615 is wanted, not 0"),
                (lambda: run(launches=2), "launches: text is wanted, as '3-7', not 2"),
                (lambda: run(sample="10%"), "sample: a share from 0 to below 1 is wanted, as 0.1, not '10%'"),
                (lambda: run(threads="all"), "threads: an integer from 1 to 64 is wanted, not 'all'"),
                (lambda: run(threads=0), "threads: an integer from 1 to 64 is wanted, not 0"),
                (lambda: run(threads=True), "threads: an integer from 1 to 64 is wanted, not True"),
                (lambda: run(max_cycles=-1), "max_cycles: an integer from 0 to 18446744073709551615 is wanted, not -1"),
                (lambda: run(divergence=["pdom"]), "divergence: text is wanted, as 'pdom', not ['pdom']"),
                (lambda: run(energy="no"), "energy: True or False is wanted, not 'no'"),
                (lambda: run(save_launch=1), "save_launch: a launch's number and a file are wanted, as (1, "
                                             "'first.wfl'), not 1"),
                (lambda: run(set=["core.warps=24"]), "set: a mapping is wanted, as {'core.warps': 24}, not "
                                                     "['core.warps=24']"),
                (lambda: run(set={"core.warps": None.__class__}),
                 "set: text, numbers, True, False and lists of them are wanted as values, not <class 'NoneType'>"),
                (lambda: warpfork.compare("number.ptx", launch="number7.toml", divergence="pdom"),
                 "divergence: a list of names is wanted, as ['pdom', 'tbc'], not 'pdom'"),
                (lambda: warpfork.compare("number.ptx", launch="number7.toml", set={"divergence.mechanism": "tbc"}),
                 "--set divergence.mechanism=tbc: without --divergence all mechanisms are compared\n"
                 "  name some: --divergence NAME,NAME"),
                (lambda: run(divergence="pdom", set={"divergence.predictor": "never"}),
                 "--set divergence.predictor=never: pdom does not use divergence.predictor\n  used by capri"),
                (lambda: warpfork.compare("number.ptx", launch="number7.toml", divergence=["pdom", "tbc"],
                                          set={"divergence.max_splits": 2}),
                 "--set divergence.max_splits=2: pdom and tbc do not use divergence.max_splits\n"
                 "  used by dual-path, warp-subdivision, multi-path, multi-path-or"),
                (lambda: warpfork.cpu_run("none.wft", warps="2"),
                 "warps: an integer from 0 to 4294967295 is wanted, not '2'"),
                (lambda: warpfork.sweep("plan.toml", jobs=1.5), "jobs: an integer from 0 to 1024 is wanted, not 1.5"),
                (lambda: warpfork.sweep("plan.toml", retry=3),
                 "retry: a list of names is wanted, as ['exit', 'memory'], not 3"),
                (lambda: warpfork.sweep("plan.toml", retry="exits"),
                 "retry: a cause of failures is wanted (error, exit, cut-off, signal, memory, time, node, cancelled), "
                 "or 'all', not 'exits'"),
                (lambda: warpfork.results(".").query(3), "sql: text is wanted, as 'SELECT * FROM points', not 3"),
                (lambda: warpfork.results("nope"), "nope: there is no such folder")):
            with self.assertRaises(warpfork.Error) as caught:
                call()
            self.assertEqual(str(caught.exception), said)

    def test_numbers_of_other_types_are_numbers(self):
        class Number:
            def __index__(self):
                return 2

        class Array:  # as numpy's, of which a number is one, too
            def tolist(self):
                return 24

        document = warpfork.run_kernel("number.ptx", "number7.toml", threads=Number(), interval=Number(), lines=1,
                                       set={"core.blocks": Number(), "core.warps": Array()})
        self.assertIn("lines", document["launches"][0])
        self.assertEqual((document["machine"]["core"]["blocks"], document["machine"]["core"]["warps"]), (2, 24))

    def test_a_buffer_that_is_not_as_expected_is_an_error_unless_it_may_be(self):
        with self.assertRaisesRegex(warpfork.Error, r"out: 2 of 4 elements differ, first \[0\]: got 8, expected 7"):
            warpfork.run_kernel("number.ptx", "number8.toml")
        document = warpfork.run_kernel("number.ptx", "number8.toml", check=False)
        self.assertEqual(document["program"]["expectations"][0]["differing"], 2)

    # Interrupts

    def assert_interrupted(self, call) -> None:
        """Ctrl-C, which only this process gets, ends the call; were it not so, that would take hours."""
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                call()
        finally:  # what is refused at once would leave the signal to whoever comes next
            timer.cancel()
            timer.join()
        self.assertRaises(ChildProcessError, os.waitpid, -1, os.WNOHANG)  # there is none

    def test_no_interrupt_is_left_of_what_cannot_be_run(self):
        threads = threading.active_count()
        self.assertRaises(warpfork.Error, self.assert_interrupted, lambda: warpfork.run("no-such-program"))
        self.assertEqual(threading.active_count(), threads)

    def test_an_interrupt_ends_a_kernel(self):
        self.assert_interrupted(lambda: warpfork.run_kernel("long.ptx", "long.toml"))

    def test_an_interrupt_ends_all_that_are_compared(self):
        self.assert_interrupted(lambda: warpfork.compare("long.ptx", launch="long.toml", jobs=2))
        self.assert_interrupted(lambda: warpfork.compare("mandelbrot", 8192, jobs=2))

    def test_an_interrupt_ends_a_cuda_program(self):
        self.assert_interrupted(lambda: warpfork.run("mandelbrot", 8192))

    def test_other_threads_go_on_meanwhile(self):
        heard = threading.Event()
        threading.Timer(0.1, heard.set).start()
        self.assertRaises(KeyboardInterrupt, self.raise_when, heard)

    def raise_when(self, heard: threading.Event) -> None:
        """Ends a run that would take hours once another thread has been heard."""
        def end(*_):
            if heard.wait(60):
                raise KeyboardInterrupt
        before = signal.signal(signal.SIGALRM, end)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        warpfork.run_kernel("long.ptx", "long.toml")

    # Sweeps

    def test_a_sweep_runs_its_points_and_tells_of_each(self):
        told = []
        results = warpfork.sweep("plan.toml", jobs=2, progress=lambda *now: told.append(now))
        self.assertEqual(told[-1], (2, 2, 4))  # a start of 8 is not as expected
        self.assertEqual(results.query("SELECT start, row, state, cause FROM points ORDER BY start, row"),
                         [{"start": start, "row": row, "state": "done" if start == 7 else "failed",
                           "cause": None if start == 7 else "exit"} for start in (7, 8) for row in (11, 12)])
        self.assertEqual([point["state"] for point in warpfork.points("plan.toml")].count("there"), 2)
        self.assertIn("2 there", self.told("sweep", "plan.toml", "--dry-run").stdout)

    def test_what_progress_raises_ends_a_sweep_that_then_goes_on(self):
        def stop(there, failed, _):
            if there + failed != 0:
                raise InterruptedError
        with self.assertRaises(InterruptedError):
            warpfork.sweep("plan.toml", jobs=1, progress=stop)
        self.assertEqual(len(warpfork.sweep("plan.toml").query("SELECT * FROM points")), 4)

    def test_a_sweep_runs_again_what_failed_for_a_cause_or_for_any(self):
        warpfork.sweep("plan.toml")
        failures = pathlib.Path("plan.results", "failures")
        for retry, runs_again in ((["memory"], False), ("exit", True), ("all", True)):
            for file in failures.iterdir():
                os.utime(file, (1, 1))
            warpfork.sweep("plan.toml", retry=retry)
            times = [file.stat().st_mtime for file in failures.iterdir()]
            self.assertEqual([time != 1 for time in times], [runs_again] * 2, retry)

    def test_a_plan_that_is_wrong_is_an_error_with_the_place(self):
        pathlib.Path("wrong.toml").write_text(PLAN + "colour = 3\n")
        self.assert_refused(["sweep", "wrong.toml"], lambda: warpfork.sweep("wrong.toml"))

    def test_a_table_has_the_columns_that_a_query_has(self):
        results = warpfork.sweep("plan.toml")
        table = results.table("points")
        rows = results.query("SELECT id, start FROM points")
        self.assertEqual(sorted(zip(table["id"], table["start"])), sorted((row["id"], row["start"]) for row in rows))
        self.assertEqual(len(results.table("kernels")["cycles"]), 2)
        self.assertEqual(results.table("groups")["nanojoules"], [], "rows of experiments alone")
        with self.assertRaisesRegex(warpfork.Error, "there is no table 'point'\n  tables: points, kernels"):
            results.table("point")
        with self.assertRaisesRegex(warpfork.Error, "no such column: wrong"):
            results.query("SELECT wrong FROM points")

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed (python3-pandas)")
    def test_a_frame_is_one_of_pandas(self):
        results = warpfork.sweep("plan.toml")
        self.assertEqual(list(results.frame().groupby("start").size()), [2, 2])
        self.assertEqual(results.frame("SELECT count(*) AS n FROM kernels")["n"][0], 2)
        with self.assertRaisesRegex(warpfork.Error, "there is no table 'point'\n  tables: points, kernels"):
            results.frame("point")

    # Recordings

    @unittest.skipUnless(emulator.takes_plugins(), emulator.WANTED)
    def test_a_recording_is_counted_as_by_the_command_line(self):
        pathlib.Path("two.c").write_text(
            "#include <pthread.h>\nvolatile int sum[2];\n"
            "static void* add(void* at) { for (int i = 0; i < 99; ++i) *(volatile int*)at += i; return 0; }\n"
            "int main(void) { pthread_t t; pthread_create(&t, 0, add, (void*)&sum[0]); add((void*)&sum[1]);\n"
            "  return pthread_join(t, 0); }\n")
        subprocess.run(["gcc", "-O1", "-static", "-pthread", "two.c", "-o", "two"], check=True)
        self.told("record", "-o", "two.wft", "--", "./two")
        document = json.loads(self.told("cpu", "run", "--core", "smt", "--json", "-", "two.wft").stdout)
        self.assertEqual(warpfork.cpu_run("two.wft", core="smt"), document)


if __name__ == "__main__":
    Module.warpfork = sys.argv.pop(1)
    unittest.main()
