#!/usr/bin/env bash
# package: agent-framework-core 1.23.0 (PyPI)
# agent-framework-core 1.23.0 (PyPI): ToolResultCompactionStrategy replaces an older call and its results by a message with the results. The
# whole message of the call goes, also the text that the model wrote in it, and the arguments.
# Seen: of "The fault is in a.py: ..." next to a call that writes a file, "[Tool results: write: ok]" is left.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check agent-framework-core==1.23.0
cat <<'END'
field:    compaction in Microsoft's Agent Framework
package:  agent-framework-core 1.23.0 (PyPI)
expected: the calls and the results are replaced; the text of the answer stays
END
cat > finding.py <<'END'
import asyncio
import sys

from agent_framework import Content, Message, ToolResultCompactionStrategy, apply_compaction


def call(number, name, arguments):
    return Content.from_function_call(call_id=f"call_{number}", name=name, arguments=arguments)


def result(number, text):
    return Message("tool", [Content.from_function_result(call_id=f"call_{number}", result=text)])


reason = "The fault is in a.py: the loop ends one line too early. b.py must stay as it is."
history = [
    Message("user", ["Why does the last line not appear? Repair it."]),
    Message("assistant", [Content.from_text(reason), call(1, "write", '{"path": "a.py", "text": "for line in lines: print(line)"}')]),
    result(1, "ok"),
    Message("assistant", [call(2, "test", "{}")]),
    result(2, "1 passed"),
]
strategy = ToolResultCompactionStrategy(keep_last_tool_call_groups=1)
compacted = asyncio.run(apply_compaction(history, strategy=strategy))
texts = [message.text for message in compacted if message.role == "assistant" and message.text]
print(f"seen:     the text of the assistant messages: {texts}")
sys.exit(0 if texts == ["[Tool results: write: ok]"] else 1)
END
venv/bin/python finding.py || { echo "changed:  not what was seen before"; exit 1; }
