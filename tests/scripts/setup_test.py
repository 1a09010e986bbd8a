#!/usr/bin/env python3
"""Tests of `./dev setup` and of a build without the packages that not everything needs; apt and its kin are stubs."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALLED = 'echo "${0##*/} $*" >>"$CALLS"\n'
STUBS = {
    "apt-cache": 'test -f "$LISTS" || exit 100\n'
                 'printf \'clang\\n  Depends: clang-%s\\n  Breaks: <clang-3.2>\\n\' "$CLANG"\n',
    "apt-get": CALLED + 'case "$*" in *update*) touch "$LISTS" ;; esac\n',
    "dpkg-query": 'case "$3" in g++ | cmake) echo ii ;; *) exit 1 ;; esac\n',
    "id": 'echo "$USER_ID"\n',
    "sudo": CALLED + 'echo "sudo: not for you"\nexit 1\n',
}


def bare(folder: str, *commands: str) -> pathlib.Path:
    """A folder for PATH in which ./dev itself runs, with these commands and no others."""
    bin = pathlib.Path(folder) / "bin"
    bin.mkdir()
    for name in ("bash", "sh", "dirname", "mkdir", *commands):
        (bin / name).symlink_to(shutil.which(name))
    return bin


def setup(clang: str, user: str = "0", path: str = "") -> tuple[subprocess.CompletedProcess, str]:
    """./dev setup on a fresh system of a release with this clang, and what it called."""
    with tempfile.TemporaryDirectory() as folder:
        stubs = pathlib.Path(folder) / "bin"
        stubs.mkdir()
        for name, text in STUBS.items():
            (stubs / name).write_text("#!/bin/sh\n" + text)
            (stubs / name).chmod(0o755)
        environment = os.environ | {"PATH": f"{stubs}:{path or os.environ['PATH']}", "CLANG": clang, "USER_ID": user,
                                    "CALLS": f"{folder}/calls", "LISTS": f"{folder}/lists"}
        done = subprocess.run([ROOT / "dev", "setup"], env=environment, capture_output=True, text=True, check=False)
        return done, (pathlib.Path(folder) / "calls").read_text()


class Setup(unittest.TestCase):
    def test_installs_the_libclc_that_goes_with_the_releases_clang(self):
        for clang, others in (("14", ("18", "19")), ("19", ("14", "18"))):
            done, calls = setup(clang)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f" libclc-{clang}-dev libclc-{clang} ", calls)
            for other in others:
                self.assertNotIn(f"libclc-{other}", calls)

    def test_installs_only_what_is_missing(self):
        _, calls = setup("14")
        self.assertIn(" ninja-build ", calls)
        self.assertNotIn(" cmake ", calls)

    def test_names_what_is_missing_where_it_cannot_become_root(self):
        done, calls = setup("14", user="1000")
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("apt-get install", calls)
        self.assertIn("not for you", done.stderr)
        self.assertRegex(done.stderr, r"dev: not installed: ninja-build .* git( .*)?\ndev: NN is .*\ndev: that needs root")

    def test_wants_no_chromium_beside_ubuntus_of_another_name(self):
        with tempfile.TemporaryDirectory() as folder:
            bin = bare(folder, "env", "sed", "grep", "touch")
            (bin / "chromium-browser").symlink_to(shutil.which("true"))
            _, calls = setup("18", path=str(bin))
        self.assertIn(" ninja-build ", calls)
        self.assertNotIn("chromium", calls)

    def test_asks_for_root_also_where_there_is_no_sudo(self):
        with tempfile.TemporaryDirectory() as folder:
            bin = bare(folder, "env", "sed", "grep")
            for name in ("apt-cache", "apt-get", "dpkg-query", "id"):
                (bin / name).write_text("#!/bin/sh\n" + STUBS[name])
                (bin / name).chmod(0o755)
            environment = {"PATH": str(bin), "USER_ID": "1000", "CALLS": f"{folder}/calls", "LISTS": f"{folder}/lists"}
            done = subprocess.run([ROOT / "dev", "setup"], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Adev: not installed: ninja-build .* npm\ndev: NN is .*\ndev: that needs root")


class Build(unittest.TestCase):
    def configure(self, *definitions: str) -> subprocess.CompletedProcess:
        with tempfile.TemporaryDirectory() as folder:
            words = ["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *definitions]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                self.told = subprocess.run(["ninja", "-C", folder, "--quiet", "test_packages"], capture_output=True,
                                           text=True, check=False).stdout
                self.targets = subprocess.run(["ninja", "-C", folder, "-t", "targets", "all"], capture_output=True,
                                              text=True, check=True).stdout
            return done

    def test_leaves_out_what_needs_packages_that_are_missing(self):
        done = self.configure("-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON",
                              "-DCMAKE_DISABLE_FIND_PACKAGE_pybind11=ON", "-DLIBCLC=")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("the tests (missing: libgtest-dev libgmock-dev;", "./dev bench (missing: libbenchmark-dev;",
                      "the workloads, which `warpfork cc` compiles (missing: libclc-NN;",
                      "the Python module (missing: pybind11-dev;"):
            self.assertIn(f"{words} ./dev setup)", done.stderr)
        self.assertIn("\nlib/warpfork-recorder.so: ", self.targets)
        self.assertNotIn("workloads/bfs: ", self.targets)
        self.assertIn("\nThe tests need packages that are missing: libgtest-dev libgmock-dev (./dev setup)\n", self.told)

    def test_names_all_packages_without_which_nothing_can_be_built(self):
        done = self.configure("-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON", "-DNETTLE_LIBRARY=")
        self.assertEqual(done.returncode, 1)
        self.assertIn("needed and missing: libfmt-dev nettle-dev\n", done.stderr)

    def test_names_the_packages_without_which_it_cannot_begin(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([ROOT / "dev", "build"], env={"PATH": str(bare(folder, "c++", "cmake"))},
                                  capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Adev: these packages are needed and missing: ninja-build; [^\n]*\n\Z")


if __name__ == "__main__":
    unittest.main()
