"""Runs Tamp and simple rules under public suites for compaction, without a model (`make suites`)."""

import argparse
from pathlib import Path

from compactbench.scoring import compression

import cases
from methods import Tamp, first, newest, nothing

SHARES = (0.5, 0.3)


class Encoder:
    """Stands for tiktoken's cl100k_base, whose vocabulary is downloaded at the first use."""

    def __init__(self, tamp):
        self._tamp = tamp

    def encode(self, text):
        return range(self._tamp.count_text(text))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, help="where make has put the suites")
    parser.add_argument("--share", type=float, action="append", help="of the tokens; .5 and .3 if absent")
    options = parser.parse_args()
    tamp = Tamp()
    compression._ENCODER_CACHE["cl100k_base"] = Encoder(tamp)
    found = cases.read_cases(next(options.folder.glob("compactbench-*/benchmarks/public")))
    methods = [nothing(), first(tamp), newest(tamp), tamp.preset("balanced")]
    for share in options.share or SHARES:
        for method in methods:
            r = cases.measure(method, found, share, tamp)
            scores = " ".join(f"{r.cycle(n):.3f}" for n in range(1, cases.CYCLES + 1))
            size = sum(r.sizes) / len(r.sizes)
            print(f"{share} {method.name:20} size {size:.3f} cycles {scores} old only {sum(r.overridden)}/{len(r.overridden)} refused {r.refused}")


main()
