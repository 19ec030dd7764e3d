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
    sized: bool = True  # a smaller target gives a smaller text


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
        """A preset whose policy has a target; others keep a number of messages, whatever the target is."""

        def shorten(messages, target, session):
            state = session.get("state")
            answer = self._program.ask("compact", messages=messages, target=target, preset=name, state=state)
            session["state"] = answer.get("state")
            return answer["messages"]

        return Method(f"Tamp, {name}", self.version, shorten)


def nothing():
    return Method("no compaction", "–", lambda messages, target, session: messages, sized=False)


def first(tamp):
    def shorten(messages, target, session):
        return _fitting(tamp, messages, target)

    return Method("the first messages", "–", shorten)


def newest(tamp):
    def shorten(messages, target, session):
        return _fitting(tamp, messages[::-1], target)[::-1]

    return Method("the newest messages", "–", shorten)


def as_many(rule, method, tamp):
    """The rule with the size that the method has at that target, in the first compaction of a session."""

    def shorten(messages, target, session):
        if "size" not in session:
            session["size"] = tamp.count(method.shorten(messages, target, {}))
        return rule.shorten(messages, session["size"], session)

    return Method(f"{rule.name}, the size of {method.name}", "–", shorten, sized=False)


class Peers:
    """Libraries of others, each in its own environment below the folder of the build."""

    def __init__(self, folder, tamp):
        python = folder / "peers" / "bin" / "python"
        self._programs = [Program("peers.mjs", folder), Program("peers.py", command=python)]
        self._tamp = tamp

    def methods(self):
        found = []
        for program in self._programs:
            for name, version in program.ask("versions")["versions"].items():
                found.append(Method(name, version, self._shorten(program, name), sized=name.endswith("trimMessages")))
        return found

    def _shorten(self, program, name):
        def shorten(messages, target, session):
            share = min(1, target / self._tamp.count(messages))
            return program.ask("compact", method=name, messages=messages, target=target, share=share)["messages"]

        return shorten


def _fitting(tamp, messages, target):
    """As many messages of the beginning as fit."""
    kept = []
    for message in messages:
        if tamp.count([*kept, message]) > target:
            break
        kept.append(message)
    return kept
