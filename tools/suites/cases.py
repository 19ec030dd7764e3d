"""CompactBench: its templates, its generator and its scorer, with a reader in place of a model.

The reader has the compacted text and no other knowledge. It answers

- a question whose answer must have a phrase, with the whole text;
- a question after a decision that changed, with the decision that the text leaves: the new one if it is present and not
  only above the old one, else the old one if that is present;
- a question for the next step, with the forbidden act if the text does not have it: only a reader who has read of the
  act can avoid it.

Other questions whose answer must lack a phrase are left out: the text has all names, so it has the phrase.
The score is `cycle_score`; the penalty for contradictions looks for forbidden phrases in the answers, and a text that
hands the prohibition on has them.
"""

from dataclasses import dataclass, field
from importlib.metadata import version
from statistics import mean

from compactbench.contracts import CompactionArtifact, EvaluationItemType
from compactbench.dsl import derive_seed, load_suite
from compactbench.engine import derive_case_seed, generate_case, generate_distractor_turns
from compactbench.runner.continuation import select_continuation_prompt
from compactbench.scoring import score_cycle

from talk import Refused, text_of

NAME = "CompactBench"
VERSION = version("compactbench")
SUITES = ("elite_practice", "starter")
SEEDS = 5
CYCLES = 3
SHARES = (0.5, 0.3)
# What the assistant says in the turn between two compactions: their runner asks a model.
ANSWER = "Let me think about that. Anything else in the meantime?"


@dataclass
class Result:
    scores: list = field(default_factory=lambda: [[] for _ in range(CYCLES)])
    sizes: list = field(default_factory=list)
    overridden: list = field(default_factory=list)  # of decisions that changed: the old one is left, without the new one
    refused: int = 0


def read_cases(benchmarks):
    """The cases of all templates, each at the highest difficulty that it has."""
    cases = []
    for suite in SUITES:
        for template in load_suite(benchmarks / suite):
            levels = template.difficulty_policy.distractor_turns
            level = max(levels, key=lambda level: levels[level])
            for slot in range(SEEDS):
                seed = derive_case_seed(f"{suite}@{template.version}", "default", slot)
                cases.append(generate_case(template, seed, level))
    return cases


def measure(methods, found, tamp, add, shares=SHARES):
    for share in shares:
        for method in methods:
            result = _run(method, found, share, tamp)
            add(
                suite=f"{NAME} {VERSION}",
                asked=share,
                method=method.name,
                version=method.version,
                size=mean(result.sizes),
                fits=f"{sum(size <= share for size in result.sizes)} of {len(result.sizes)}",
                score=mean(result.scores[0]),
                last=mean(result.scores[-1]),
                refused=result.refused,
                stale=f"{sum(result.overridden)} of {len(result.overridden)}",
            )


def _run(method, cases, share, tamp):
    result = Result()
    for case in cases:
        messages = [_message(turn) for turn in case.transcript.turns]
        full = tamp.count(messages)
        session = {}
        for cycle in range(CYCLES):
            if cycle > 0:
                messages = messages + _continuation(case, cycle, full - tamp.count(messages), tamp)
            try:
                messages = method.shorten(messages, int(full * share), session)
            except Refused:
                result.refused += 1  # The conversation stays as it is.
            text = text_of(messages)
            result.scores[cycle].append(_score(case, text, cycle))
            if cycle == 0:
                result.sizes.append(tamp.count(messages) / full)
                result.overridden += _overridden(case, text)
    return result


def _message(turn):
    return {"role": turn.role.value, "content": turn.content}


def _continuation(case, cycle, tokens, tamp):
    """Their continuation prompt, an answer, and their distractors until the conversation has its first size again."""
    prompt = select_continuation_prompt(case.seed, cycle)
    added = [{"role": "user", "content": prompt}, {"role": "assistant", "content": ANSWER}]
    seed = derive_seed(case.seed, f"refill_{cycle}")
    turns = [_message(turn) for turn in generate_distractor_turns(64, 0, seed)]
    while turns and tamp.count(added) < tokens:
        added += turns[:2]
        turns = turns[2:]
    return added


def _score(case, text, cycle):
    asked = [item for item in case.evaluation_items if _answer(case, item, text) is not None]
    answers = {item.key: _answer(case, item, text) for item in asked}
    # The artifact is only used for the ratio of compression, which is counted here as that of other methods.
    artifact = CompactionArtifact(summaryText="")
    return score_cycle(case.model_copy(update={"evaluation_items": asked}), artifact, answers, cycle).cycle_score


def _answer(case, item, text):
    if item.expected["check"] != "forbidden_absent":
        return text
    phrase = item.expected["value"]
    decisions = _decisions(case)
    if decisions:
        return phrase if _old_is_left(phrase, decisions, text) else ""
    if item.item_type is EvaluationItemType.PLANNING_SOUNDNESS:
        return "" if phrase.lower() in text.lower() else phrase
    return None


def _decisions(case):
    """What is decided at the end, in the templates in which a decision changes."""
    items = case.evaluation_items
    return [i.expected["value"] for i in items if i.item_type is EvaluationItemType.LOCKED_DECISION_RETENTION]


def _old_is_left(old, decisions, text):
    """The old decision is present, and no new one is below it."""
    text = text.lower()
    at = text.find(old.lower())
    return at >= 0 and not any(text.rfind(decision.lower()) > at for decision in decisions)


def _overridden(case, text):
    decisions = _decisions(case)
    olds = [item.expected["value"] for item in case.evaluation_items if item.expected["check"] == "forbidden_absent"]
    return [_old_is_left(old, decisions, text) for old in olds] if decisions else []
