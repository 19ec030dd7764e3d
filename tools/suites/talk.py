"""Programs that answer one line of JSON with one line of JSON (serve.mjs, peers.py)."""

import json
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Refused(Exception):
    """The program answered with an error."""


class Program:
    def __init__(self, name, *arguments, command="node"):
        line = [str(command), str(HERE / name), *map(str, arguments)]
        self._process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, op, **request):
        self._process.stdin.write(json.dumps({"op": op, **request}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"cannot read an answer to {op}: the program ended")
        answer = json.loads(line)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer


def text_of(messages):
    """The text of messages, each block on a line of its own."""
    parts = []
    for message in messages:
        content = message.get("content") or ""
        parts += [content] if isinstance(content, str) else [block.get("text", "") for block in content]
    return "\n".join(part for part in parts if part)


def write_between(page, name, text):
    """Puts a text between the markers `<!-- NAME -->` and `<!-- /NAME -->` of a page."""
    before, rest = page.read_text().split(f"<!-- {name} -->\n", 1)
    after = rest.split(f"<!-- /{name} -->", 1)[1]
    page.write_text(f"{before}<!-- {name} -->\n\n{text}\n\n<!-- /{name} -->{after}")
