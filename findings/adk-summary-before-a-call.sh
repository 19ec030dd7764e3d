#!/usr/bin/env bash
# package: google-adk 2.13.0 (PyPI)
# google-adk 2.13.0 (PyPI): with a token threshold, ADK compacts within a loop of tools, too. The summary replaces the prompt, but has the
# role of the model, so that a turn of the model with a functionCall follows a turn of the model. Gemini's API refuses a functionCall that
# does not follow a user turn or a functionResponse.
# Seen: from the fourth request on, no user turn precedes the first functionCall.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check google-adk==2.13.0
cat <<'END'
field:    compaction in ADK
package:  google-adk 2.13.0 (PyPI)
expected: a functionCall follows a user turn or a functionResponse
END
cat > finding.py <<'END'
import asyncio
import sys
import warnings

from google.adk.agents import LlmAgent
from google.adk.apps.app import App, EventsCompactionConfig
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

warnings.simplefilter("ignore")
requests = []


def kind(part):
    return "functionCall" if part.function_call else "functionResponse" if part.function_response else "text"


class Calls(BaseLlm):
    """Calls a tool six times, then answers; writes the summaries, too."""

    async def generate_content_async(self, llm_request, stream=False):
        if not llm_request.config.tools:
            yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="The summary.")]))
            return
        requests.append([f"{content.role} {kind(content.parts[0])}" for content in llm_request.contents])
        part = types.Part(text="Done.")
        if len(requests) <= 6:
            part = types.Part(function_call=types.FunctionCall(name="read", args={"path": f"{len(requests)}.txt"}))
        usage = types.GenerateContentResponseUsageMetadata(prompt_token_count=1000 * len(requests))
        yield LlmResponse(content=types.Content(role="model", parts=[part]), usage_metadata=usage)


def read(path: str) -> dict:
    """Reads a file."""
    return {"text": "text " * 100}


async def main():
    compaction = EventsCompactionConfig(token_threshold=3000, event_retention_size=4)
    agent = LlmAgent(name="agent", model=Calls(model="calls"), tools=[read])
    runner = InMemoryRunner(app=App(name="app", root_agent=agent, events_compaction_config=compaction))
    session = await runner.session_service.create_session(app_name="app", user_id="user")
    prompt = types.Content(role="user", parts=[types.Part(text="The task: read six files.")])
    async for _ in runner.run_async(user_id="user", session_id=session.id, new_message=prompt):
        pass
    print(f"seen:     the fourth request: {', '.join(requests[3])}")
    starts = [request[:2] for request in requests[3:]]
    return len(starts) == 4 and all(start == ["model text", "model functionCall"] for start in starts)


sys.exit(0 if asyncio.run(main()) else 1)
END
venv/bin/python finding.py || { echo "changed:  not what was seen before"; exit 1; }
