#!/usr/bin/env bash
# package: litellm 1.110.2 (PyPI)
# litellm 1.110.2 (PyPI): trim_messages takes the tool messages at the end away before it counts, and adds them again afterwards. They are
# neither shortened nor counted, so the result has any size, and the rest is not trimmed for them.
# Seen: max_tokens 400, and the messages that come back have 4,000 words.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check litellm==1.110.2
cat <<'END'
field:    trimming in LiteLLM
package:  litellm 1.110.2 (PyPI)
expected: at most 400 tokens come back, or an error
END
cat > finding.py <<'END'
import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
from litellm import token_counter
from litellm.utils import trim_messages

call = {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
history = [
    {"role": "system", "content": "You are a programmer."},
    {"role": "user", "content": "An earlier question."},
    {"role": "assistant", "content": "An earlier answer."},
    {"role": "user", "content": "Read the file."},
    {"role": "assistant", "content": None, "tool_calls": [call]},
    {"role": "tool", "tool_call_id": "call_1", "content": "word " * 4000},
]
trimmed = trim_messages(history, model="gpt-4o", max_tokens=400)
tokens = token_counter(model="gpt-4o", messages=trimmed)
print(f"seen:     {len(trimmed)} of {len(history)} messages come back, {tokens} tokens by token_counter")
sys.exit(0 if trimmed == history and tokens > 4000 else 1)
END
venv/bin/python finding.py || { echo "changed:  not what was seen before"; exit 1; }
