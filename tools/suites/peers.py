"""Runs other libraries from PyPI for the driver, in an environment of their own, as serve.mjs does: a request in JSON a
line, an answer a line."""

import json
import logging
import os
import sys
from importlib.metadata import version

# What the libraries print is not an answer.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
# headroom-ai would report its use and look for updates and models.
os.environ |= {"HEADROOM_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}
logging.disable(logging.WARNING)

# The model names the format of the request; no model is called.
MODEL = "gpt-4o"


def llmtrim(messages, share):
    import llmtrim as library

    request = json.dumps({"model": MODEL, "messages": messages})
    return json.loads(library.compress(request, library.Provider.OPEN_AI, "aggressive").request_json)["messages"]


def headroom(messages, share):
    from headroom import compress

    options = {"compress_user_messages": True, "target_ratio": share, "protect_recent": 0}
    return compress(messages, model=MODEL, **options).messages


METHODS = {"llmtrim": llmtrim, "headroom-ai": headroom}


def answer(request):
    if request["op"] == "versions":
        return {"versions": {name: version(name) for name in METHODS}}
    return {"messages": METHODS[request["method"]](request["messages"], request["share"])}


for line in sys.stdin:
    try:
        found = answer(json.loads(line))
    except Exception as error:  # the row of the table says why
        found = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(found), file=answers, flush=True)
