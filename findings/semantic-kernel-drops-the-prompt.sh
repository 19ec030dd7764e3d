#!/usr/bin/env bash
# package: semantic-kernel 1.45.0 (PyPI)
# semantic-kernel 1.45.0 (PyPI): ChatHistoryTruncationReducer moves its cut back over all rounds of tools before it, so as not to part a
# call and its result, and keeps what follows the cut. In one task with many rounds the cut arrives right behind the prompt.
# Seen: of 22 messages 5 should stay; 21 do, and the one that is removed is the prompt with the task.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check semantic-kernel==1.45.0
cat <<'END'
field:    truncation in Semantic Kernel
package:  semantic-kernel 1.45.0 (PyPI)
expected: about 5 messages stay (target_count), whole rounds, or nothing is removed
END
cat > finding.py <<'END'
import asyncio
import sys

from semantic_kernel.contents import AuthorRole, ChatMessageContent, FunctionCallContent, FunctionResultContent
from semantic_kernel.contents.history_reducer.chat_history_truncation_reducer import ChatHistoryTruncationReducer


async def main():
    history = ChatHistoryTruncationReducer(target_count=5, threshold_count=0)
    history.add_system_message("You are a programmer.")
    history.add_user_message("The task: read ten files.")
    for i in range(10):
        call = FunctionCallContent(id=f"call_{i}", name="read", arguments="{}")
        result = FunctionResultContent(id=f"call_{i}", name="read", result="text")
        history.add_message(ChatMessageContent(role=AuthorRole.ASSISTANT, items=[call]))
        history.add_message(ChatMessageContent(role=AuthorRole.TOOL, items=[result]))
    before = list(history.messages)
    await history.reduce()
    removed = [message.role.value for message in before if message not in history.messages]
    print(f"seen:     {len(history.messages)} of {len(before)} messages stay; removed: {', '.join(removed)}")
    return len(history.messages) == 21 and removed == ["user"]


sys.exit(0 if asyncio.run(main()) else 1)
END
venv/bin/python finding.py || { echo "changed:  not what was seen before"; exit 1; }
