"""The service's own tools for LangChain, which leave a stream at its `complete`, sync and async."""

import json

from common import run_parts
from langchain_tabstack import TabstackToolError, get_tabstack_tools

QUESTION = "How tall are the Harrow windmills?"


def tools():
    return {tool.name: tool for tool in get_tabstack_tools()}


def cited(text):
    answer = json.loads(text)
    assert "22 metres tall" in answer["answer"] and "99 metres" not in answer["answer"], answer
    assert answer["sources"] and all(it["title"] and it["url"].startswith("http://") for it in answer["sources"]), answer


async def research():
    tool = tools()["research_question"]
    for mode in ["fast", "balanced"]:
        cited(tool.invoke({"query": QUESTION, "mode": mode}))
    cited(await tool.ainvoke({"query": QUESTION, "nocache": True}))
    try:
        tool.invoke({"query": "x" * 10_001})
    except TabstackToolError as error:
        assert error.status == 400, error
    else:
        raise AssertionError("no error")


def down():
    """A run that ends in an error is told in its words."""
    try:
        tools()["research_question"].invoke({"query": QUESTION})
    except TabstackToolError as error:
        assert "searxng" in str(error), error
    else:
        raise AssertionError("no error")


async def automate(page):
    tool = tools()["automate_browser_task"]
    task = {"task": "what does it cost?", "url": page}
    for answer in map(json.loads, [tool.invoke(task), await tool.ainvoke(task)]):
        assert answer["success"] and answer["answer"] == "12.50 EUR", answer
        assert [it["title"] for it in answer["pages_visited"]] == ["Shop", "Kettle K1"], answer
    try:
        tool.invoke({"task": "give up", "url": page})
    except TabstackToolError as error:
        assert "as asked" in str(error), error
    else:
        raise AssertionError("no error")


if __name__ == "__main__":
    run_parts(globals())
