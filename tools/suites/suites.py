"""Runs Tamp and other libraries under public suites for compaction, without a model, and prints one table (`make suites`)."""

import argparse
from pathlib import Path

from compactbench.scoring import compression

import cases
import kit
from methods import Peers, Tamp, as_many, first, newest, nothing
from talk import write_between

COLUMNS = ("suite", "asked", "method", "version", "size", "fits", "refused", "score", "last", "stale")
# What cannot run without a model, and why.
ABSENT = {"llmlingua 0.2.2": "not run: it downloads the weights of a model at the first use"}


class Encoder:
    """Stands for tiktoken's cl100k_base, whose vocabulary is downloaded at the first use."""

    def __init__(self, tamp):
        self._tamp = tamp

    def encode(self, text):
        return range(self._tamp.count_text(text))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where make has put the suites")
    parser.add_argument("--page", type=Path, help="writes the table into this page")
    parser.add_argument("--suite", choices=("compactbench", "kit"), help="one of the suites")
    parser.add_argument("--share", type=float, action="append", help="of the tokens, for CompactBench")
    parser.add_argument("--tamp", action="store_true", help="Tamp and the simple rules only")
    options = parser.parse_args()
    tamp = Tamp()
    compression._ENCODER_CACHE["cl100k_base"] = Encoder(tamp)
    balanced = tamp.preset("balanced")
    methods = [nothing(), first(tamp), newest(tamp), as_many(first(tamp), balanced, tamp), balanced]
    if not options.tamp:
        methods += Peers(options.folder, tamp).methods()

    lines = [_line(COLUMNS), _line(["---"] * len(COLUMNS))]
    print(*lines, sep="\n")

    def add(**row):
        lines.append(_line(_shown(row[column]) for column in COLUMNS))
        print(lines[-1], flush=True)

    if options.suite != "kit":
        found = cases.read_cases(next(options.folder.glob("compactbench-*/benchmarks/public")))
        cases.measure(methods, found, tamp, add, options.share or cases.SHARES)
    if options.suite != "compactbench":
        kit.measure(methods, tamp, add)
    for name, reason in {} if options.tamp else ABSENT.items():
        library, version = name.split()
        add(**dict.fromkeys(COLUMNS, "–") | {"suite": "both", "method": f"{library}: {reason}", "version": version})
    if options.page:
        write_between(options.page, "suites", "\n".join(lines))


def _line(cells):
    return f"| {' | '.join(map(str, cells))} |"


def _shown(value):
    return f"{value:.3f}".removeprefix("0") if isinstance(value, float) else f"{value}"


main()
