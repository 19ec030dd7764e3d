"""The Python clients of `make test-agents`: clients.py NAME BASE MODEL TASK works on the task with one tool, a shell, and
prints the last answer. Each is a loop of that package, as its documentation has it."""

import subprocess
import sys


def bash(command: str, description: str = "") -> str:
    """Run a command in bash.

    Args:
        command: The command.
        description: What it does.
    """
    done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout if done.returncode == 0 else f"{done.stdout}exit status {done.returncode}"


SCHEMA = {
    "type": "object",
    "properties": {"command": {"type": "string"}, "description": {"type": "string"}},
    "required": ["command"],
}
SYSTEM = "You work in a shell."


def anthropic_runner(base, model, task):
    """The tool runner of Anthropic's SDK, which uses message threads."""
    from anthropic import Anthropic, beta_tool

    runner = Anthropic(base_url=base, api_key="k").beta.messages.tool_runner(
        model=model,
        max_tokens=8000,
        system=SYSTEM,
        tools=[beta_tool(bash)],
        messages=[{"role": "user", "content": task}],
    )
    return "".join(block.text for block in runner.until_done().content if block.type == "text")


def anthropic_loop(base, model, task):
    """A loop over Anthropic's SDK that streams, with the breakpoint of the cache on the request."""
    from anthropic import Anthropic

    client = Anthropic(base_url=base, api_key="k")
    messages = [{"role": "user", "content": task}]
    while True:
        with client.messages.stream(
            model=model,
            max_tokens=8000,
            system=SYSTEM,
            cache_control={"type": "ephemeral"},
            tools=[{"name": "bash", "description": "Run a command.", "input_schema": SCHEMA}],
            messages=messages,
        ) as stream:
            answer = stream.get_final_message()
        messages.append({"role": "assistant", "content": answer.content})
        calls = [block for block in answer.content if block.type == "tool_use"]
        if not calls:
            return "".join(block.text for block in answer.content if block.type == "text")
        results = [{"type": "tool_result", "tool_use_id": c.id, "content": bash(**c.input)} for c in calls]
        messages.append({"role": "user", "content": results})


def openai_chat(base, model, task):
    """A loop over OpenAI's SDK, Chat Completions. What the answer has besides goes back with it, as LiteLLM's
    thinking_blocks."""
    import json

    from openai import OpenAI

    client = OpenAI(base_url=base, api_key="k")
    tools = [{"type": "function", "function": {"name": "bash", "description": "Run a command.", "parameters": SCHEMA}}]
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": task}]
    while True:
        answer = client.chat.completions.create(model=model, messages=messages, tools=tools).choices[0].message
        messages.append(answer.model_dump(exclude_none=True))
        if not answer.tool_calls:
            return answer.content
        for call in answer.tool_calls:
            result = bash(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def openai_responses(base, model, task):
    """A loop over OpenAI's SDK, Responses without stored state."""
    import json

    from openai import OpenAI

    client = OpenAI(base_url=base, api_key="k")
    tools = [{"type": "function", "name": "bash", "description": "Run a command.", "parameters": SCHEMA, "strict": False}]
    items = [{"role": "user", "content": task}]
    while True:
        answer = client.responses.create(
            model=model,
            instructions=SYSTEM,
            input=items,
            tools=tools,
            store=False,
            include=["reasoning.encrypted_content"],
            reasoning={"effort": "medium"},
        )
        items += answer.output
        calls = [item for item in answer.output if item.type == "function_call"]
        if not calls:
            return answer.output_text
        for call in calls:
            result = bash(**json.loads(call.arguments))
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": result})


def google_genai(base, model, task):
    """Google's SDK, which calls the functions itself."""
    from google import genai
    from google.genai import types

    client = genai.Client(api_key="k", http_options=types.HttpOptions(base_url=base))
    config = types.GenerateContentConfig(
        system_instruction=SYSTEM,
        tools=[bash],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(maximum_remote_calls=300),
    )
    return client.chats.create(model=model, config=config).send_message(task).text


def pydantic_ai(base, model, task):
    """Pydantic AI over Messages."""
    from pydantic_ai import Agent, UsageLimits
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    agent = Agent(AnthropicModel(model, provider=AnthropicProvider(base_url=base, api_key="k")), system_prompt=SYSTEM)
    agent.tool_plain(bash)
    return agent.run_sync(task, usage_limits=UsageLimits(request_limit=None)).output


def pydantic_ai_chat(base, model, task):
    """Pydantic AI over Chat Completions."""
    from pydantic_ai import Agent, UsageLimits
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    agent = Agent(OpenAIChatModel(model, provider=OpenAIProvider(base_url=base, api_key="k")), system_prompt=SYSTEM)
    agent.tool_plain(bash)
    return agent.run_sync(task, usage_limits=UsageLimits(request_limit=None)).output


def text_of(message):
    return message.text if isinstance(message.text, str) else message.text()


def langgraph(base, model, task):
    """LangGraph's prebuilt agent over Messages."""
    from langchain.agents import create_agent
    from langchain_anthropic import ChatAnthropic

    agent = create_agent(ChatAnthropic(model=model, base_url=base, api_key="k", max_tokens=8000), [bash], system_prompt=SYSTEM)
    state = agent.invoke({"messages": [("user", task)]}, {"recursion_limit": 1000})
    return text_of(state["messages"][-1])


def langgraph_responses(base, model, task):
    """LangGraph's prebuilt agent over Responses, which its package for OpenAI calls by default."""
    from langchain.agents import create_agent
    from langchain_openai import ChatOpenAI

    agent = create_agent(ChatOpenAI(model=model, base_url=base, api_key="k"), [bash], system_prompt=SYSTEM)
    state = agent.invoke({"messages": [("user", task)]}, {"recursion_limit": 1000})
    return text_of(state["messages"][-1])


def deepagents(base, model, task):
    """deepagents over Messages, with its files, subagents and its own summaries."""
    from deepagents import create_deep_agent
    from langchain_anthropic import ChatAnthropic

    agent = create_deep_agent(
        model=ChatAnthropic(model=model, base_url=base, api_key="k", max_tokens=8000), tools=[bash], system_prompt=SYSTEM
    )
    state = agent.invoke({"messages": [("user", task)]}, {"recursion_limit": 1000})
    return text_of(state["messages"][-1])


def mini_swe_agent(base, model, task):
    """mini-swe-agent, whose models are LiteLLM's. Its model ends by a command."""
    from minisweagent.agents.default import DefaultAgent
    from minisweagent.environments.local import LocalEnvironment
    from minisweagent.models.litellm_model import LitellmModel

    agent = DefaultAgent(
        LitellmModel(
            model_name=model,
            model_kwargs={"api_base": base, "api_key": "k"},
            set_cache_control="default_end",
            cost_tracking="ignore_errors",
        ),
        LocalEnvironment(),
        system_template=SYSTEM,
        instance_template="{{task}}",
        cost_limit=0,
    )
    agent.run(task)
    return "\n".join(str(m.get("content")) for m in agent.messages if m["role"] == "assistant")


if __name__ == "__main__":
    _, name, *arguments = sys.argv
    print(globals()[name](*arguments))
