"""The compiled part of the module: not for use from outside. Documents are JSON text."""
import pathlib
from typing import Callable, List, Tuple

version: str
causes: List[str]

class Error(Exception):
    """What warpfork refuses, and why: place, cause and, after it, the remedy."""

class MechanismChoice:
    divergence: str
    lanes: str

class SampleRequest:
    share: float
    seed: int

class SaveRequest:
    launch: int
    file: str

class WorkOptions:
    program: str
    arguments: List[str]
    launch: str
    machine: str
    mechanisms: MechanismChoice
    divergences: List[str]
    lanes: List[str]
    jobs: int
    scheduler: str
    scalarize: str
    check_scalars: bool
    overrides: List[str]
    functional_only: bool
    energy: bool
    kernels: str
    launches: str
    lines: bool
    interval: int
    check_races: bool
    check_memory: bool
    sample: SampleRequest
    save: SaveRequest
    host_threads: int
    max_cycles: int
    max_instructions: int

class CpuOptions:
    recording: str
    machine: str
    warps: int
    threads: int
    overrides: List[str]

def processors() -> int: ...
def run(options: WorkOptions) -> Tuple[str, bytes, List[str]]: ...
def compare(options: WorkOptions) -> str: ...
def cpu_run(options: CpuOptions, core: str) -> str: ...
def cores() -> List[str]: ...
def points(plan: str, results: str) -> str: ...
def run_command(
    words: List[str], output: pathlib.Path, errors: pathlib.Path, at_times: Callable[[], object]
) -> int: ...
def query(folder: pathlib.Path, sql: str) -> str: ...
def mechanisms() -> str: ...
def machines() -> str: ...
def machine(name: str) -> str: ...
def find_program(name: str) -> str: ...
