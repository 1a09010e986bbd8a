#!/usr/bin/env python3
"""Tests of `warpfork run --memcheck` on CUDA programs: memcheck_test.py WARPFORK [TEST…]

Lines, blocks and threads are read off the programs beside this file.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
WARPFORK = pathlib.Path(sys.argv.pop(1)).resolve()


def line_of(program, text):
    lines = (HERE / f"{program}.cu").read_text().splitlines()
    (found,) = [number for number, line in enumerate(lines, 1) if text in line]
    return found


@unittest.skipUnless(shutil.which("clang++"), "there is no clang")
class Memcheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, name, *options):
        program = self.folder / name
        if not program.exists():
            subprocess.run([WARPFORK, "cc", HERE / f"{name}.cu", "-O2", "-o", program], check=True)
        result = self.folder / "result.json"
        result.unlink(missing_ok=True)
        run = subprocess.run([WARPFORK, "run", *options, "--json", result, program], capture_output=True, text=True)
        return run, json.loads(result.read_text())["launches"] if result.exists() else None

    def test_reads_of_what_was_never_written(self):
        for mode in ([], ["--functional-only"], ["--divergence", "tbc"], ["--racecheck"]):
            with self.subTest(mode=mode):
                run, launches = self.run_program("uninitialised", "--memcheck", *mode)
                self.assertEqual(run.returncode, 1)
                (tail,), (halo,) = (launch["findings"]["list"] for launch in launches)
                self.assertEqual((tail["second"]["file"], tail["second"]["line"]),
                                 ("uninitialised.cu", line_of("uninitialised", "in[i] + 1")))
                self.assertEqual((tail["second"]["block"], tail["second"]["thread"]), ([3, 0, 0], [0, 0, 0]))
                self.assertEqual(tail["allocation"], {"name": "cudaMalloc #1", "bytes": 512, "offset": 384})
                self.assertEqual((tail["space"], tail["count"]), ("global", 32))
                self.assertEqual((halo["space"], halo["address"], halo["count"]), ("shared", 256, 1))
                self.assertEqual(halo["second"]["line"], line_of("uninitialised", "words[threadIdx.x + 1]"))
                self.assertEqual((halo["second"]["block"], halo["second"]["thread"]), ([0, 0, 0], [63, 0, 0]))

    def test_untimed_launches_count_too(self):
        run, launches = self.run_program("uninitialised", "--memcheck", "--kernels", "halo")
        self.assertEqual([launch["mode"] for launch in launches], ["functional", "timing"])
        self.assertEqual([len(launch["findings"]["list"]) for launch in launches], [1, 1])

    def test_host_code_that_touches_device_memory(self):
        run, _ = self.run_program("host_access", "--functional-only")
        self.assertEqual(run.returncode, 0)
        run, launches = self.run_program("host_access", "--functional-only", "--memcheck")
        self.assertNotEqual(run.returncode, 0)
        self.assertIsNone(launches)
        self.assertIn("host code touches device memory at 0xc000001c", run.stderr)
        self.assertIn("'cudaMalloc #0', 65536 bytes at 0xc0000000; the address is 28 bytes into it", run.stderr)

    def test_use_after_free(self):
        run, launches = self.run_program("use_after_free")
        self.assertEqual(run.returncode, 0, "the freed address was given again")
        for mode in ([], ["--functional-only"]):
            run, launches = self.run_program("use_after_free", "--memcheck", *mode)
            self.assertEqual(run.returncode, 1)
            self.assertIsNone(launches)
            for part in ("thread (0,0,0) of block (0,0,0)", "of 4 bytes at 0xc0000000 is a use after free",
                         f"use_after_free.cu:{line_of('use_after_free', '+= 1')}",
                         "'cudaMalloc #0', 256 bytes at 0xc0000000, was freed after launch 1; the address is 0 bytes"):
                self.assertIn(part, run.stderr)

    def test_nothing_where_all_is_written(self):
        for mode in ([], ["--functional-only"]):
            run, launches = self.run_program("initialised", "--memcheck", *mode)
            self.assertEqual((run.returncode, launches[0]["findings"]), (0, {"checks": ["memory"], "list": []}))
            self.assertIn("reads of what nobody had written\n  none found", run.stderr)

    def test_cycles_are_those_without_it(self):
        plain, checked = (self.run_program("uninitialised", *options)[1] for options in ([], ["--memcheck"]))
        self.assertEqual([launch["cycles"] for launch in plain], [launch["cycles"] for launch in checked])
        self.assertNotIn("findings", plain[0])


if __name__ == "__main__":
    unittest.main()
