"""Runs the workloads, on a GPU or on the simulator, and reads what they copied back."""
import os
import pathlib
import subprocess
import tempfile

# barrier_deadlock hangs on a GPU as it does under pdom.
HANGING = ("barrier_deadlock",)


def workloads(folder):
    """The programs of a folder, sorted by name."""
    return sorted(p for p in folder.iterdir() if p.is_file() and os.access(p, os.X_OK) and p.name not in HANGING)


def downloads(command, seconds=120):
    """`["bytes digest", …]` of a program; what it prints as an error, if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        noted = pathlib.Path(folder) / "downloads"
        done = subprocess.run(command, env={**os.environ, "WORKLOAD_DOWNLOADS": str(noted)}, timeout=seconds,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
        if done.returncode:
            raise RuntimeError(f"{command[-1]} failed: {done.stdout[-500:]}")
        return noted.read_text().splitlines()
