#!/usr/bin/env bash
# package: llama-index-core 0.14.25 (PyPI)
# llama-index-core 0.14.25 (PyPI): ChatMemoryBuffer removes messages from the start until the rest fits, and no rest may start with an
# assistant or tool message. Within a loop of tools no message after the prompt is allowed to be the start, and then the search ends at the
# last message, whatever it is.
# Seen: a prompt, a call and its result of 200 words for a limit of 250: the result comes back alone, without the prompt and the call.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check llama-index-core==0.14.25
cat <<'END'
field:    memory in LlamaIndex
package:  llama-index-core 0.14.25 (PyPI)
expected: a result comes back with its call, or an error
END
cat > finding.py <<'END'
import sys

from llama_index.core.llms import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer

call = {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
history = [
    ChatMessage(role="user", content="The task: " + "word " * 100),
    ChatMessage(role="assistant", content="", additional_kwargs={"tool_calls": [call]}),
    ChatMessage(role="tool", content="text " * 200, additional_kwargs={"tool_call_id": "call_1"}),
]
memory = ChatMemoryBuffer.from_defaults(token_limit=250, tokenizer_fn=str.split)
for message in history:
    memory.put(message)
roles = [message.role.value for message in memory.get()]
print(f"seen:     {len(roles)} of {len(history)} messages come back: {', '.join(roles)}")
sys.exit(0 if roles == ["tool"] else 1)
END
venv/bin/python finding.py || { echo "changed:  not what was seen before"; exit 1; }
