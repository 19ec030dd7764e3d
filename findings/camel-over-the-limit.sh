#!/usr/bin/env bash
# package: camel-ai 0.2.90 (PyPI), with mcp 1.30.0
# camel-ai 0.2.90 (PyPI): a ChatAgent summarizes its messages once they exceed half of token_limit, but not if they exceed all of it. One long
# prompt or tool result is enough to get there, and from then on each request has all messages: nothing shortens them again.
# Seen: 400 and 100 words for a limit of 1,000 are summarized; 400 and 900 are not, and neither is anything after them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check camel-ai==0.2.90 mcp==1.30.0
cat <<'END'
field:    compaction in CAMEL
package:  camel-ai 0.2.90 (PyPI), with mcp 1.30.0
expected: messages that exceed the limit are summarized, as those that exceed half of it are
END
cat > finding.py <<'END'
import logging
import sys
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
from camel.agents import ChatAgent
from camel.models.stub_model import StubModel, StubTokenCounter
from camel.types import ModelType


class Words(StubTokenCounter):
    def count_tokens_from_messages(self, messages):
        return sum(len(str(message["content"]).split()) for message in messages)


class Answers(StubModel):
    """Answers with two words and reports the tokens of the request."""

    def _run(self, messages, *args, **kwargs):
        answer = super()._run(messages, *args, **kwargs)
        answer.usage.prompt_tokens = Words().count_tokens_from_messages(messages)
        answer.usage.completion_tokens = 2
        answer.usage.total_tokens = answer.usage.prompt_tokens + 2
        sizes.append(answer.usage.prompt_tokens)
        summaries.append("Summarize" in str(messages[-1]["content"]))
        return answer


def chat(*lengths):
    sizes.clear()
    summaries.clear()
    model = Answers(ModelType.STUB, token_counter=Words())
    agent = ChatAgent("You answer.", model=model, token_limit=1000, summarize_threshold=50)
    for length in lengths:
        agent.step("word " * length)
    return sum(summaries)


sizes, summaries = [], []
half = chat(400, 100)
over = chat(400, 900, 10, 10, 10)
print(f"seen:     {half} summary for 400 and 100 words; {over} for 400 and 900, and the requests have {', '.join(map(str, sizes))} words")
sys.exit(0 if half == 1 and over == 0 and len(sizes) == 5 and min(sizes[1:]) > 1000 else 1)
END
venv/bin/python finding.py || { echo "changed:  not what was seen before"; exit 1; }
