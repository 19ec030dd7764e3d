"""The conformance kit: its budget benchmark, with the methods of this folder next to the kit's own.

The kit hands the whole text of a round to the next round as one message of the system. A host has the messages, so a
method here compacts the messages that it returned in the round before. The kit's budget is in characters: a method is
asked for the same share of the tokens, then for less until the text fits.
"""

from importlib.metadata import version

from compaction_kit import CompactedContext, run_budget_benchmark
from compaction_kit.compactors import LossyTruncationCompactor, UpdateAwareChecklistCompactor
from compaction_kit.adapters import ProgressiveSummaryCompactor

from talk import Refused, text_of

NAME = "conformance kit"
VERSION = version("compaction-conformance-kit")
SHARES = (0.3, 0.2)
ROUNDS = 5
TRIES = 6  # the text of a summary is rarely more than twice as long as asked for, and each try halves what is over
OWN = (LossyTruncationCompactor, ProgressiveSummaryCompactor, UpdateAwareChecklistCompactor)


class Adapter:
    def __init__(self, method, tamp, reasons):
        self.name = method.name
        self._method, self._tamp, self._reasons = method, tamp, reasons
        self._messages, self._session = None, {}

    def compact(self, turns, round_num=1, budget_chars=None):
        if self._messages is None:
            self._messages = [{"role": turn.role, "content": turn.text} for turn in turns]
        self._messages = self._fitting(budget_chars)
        return CompactedContext(text=_text(self._messages), compactor_name=self.name, round_num=round_num)

    def _fitting(self, budget_chars):
        messages, session = self._messages, dict(self._session)
        tokens, chars = self._tamp.count(messages), len(_text(messages))
        target = tokens if chars <= budget_chars else int(tokens * budget_chars / chars)
        found = messages
        for _ in range(TRIES):
            self._session = dict(session)
            try:
                found = self._method.shorten(messages, target, self._session)
            except Refused as refused:
                self._reasons.append(str(refused))
                break
            length = len(_text(found))
            if length <= budget_chars or not self._method.sized:
                break
            target = int(target * budget_chars / length) - 1
        return found


def _text(messages):
    """As the kit writes messages."""
    return "\n".join(f"[{message['role']}] {text_of([message])}" for message in messages)


def measure(methods, tamp, add):
    reasons = {m.name: [] for m in methods}
    factories = {m.name: (lambda m=m: Adapter(m, tamp, reasons[m.name])) for m in methods}
    factories |= {f"{kind.name} of the kit": kind for kind in OWN}
    versions = {m.name: m.version for m in methods}
    first = _entries(factories, 1)
    last = _entries(factories, ROUNDS)
    for share in SHARES:
        for name in factories:
            once, often = first[share, name], last[share, name]
            stale = often["randomized"]["supersession"], often["semantic"]["conflicts"]
            add(
                suite=f"{NAME} {VERSION}",
                asked=share,
                method=name,
                version=versions.get(name, VERSION),
                size=once["mean_final_output_ratio"],
                fits="yes" if often["budget_compliant"] else "no",
                score=once["randomized"]["overall_final_survival"],
                last=often["randomized"]["overall_final_survival"],
                refused=len(reasons.get(name, [])),
                stale=f"{sum(s['stale_only'] for s in stale)} of {sum(s['n'] for s in stale)}",
            )


def _entries(factories, rounds):
    found = run_budget_benchmark(factories, budgets=SHARES, rounds=rounds)["entries"]
    return {(entry["budget_fraction"], entry["compactor"]): entry for entry in found}
