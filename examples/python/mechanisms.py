"""Speed-ups of all divergence mechanisms on eight workloads, as a picture: mechanisms.py PICTURE (.png, .svg, .pdf)"""
import sys
import pandas, warpfork

WORK = {"bfs": 2000, "bfs_queue": 2000, "capri_sample": 100, "mandelbrot": 48, "mc": 128, "mum": 128, "mumpp": 48, "raytrace": 24}
cycles = pandas.DataFrame(index=list(WORK), columns=[one["name"] for one in warpfork.mechanisms()["divergence"]])
for program, size in WORK.items():
    cycles.loc[program] = [result["totals"]["cycles"] for result in warpfork.compare(program, size)["results"]]
axes = cycles.rdiv(cycles["pdom"], axis="index").plot.bar(figsize=(10, 4), width=0.8, ylabel="speed-up over pdom")
axes.figure.savefig(sys.argv[1], bbox_inches="tight")
