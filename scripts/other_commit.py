"""The simulator of another commit, to measure the present one against."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def last_release() -> str:
    done = subprocess.run(["git", "describe", "--tags", "--abbrev=0"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("There is no release (git tag) yet; name a commit: ./dev bench --against COMMIT")
    return done.stdout.strip()


def built(commit: str, *targets: str) -> pathlib.Path:
    """The build folder of the commit, under build/against, with the targets (`warpfork`, `all`) up to date."""
    done = subprocess.run(["git", "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"There is no commit '{commit}'.")
    source = ROOT / "build" / "against" / done.stdout.strip()[:12]
    build = source / "build" / "release"
    if not source.exists():
        subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", source, commit], cwd=ROOT, check=True)
    if not (build / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "release"], cwd=source, stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["ninja", "-C", build, "--quiet", *targets], stdout=sys.stderr, check=True)
    return build
