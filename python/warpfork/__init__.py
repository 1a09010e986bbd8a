"""Simulated GPUs and CPU cores that differ in how they handle divergent threads.

    import warpfork
    result = warpfork.run("bfs", "2000", machine="gtx480", divergence="multi-path", set={"core.warps": 24})
    result["totals"]["cycles"]

Results are dictionaries, the same as the command line writes with --json; docs/result-schema.md and docs/cpu.md explain
every key. What warpfork refuses raises warpfork.Error with the command line's text. Nothing is printed. Ctrl-C ends what
runs. The page docs/python.md has examples.
"""
import difflib
import inspect
import json
import numbers
import operator
import os
import pathlib
import tempfile
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _warpfork
from ._warpfork import Error

__all__ = ["Error", "Results", "compare", "cores", "cpu_run", "machine", "machines", "mechanisms", "points", "results",
           "run", "run_kernel", "sweep"]
__version__: str = _warpfork.version

Path = Union[str, "os.PathLike[str]"]
Document = Dict[str, Any]
_VIEWS = ("points", "kernels", "groups", "branches", "lines")


def run(program: Path, *arguments: object, divergence: str = "", lanes: str = "", check: bool = True,
        output: Optional[Callable[[str], object]] = None, lines: bool = False, interval: Optional[int] = None,
        racecheck: bool = False, memcheck: bool = False, threads: Union[int, str] = 1, sample: float = 0, sample_seed: int = 0,
        save_launch: Optional[Tuple[int, Path]] = None, **options: Any) -> Document:
    """Runs a CUDA program, or with `launch` a kernel in PTX, and returns what was counted.

    program: a path, a name in the present folder, or that of one of warpfork's workloads.
    divergence, lanes: mechanism and lane organisation (see mechanisms()); by default the machine's.
    check: raise Error if the program's exit status is not 0 or a buffer is not as expected. Without, see the result's
        `program`.
    output: is called with what the program has written to standard output, once it has ended.
    lines, racecheck, memcheck (True or False), interval (a number): as the options of `warpfork run`.
    threads: host threads that simulate the cores of a launch; "auto": as many as there are processors.
    sample, sample_seed: the share of a large launch's blocks that is simulated in detail, 0 … 1; 0: all. Other seeds
        take other blocks.
    save_launch: a launch's number, from 1, and the file FILE.wfl that then runs it alone.
    options: machine ("gtx480", or a file .toml), set (a mapping of machine keys), energy, functional_only,
        check_scalar (True or False), scheduler, scalarize, kernels, launches (text), max_cycles, max_instructions
        (numbers), launch (a file): as the options of `warpfork run`.
    """
    _require_known(options, run, _work)
    work = _work(program, arguments, **options)
    choice = work.mechanisms
    choice.divergence, choice.lanes = _text("divergence", divergence, "pdom"), _text("lanes", lanes, "simt")
    work.lines = _flag("lines", lines)
    work.interval = 0 if interval is None else _count("interval", interval, 1, _MOST)
    work.check_races, work.check_memory = _flag("racecheck", racecheck), _flag("memcheck", memcheck)
    work.host_threads = _warpfork.processors() if threads == "auto" else _count("threads", threads, 1, _MOST_THREADS)
    work.sample.share, work.sample.seed = _share("sample", sample), _count("sample_seed", sample_seed)
    if save_launch is not None:
        if not isinstance(save_launch, (tuple, list)) or len(save_launch) != 2:
            raise _unfit("save_launch", save_launch, "a launch's number and a file are wanted, as (1, 'first.wfl')")
        work.save.launch, work.save.file = _count("save_launch", save_launch[0], 1), os.fspath(save_launch[1])
    document, printed, complaints = _warpfork.run(work)
    if output is not None:
        output(printed.decode(errors="replace"))
    if check and complaints:
        raise Error("\n".join(complaints))
    return json.loads(document)


def run_kernel(kernel: Path, launch: Path, **options: Any) -> Document:
    """Runs a kernel in PTX as its launch file says. Options as of run()."""
    _require_known(options, run_kernel, run, _work)
    return run(kernel, launch=launch, **options)


def compare(program: Path, *arguments: object, divergence: Sequence[str] = (), lanes: Sequence[str] = (), jobs: int = 0,
            numbers_may_differ: bool = False, **options: Any) -> Document:
    """Runs the same work under several mechanisms, `jobs` at a time (0: one for each processor).

    divergence, lanes: names, each with each; by default all divergence mechanisms. options: as of run(). The
    result's `results` are in their order. Different outputs are an Error, those with other numbers (of times) only
    unless numbers_may_differ.
    """
    _require_known(options, compare, _work)
    work = _work(program, arguments, **options)
    work.divergences, work.lanes = _names("divergence", divergence), _names("lanes", lanes)
    work.jobs = _count("jobs", jobs, 0, _MOST_JOBS)
    work.numbers_may_differ = _flag("numbers_may_differ", numbers_may_differ)
    return json.loads(_warpfork.compare(work))


def cpu_run(recording: Path, core: str = "simt-x", *, machine: Path = "", warps: int = 0, threads: int = 0,
            set: Optional[Mapping[str, object]] = None) -> Document:
    """Runs a recording of x86-64 threads on a CPU core (see cores()).

    machine: a file .toml; by default Table I of SIMT-X. warps, threads (of a warp): 0 = as many as the recording needs.
    """
    options = _warpfork.CpuOptions()
    options.recording, options.machine = os.fspath(recording), os.fspath(machine)
    options.warps, options.threads = _count("warps", warps), _count("threads", threads)
    options.overrides = _overrides(set)
    return json.loads(_warpfork.cpu_run(options, _text("core", core, "simt-x")))


def points(plan: Path, results: Path = "") -> List[Document]:
    """The points of a sweep's plan: `id`, `label`, `state` (there, failed, to run) and, of a failed one, `cause`."""
    return json.loads(_warpfork.points(os.fspath(plan), os.fspath(results)))


def sweep(plan: Path, *, results: Path = "", jobs: int = 0, memory: int = 0, retry: Union[str, Sequence[str]] = (),
          progress: Optional[Callable[[int, int, int], object]] = None) -> "Results":
    """Runs the points of a plan that are not there yet, and returns its results (docs/sweep.md).

    results: their folder; by default the plan's name with .results. jobs: points at a time; 0: one for each processor.
    memory: MiB that they may need together; 0: what is free. retry: causes of failures to be run again, or "all".
    progress: is called with the points that are there, failed, and in the plan, whenever one of them changes; what it
        raises ends the sweep, which the same call then goes on with.
    Points that fail are no error: their rows have the state "failed".
    """
    jobs, memory = _count("jobs", jobs, 0, _MOST_JOBS), _count("memory", memory, 0, _MOST)
    causes = [retry] if isinstance(retry, str) else _names("retry", retry, "['exit', 'memory']")
    for cause in causes:
        if cause not in (*_warpfork.causes, "all"):
            raise _unfit("retry", cause, f"a cause of failures is wanted ({', '.join(_warpfork.causes)}), or 'all'")
    folder = Results(os.path.abspath(results or pathlib.Path(plan).with_suffix(".results")))
    ids = {point["id"] for point in points(plan, folder.folder)}
    words = ["sweep", os.path.abspath(plan), "--results", str(folder.folder)]
    words += ["--jobs", str(jobs)] if jobs else []
    words += ["--memory", str(memory)] if memory else []
    words += ["--retry", ",".join(causes)] if causes else []
    told = None

    def tell() -> None:
        nonlocal told
        now = (*(len(ids & folder._ids(part)) for part in ("points", "failures")), len(ids))
        if progress is not None and now != told:
            told = now
            progress(*now)

    with tempfile.TemporaryDirectory() as temporary:
        errors = pathlib.Path(temporary, "errors")
        _warpfork.run_command(words, pathlib.Path(temporary, "output"), errors, tell)
        tell()
        if any(point["state"] == "to run" for point in points(plan, folder.folder)):
            said = errors.read_text(errors="replace").rstrip("\n")
            raise Error(said.removeprefix("warpfork: ").removeprefix("error: "))
    return folder


class Results:
    """The folder of a sweep's results, asked through its database, which is refreshed each time (docs/sweep.md)."""

    def __init__(self, folder: Path):
        self.folder = pathlib.Path(folder)

    def query(self, sql: str) -> List[Document]:
        """The rows of a query in SQLite's SQL: dictionaries by the names of its columns."""
        columns, rows = self._ask(_text("sql", sql, "SELECT * FROM points"))
        return [dict(zip(columns, row)) for row in rows]

    def table(self, name: str) -> Dict[str, List[Any]]:
        """A view, by columns, as pandas.DataFrame() takes it: points, kernels, groups, branches or lines."""
        if name not in _VIEWS:
            raise Error(f"there is no table '{name}'\n  tables: {', '.join(_VIEWS)}")
        columns, rows = self._ask(f"SELECT * FROM {name}")
        return {column: [row[i] for row in rows] for i, column in enumerate(columns)}

    def frame(self, table_or_sql: str = "points") -> Any:
        """A view, or the rows of a query, as a pandas.DataFrame. Needs pandas."""
        import pandas
        if _text("table_or_sql", table_or_sql, "points").isidentifier():  # no query is a single word
            return pandas.DataFrame(self.table(table_or_sql))
        columns, rows = self._ask(table_or_sql)
        return pandas.DataFrame(rows, columns=columns)

    def _ask(self, sql: str):
        answer = json.loads(_warpfork.query(self.folder, sql))
        return answer["columns"], answer["rows"]

    def _ids(self, part: str):
        folder = self.folder / part
        return {file.stem for file in folder.iterdir() if file.suffix == ".json"} if folder.is_dir() else set()

    def __repr__(self) -> str:
        return f"warpfork.results({str(self.folder)!r})"


def results(folder: Path) -> Results:
    """The results that a sweep left in this folder. Raises Error if there is no such folder."""
    if not pathlib.Path(folder).is_dir():
        raise Error(f"{os.fspath(folder)}: there is no such folder")
    return Results(folder)


def mechanisms() -> Dict[str, List[Document]]:
    """What there is, `divergence` mechanisms and organisations of `lanes`: each `name`, `summary` and `paper`."""
    return json.loads(_warpfork.mechanisms())


def machines() -> List[Document]:
    """The machines that come with warpfork: `name` and `summary`."""
    return json.loads(_warpfork.machines())


def machine(name: str) -> Document:
    """Every key of a machine, by name or of a file .toml, and its value."""
    return json.loads(_warpfork.machine(name))


def cores() -> List[str]:
    """The names of the CPU cores."""
    return _warpfork.cores()


# What an option cannot be is told by its name: pybind11 would show the signature of a setter.

_MOST = 2**64 - 1
_MOST_OF_32_BITS = 2**32 - 1
_MOST_THREADS, _MOST_JOBS = 64, 1024  # as --threads and --jobs have them


def _require_known(options: Iterable[str], called: Callable[..., Any], *others: Callable[..., Any]) -> None:
    """What Python says of an option that there is none of would name the function that takes it at last."""
    known = [name for function in (called, *others) for name, one in inspect.signature(function).parameters.items()
             if one.kind is one.KEYWORD_ONLY]
    for option in options:
        if option not in known:
            raise TypeError(f"{called.__name__}() got an unexpected keyword argument '{option}'; nearest: "
                            + ", ".join(difflib.get_close_matches(option, known, 3, 0)))


def _unfit(name: str, value: object, wanted: str) -> Error:
    return Error(f"{name}: {wanted}, not {value!r}")


def _text(name: str, value: object, example: str) -> str:
    if not isinstance(value, str):
        raise _unfit(name, value, f"text is wanted, as '{example}'")
    return value


def _names(name: str, values: Any, example: str = "['pdom', 'tbc']") -> List[str]:
    if isinstance(values, str) or not isinstance(values, Iterable):  # text would be a list of letters
        raise _unfit(name, values, f"a list of names is wanted, as {example}")
    return [_text(name, value, "pdom") for value in values]


def _count(name: str, value: Any, least: int = 0, most: int = _MOST_OF_32_BITS) -> int:
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        raise _unfit(name, value, f"an integer from {least} to {most} is wanted")
    return number


def _share(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 <= value < 1:
        raise _unfit(name, value, "a share from 0 to below 1 is wanted, as 0.1")
    return float(value)


def _flag(name: str, value: Any) -> bool:
    if isinstance(value, str) or value not in (True, False):
        raise _unfit(name, value, "True or False is wanted")
    return bool(value)


def _overrides(changes: Optional[Mapping[str, object]]) -> List[str]:
    """As --set takes them: JSON but for text, which stands as it is."""
    if changes is not None and not isinstance(changes, Mapping):
        raise _unfit("set", changes, "a mapping is wanted, as {'core.warps': 24}")

    def plain(value: Any) -> Any:  # what json does not know: numbers and arrays of numpy, and what is like a number
        try:
            return value.tolist() if hasattr(value, "tolist") else operator.index(value)
        except TypeError:
            raise _unfit("set", value, "text, numbers, True, False and lists of them are wanted as values") from None

    return [f"{key}={value if isinstance(value, str) else json.dumps(value, default=plain)}"
            for key, value in (changes or {}).items()]


def _work(program: Path, arguments: Sequence[object], *, machine: Path = "gtx480", launch: Path = "",
          set: Optional[Mapping[str, object]] = None, scheduler: str = "", scalarize: str = "",
          check_scalar: bool = False, functional_only: bool = False, energy: bool = False, kernels: str = "",
          launches: str = "", max_cycles: int = 0, max_instructions: int = 0) -> "_warpfork.WorkOptions":
    work = _warpfork.WorkOptions()
    work.program = _warpfork.find_program(os.fspath(program))
    work.arguments = [str(argument) for argument in arguments]
    work.machine, work.launch, work.overrides = os.fspath(machine), os.fspath(launch), _overrides(set)
    work.scheduler, work.scalarize = _text("scheduler", scheduler, "gto"), _text("scalarize", scalarize, "divergent")
    work.check_scalars = _flag("check_scalar", check_scalar)
    work.functional_only, work.energy = _flag("functional_only", functional_only), _flag("energy", energy)
    work.kernels, work.launches = _text("kernels", kernels, "bfs"), _text("launches", launches, "3-7")
    work.max_cycles = _count("max_cycles", max_cycles, 0, _MOST)
    work.max_instructions = _count("max_instructions", max_instructions, 0, _MOST)
    return work
