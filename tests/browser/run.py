#!/usr/bin/env python3
"""Runs specs of pages in a real browser: run.py WARPFORK FOLDER SPEC…

A spec is a file of node:test (SPEC.spec.mjs) that has WARPFORK write a page and opens it in Chromium through
playwright-core (page.mjs). FOLDER, of the build, gets the packages that package-lock.json names. Exit status 77, with
the reason, where node, npm, Chromium or the registry is missing.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
REMEDY = "`./dev setup` installs it"


def skip(reason: str) -> None:
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def chromium() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path and subprocess.run([path, "--version"], capture_output=True).returncode == 0:
            return path  # Ubuntu's chromium-browser only says that a snap is wanted
    skip(f"there is no Chromium here that runs; {REMEDY}")


def prepare(folder: pathlib.Path) -> None:
    """The packages are fetched once for each lock file; specs must lie beside them to find them."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = (HERE / "package-lock.json").read_bytes()
    fetched = folder / "fetched.json"
    if not fetched.exists() or fetched.read_bytes() != lock:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, folder)
        npm = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--fetch-retries=1"], cwd=folder,
                             capture_output=True, text=True)
        if npm.returncode != 0:
            skip(f"npm cannot fetch what tests/browser/package-lock.json names:\n{npm.stderr}")
        fetched.write_bytes(lock)
    for source in HERE.iterdir():
        if source.suffix not in (".json", ".py"):
            shutil.copy(source, folder)


def main() -> int:
    warpfork, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    for command in ("node", "npm"):
        if shutil.which(command) is None:
            skip(f"there is no {command} here; {REMEDY}")
    environment = {**os.environ, "WARPFORK": str(warpfork), "CHROMIUM": chromium()}
    prepare(folder)
    specs = [f"{spec}.spec.mjs" for spec in sys.argv[3:]]
    return subprocess.run(["node", "--test", *specs], cwd=folder, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
