#!/usr/bin/env bash
# package: autogen-core 0.7.5 (PyPI), with autogen-ext 0.7.5
# autogen-core 0.7.5 (PyPI): TokenLimitedChatCompletionContext removes one message after the other from the *middle* of the history until
# it fits, not the oldest ones and not pairs. A call and its result are two messages.
# Seen: of seven messages (a prompt, three calls with results) six stay, and the second result has lost its call.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check autogen-core==0.7.5 autogen-ext==0.7.5 autogen-agentchat==0.7.5
cat <<'END'
field:    contexts of AutoGen
package:  autogen-core 0.7.5 (PyPI), with autogen-ext 0.7.5
expected: the oldest messages go first, a call together with its result
END
cat > finding.py <<'END'
import asyncio
import sys

from autogen_core import FunctionCall
from autogen_core.model_context import TokenLimitedChatCompletionContext
from autogen_core.models import AssistantMessage, FunctionExecutionResult, FunctionExecutionResultMessage, UserMessage
from autogen_ext.models.replay import ReplayChatCompletionClient


class Client(ReplayChatCompletionClient):
    def count_tokens(self, messages, *, tools=()):
        return 100 * len(messages)


async def main():
    context = TokenLimitedChatCompletionContext(Client([]), token_limit=600)
    await context.add_message(UserMessage(content="Read three files.", source="user"))
    for name in ("a", "b", "c"):
        call = FunctionCall(id=name, name="read", arguments="{}")
        result = FunctionExecutionResult(content="text", name="read", call_id=name)
        await context.add_message(AssistantMessage(content=[call], source="assistant"))
        await context.add_message(FunctionExecutionResultMessage(content=[result]))
    kinds = []
    for message in await context.get_messages():
        if isinstance(message, AssistantMessage):
            kinds.append(f"call {message.content[0].id}")
        elif isinstance(message, FunctionExecutionResultMessage):
            kinds.append(f"result {message.content[0].call_id}")
        else:
            kinds.append("prompt")
    print(f"seen:     {', '.join(kinds)}")
    return kinds == ["prompt", "call a", "result a", "result b", "call c", "result c"]


sys.exit(0 if asyncio.run(main()) else 1)
END
venv/bin/python finding.py || { echo "changed:  not what was seen before"; exit 1; }
