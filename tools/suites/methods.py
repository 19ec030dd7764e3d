"""The methods that are measured. A method gets messages in the format of OpenAI's Chat Completions, a size in tokens and
the dict of its session, which it may write to, and returns the messages that are left."""

from dataclasses import dataclass
from typing import Callable

from talk import Program


@dataclass(frozen=True)
class Method:
    name: str
    version: str
    shorten: Callable  # (messages, target, session) -> messages


class Tamp:
    """Tamp and its counts."""

    def __init__(self):
        self._program = Program("tamp.mjs")
        self._counts = {}
        self.version = self._program.ask("version")["version"]

    def count(self, messages):
        return self._program.ask("count", messages=messages)["tokens"]

    def count_text(self, text):
        if text not in self._counts:
            self._counts[text] = self._program.ask("text", text=text)["tokens"]
        return self._counts[text]

    def preset(self, name):
        def shorten(messages, target, session):
            state = session.get("state")
            answer = self._program.ask("compact", messages=messages, target=target, preset=name, state=state)
            session["state"] = answer.get("state")
            return answer["messages"]

        return Method(f"Tamp, {name}", self.version, shorten)


def nothing():
    return Method("no compaction", "–", lambda messages, target, session: messages)


def first(tamp):
    def shorten(messages, target, session):
        return _fitting(tamp, messages, target)

    return Method("the first messages", "–", shorten)


def newest(tamp):
    def shorten(messages, target, session):
        return _fitting(tamp, messages[::-1], target)[::-1]

    return Method("the newest messages", "–", shorten)


def _fitting(tamp, messages, target):
    """As many messages of the beginning as fit."""
    kept = []
    for message in messages:
        if tamp.count([*kept, message]) > target:
            break
        kept.append(message)
    return kept
