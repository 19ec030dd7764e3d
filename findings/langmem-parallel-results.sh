#!/usr/bin/env bash
# package: langmem 0.0.30 (PyPI), with langchain-core 1.8.3
# langmem 0.0.30 (PyPI): summarize_messages takes the results of a call along only if the summarized part ends with the call. If it ends
# with the first of two parallel results, the second one stays behind without its call.
# Seen: the messages after the summary begin with a ToolMessage whose call is gone; providers refuse that.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check langmem==0.0.30 langchain-core==1.8.3
cat <<'END'
field:    compaction in agents of LangGraph
package:  langmem 0.0.30 (PyPI), with langchain-core 1.8.3
expected: each result that stays has its call
END
cat > finding.py <<'END'
import sys

from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langmem.short_term import summarize_messages

calls = [{"id": "call_a", "name": "read", "args": {}}, {"id": "call_b", "name": "read", "args": {}}]
history = [
    HumanMessage("Read both files.", id="1"),
    AIMessage("", id="2", tool_calls=calls),
    ToolMessage("long " * 100, id="3", tool_call_id="call_a"),
    ToolMessage("short", id="4", tool_call_id="call_b"),
    AIMessage("I read both.", id="5"),
    HumanMessage("Go on.", id="6"),
]
result = summarize_messages(
    history,
    running_summary=None,
    model=FakeListChatModel(responses=["The summary."]),
    max_tokens=300,
    max_tokens_before_summary=60,
    max_summary_tokens=50,
    token_counter=lambda messages: sum(5 + len(str(message.content).split()) for message in messages),
)
have = [call["id"] for message in result.messages for call in getattr(message, "tool_calls", [])]
orphans = [m.tool_call_id for m in result.messages if isinstance(m, ToolMessage) and m.tool_call_id not in have]
print(f"seen:     {', '.join(type(message).__name__ for message in result.messages)}; results without a call: {orphans}")
sys.exit(0 if orphans == ["call_b"] else 1)
END
venv/bin/python finding.py || { echo "changed:  not what was seen before"; exit 1; }
