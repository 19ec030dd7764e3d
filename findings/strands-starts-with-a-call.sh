#!/usr/bin/env bash
# package: strands-agents 1.62.0 (PyPI)
# strands-agents 1.62.0 (PyPI): the window of 40 messages that each Agent has looks for a user message to start with. After one task with
# many calls there is none, and it starts with a call instead. The task is gone, and some models refuse a conversation that does not start
# with a user message, for instance the Nova models of Amazon Bedrock.
# Seen: after a task of 25 calls, the request for the next prompt starts with an assistant message, and nothing in it names the task.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check strands-agents==1.62.0
cat <<'END'
field:    truncation in Strands Agents
package:  strands-agents 1.62.0 (PyPI)
expected: each request starts with a user message
END
cat > finding.py <<'END'
import sys

from strands import Agent, tool
from strands.models.model import Model


class Calls(Model):
    """Calls a tool 25 times, then answers."""

    def __init__(self):
        self.requests = []

    def get_config(self):
        return {}

    def update_config(self, **config):
        pass

    async def structured_output(self, *args, **kwargs):
        yield {}

    async def stream(self, messages, *args, **kwargs):
        self.requests.append([(message["role"], str(message["content"])) for message in messages])
        yield {"messageStart": {"role": "assistant"}}
        if len(self.requests) <= 25:
            call = {"name": "read", "toolUseId": f"call_{len(self.requests)}"}
            yield {"contentBlockStart": {"start": {"toolUse": call}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": "{}"}}}}
        else:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "Done."}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if len(self.requests) <= 25 else "end_turn"}}


@tool
def read() -> str:
    """Read the next file."""
    return "text"


model = Calls()
agent = Agent(model=model, tools=[read], callback_handler=None)
agent("The task: read 25 files.")
agent("Go on.")
request = model.requests[-1]
task = any("The task" in content for role, content in request)
print(f"seen:     {len(request)} messages, the first is of the {request[0][0]}; the task is {'in' if task else 'not in'} them")
sys.exit(0 if request[0][0] == "assistant" and not task and len(request) == 40 else 1)
END
venv/bin/python finding.py || { echo "changed:  not what was seen before"; exit 1; }
