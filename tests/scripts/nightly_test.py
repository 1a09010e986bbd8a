#!/usr/bin/env python3
"""Tests of `./dev nightly` and scripts/fuzz.sh; what they call does nothing but fail where it is told to."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """#!/bin/sh
echo "${0##*/} $*"
case "${0##*/} $*" in *"$FAIL"*) exit 1 ;; esac
"""


def run(script: str, *words: str, stubs: list[str], failing: str = "nothing") -> subprocess.CompletedProcess:
    """The script in a tree in which it and these programs are all there is."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for file in stubs:
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(PROGRAM)
            (root / file).chmod(0o755)
        (root / script).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / script, root / script)
        environment = os.environ | {"PATH": f"{root}/bin:{os.environ['PATH']}", "FAIL": failing}
        environment.pop("WARPFORK_PRESET", None)
        return subprocess.run([f"./{script}", *words], cwd=root, env=environment, capture_output=True, text=True,
                              check=False)


def nightly(*parts: str, failing: str = "nothing") -> subprocess.CompletedProcess:
    return run("dev", "nightly", *parts, failing=failing, stubs=[
        "bin/cmake", "bin/ninja", "bin/ctest", "scripts/fuzz.sh", "scripts/mutation_check.py",
        "scripts/compare_threads.py"])


def fuzz(failing: str) -> subprocess.CompletedProcess:
    targets = ["ptx", "launch", "saved_launch", "fatbin", "x86", "recording"]
    return run("scripts/fuzz.sh", "fuzz", "release", "600", failing=failing,
               stubs=["release/warpfork"] + [f"fuzz/{target}_fuzz" for target in targets])


class Nightly(unittest.TestCase):
    def test_tries_every_part_whatever_fails_and_says_what_failed(self):
        parts = {name: f"build/{preset} --output-on-failure"
                 for name, preset in (("contract", "release"), ("clang", "clang"), ("sanitize", "sanitize"),
                                      ("threads", "threads"))}
        parts |= {"fuzz": "fuzz.sh build/fuzz", "mutants": "mutation_check"}
        for name, failing in ({"": "nothing"} | parts).items():
            done = nightly(failing=failing)
            self.assertEqual(done.returncode, 1 if name else 0)
            self.assertEqual(done.stderr.endswith(f"dev: nightly: failed: {name}\n"), bool(name))
            for part in parts.values():
                self.assertIn(part, done.stdout)

    def test_fails_where_a_build_fails(self):
        for preset in ("clang", "sanitize", "threads", "fuzz"):
            done = nightly(failing=f"build/{preset} --quiet")
            self.assertTrue(done.stderr.endswith(f"dev: nightly: failed: {preset}\n"))
        self.assertEqual(nightly(failing="build/release --quiet").returncode, 1)

    def test_runs_the_parts_that_are_named_alone(self):
        done = nightly("fuzz", "mutants")
        self.assertEqual(done.returncode, 0)
        self.assertIn("fuzz.sh build/fuzz", done.stdout)
        self.assertIn("mutation_check", done.stdout)
        self.assertNotIn("ctest", done.stdout)

    def test_refuses_a_part_that_there_is_not(self):
        done = nightly("mutant")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no part 'mutant': contract, clang, sanitize, threads, fuzz, mutants", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_every_fuzz_target_has_its_time_whatever_another_finds(self):
        for failing in ("nothing", "ptx_fuzz", "recording_fuzz"):
            done = fuzz(failing)
            self.assertEqual(done.returncode, 0 if failing == "nothing" else 1)
            self.assertEqual(done.stdout.count("-max_total_time=600 "), 6)


if __name__ == "__main__":
    unittest.main()
