"""Whether programs can be recorded here, for tests that record some."""
import shutil
import subprocess

WANTED = "there is no qemu-x86_64 that takes plugins, to record a program with"


def takes_plugins() -> bool:
    if not shutil.which("qemu-x86_64"):
        return False
    return "-plugin" in subprocess.run(["qemu-x86_64", "--help"], capture_output=True, text=True, check=False).stdout
