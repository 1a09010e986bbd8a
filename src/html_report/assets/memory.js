// Caches and DRAM of the shown runs.

function cacheBars(runs) {
  const names = namesOf(runs.data.runs, "caches");
  const rate = (counts) => (counts && counts[0] ? counts[1] / counts[0] : null);
  return barsOfRuns(runs, "Misses, of accesses", {
    has: (run) => run.caches !== undefined,
    bars: () => names.map((name) => ({ name, value: (run) => rate(run.caches[name]) })),
    format: (share) => percent(share),
    axis: { max: 1, axisLabel: { formatter: (share) => percent(share, 0) } },
    beside: true,
  });
}

function dramBars(runs) {
  return barsOfRuns(runs, "DRAM bursts", {
    has: (run) => run.dram !== undefined,
    bars: () => ["read", "written"].map((name, i) => ({ name, value: (run) => run.dram[i] })),
    format: (bursts) => brief(bursts),
  });
}
