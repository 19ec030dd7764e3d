#!/usr/bin/env bash
# package: langchain-core 1.8.3 (PyPI)
# langchain-core 1.8.3 (PyPI): count_tokens_approximately leaves out tool_calls if the content of the message is a list. Its reason holds
# for Anthropic only, where the list repeats the calls; a list of texts, or an empty one, next to tool_calls is valid as well.
# It is the default counter of langmem and of SummarizationMiddleware.
# Seen: 30,028 tokens for a call next to a string, 8 for the same call next to a list.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check langchain-core==1.8.3
cat <<'END'
field:    counting tokens in LangChain
package:  langchain-core 1.8.3 (PyPI)
expected: about as many tokens for content "I write it." as for [{"type": "text", "text": "I write it."}]
END
cat > finding.py <<'END'
import sys

from langchain_core.messages import AIMessage
from langchain_core.messages.utils import count_tokens_approximately

calls = [{"id": "call_1", "name": "write", "args": {"text": "word " * 24000}}]
text = count_tokens_approximately([AIMessage(content="I write it.", tool_calls=calls)])
parts = count_tokens_approximately([AIMessage(content=[{"type": "text", "text": "I write it."}], tool_calls=calls)])
print(f"seen:     {text} tokens with a string, {parts} with a list")
sys.exit(0 if text > 30000 and parts < 10 else 1)
END
venv/bin/python finding.py || { echo "changed:  not what was seen before"; exit 1; }
