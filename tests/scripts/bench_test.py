#!/usr/bin/env python3
"""Tests of `./dev bench`; what it calls does nothing but say so."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

import nightly_test

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import bench_against  # noqa: E402
import other_commit  # noqa: E402
import results_against  # noqa: E402


def bench(*words: str):
    return nightly_test.run("dev", "bench", *words, stubs=[
        "bin/cmake", "bin/ninja", "scripts/bench.sh", "scripts/host_instructions.py", "scripts/bench_against.py",
        "scripts/results_against.py"])


class Bench(unittest.TestCase):
    def test_runs_the_parts_that_are_named_and_no_others(self):
        self.assertRegex(bench("counts", "cpu").stdout, r"(?m)^bench\.sh /\S+/build/release counts cpu$")
        self.assertRegex(bench().stdout, r"(?m)^bench\.sh /\S+/build/release$")

    def test_names_its_parts_where_one_is_unknown(self):
        done = bench("speed")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no part 'speed': counts, parts, programs, mechanisms, cpu, accuracy", done.stderr)

    def test_records_counts_and_compares_with_another_commit(self):
        self.assertRegex(bench("--record").stdout, r"(?m)^host_instructions\.py /\S+/build/release --record$")
        self.assertRegex(bench("--against", "v1", "--runs", "3").stdout,
                         r"(?m)^bench_against\.py /\S+/build/release v1 --runs 3$")
        changed = bench("--changed", "v1", "--experiment", "capri")
        self.assertRegex(changed.stdout, r"(?m)^results_against\.py /\S+/build/release v1 --experiment capri$")
        self.assertRegex(changed.stderr, r"ninja -C /\S+/build/release --quiet all spmd\n")


class Profiled(unittest.TestCase):
    def test_is_built_trained_and_built_again_by_what_was_learnt(self):
        done = nightly_test.run("dev", "build", "--profiled", stubs=["bin/cmake", "bin/ninja", "scripts/train.sh"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^train\.sh /\S+/build/profiled$")
        self.assertRegex(done.stderr, r"(?s)PROFILE=generate -DWARPFORK_LTO=OFF\n.*ninja -C \S+/build/profiled .*"
                                      r"PROFILE=use -DWARPFORK_LTO=ON\n.*ninja -C \S+/build/profiled --quiet all\n$")

    def test_is_not_made_where_training_fails(self):
        done = nightly_test.run("dev", "build", "--profiled", stubs=["bin/cmake", "bin/ninja", "scripts/train.sh"],
                                failing="train.sh")
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("PROFILE=use", done.stderr)


def programs(folder: str, *texts: str) -> list[pathlib.Path]:
    """Build folders, each with a `warpfork` of that text."""
    builds = []
    for number, text in enumerate(texts):
        builds.append(pathlib.Path(folder) / str(number))
        builds[-1].mkdir()
        (builds[-1] / "warpfork").write_text("#!/bin/sh\n" + text)
        (builds[-1] / "warpfork").chmod(0o755)
    return builds


class Against(unittest.TestCase):
    def test_runs_both_in_turns_in_either_order(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            builds = programs(folder, f"echo new $1 >>{log}\n", f"echo old $1 >>{log}\n")
            self.assertEqual(len(bench_against.pairs(builds, ["x"], 2)), 2)
            self.assertEqual(log.read_text(), "old x\nnew x\nnew x\nold x\n")

    def test_each_reads_what_it_recorded_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            text = 'if [ "$1" = record ]; then echo {} >"$3"; else cat "$2" >>' + f"{log}; fi\n"
            builds = programs(folder, text.format("new"), text.format("old"))
            recordings = bench_against.recorded(builds, pathlib.Path(folder))
            bench_against.pairs(builds, ["run", recordings], 1)
            self.assertEqual(log.read_text(), "old\nnew\n")

    def test_tells_of_launches_alone_where_they_were_timed(self):
        said = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said):
            builds = programs(folder, "echo 0.5 >$LAUNCH_TIME\n", "echo 2 >$LAUNCH_TIME\n")
            bench_against.group("programs", {"bfs": ["run", "bfs"]}, builds, 2)
        self.assertRegex(said.getvalue(), r"(?m)^bfs .* × .* 4\.00 × +\S+$")
        self.assertRegex(said.getvalue(), r"(?m)^geometric mean .* 4\.00 ×$")

    def test_says_what_failed_and_goes_on(self):
        said = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said):
            builds = programs(folder, "exit 1\n", "exit 0\n")
            bench_against.group("programs", {"bfs": ["run", "bfs"]}, builds, 1)
        self.assertRegex(said.getvalue(), r"bfs +failed: \S+/0/warpfork run bfs")

    def test_an_unknown_commit_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "There is no commit 'nonsense'"):
            other_commit.built("nonsense", "warpfork")


class Changed(unittest.TestCase):
    def test_shows_the_rows_that_differ_or_that_one_lacks(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            results_against.report("calibration", {("a",): 1, ("b",): 2, ("gone",): 3}, {("a",): 1, ("b",): 2.5, ("new",): 4})
        self.assertEqual([line.split() for line in said.getvalue().splitlines()],
                         ["== calibration: 3 of 4 rows differ, before and after".split(),
                          ["b", "2", "2.5"], ["new", "–", "4"], ["gone", "3", "–"], []])

    def test_does_not_call_an_experiment_equal_that_failed(self):
        said = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said):
            builds = programs(folder, "exit 1\n", "exit 1\n")
            self.assertFalse(results_against.compare_experiment("capri", builds, builds))
        self.assertRegex(said.getvalue(), r"capri: failed with exit status 1 in \S+/1\n== experiment capri: not compared\n")

    def test_takes_means_and_statements_as_headlines(self):
        figure = {"name": "Figure 7", "mean": "geometric mean",
                  "quantities": [{"title": "speed-up", "means": {"tsimt": 0.8}}, {"title": "of each kernel"}],
                  "claims": [{"text": "it loses", "here": 0.7}]}
        self.assertEqual(results_against.headlines({"figures": [figure]}), {
            ("Figure 7", "speed-up", "geometric mean, tsimt"): 0.8, ("Figure 7", "statement 1", "it loses"): 0.7})


if __name__ == "__main__":
    unittest.main()
