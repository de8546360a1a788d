"""Values that a schema cannot say: names of what only the operator has, and grammars that are no regular language.

Each rule is for valid requests alone; requests that are made to be refused are sent as they are.
"""

import schemathesis
from schemathesis.generation import GenerationMode

# Fields whose values are names of the operator's own objects: models, ways out by country.
OPERATORS = ("model", "provider", "geo_target")
# Options of pages that need a browser, which the server of this check does not have.
BROWSERS = ("engine", "locale", "timezone", "viewport", "wait_for", "screenshot", "formats")
# Fields with JSON Schemas, and the types of which members of a schema may be the name of a field's.
SCHEMAS = ("schema", "json_schema")
TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
# A secret of a generator of one-time passwords.
TOTP = "JBSWY3DPEHPK3PXP"


def is_valid_case(context, case):
    """Whether the case is one that the server has to accept."""
    meta = getattr(case, "meta", None)
    return meta is None or meta.generation.mode == GenerationMode.POSITIVE


def without_fields_beside_keywords(schema):
    """A schema without the members that look like fields outside `properties`, which are refused where no keyword stands beside them."""
    return {key: value for key, value in schema.items() if not isinstance(value, dict) and not (isinstance(value, str) and value in TYPES)}


def settle(body):
    """Replaces what no schema can say by values of the right kind."""
    for name in OPERATORS + BROWSERS:
        body.pop(name, None)
    fetch = body.get("fetch")
    if isinstance(fetch, dict):
        for name in OPERATORS + BROWSERS:
            fetch.pop(name, None)
    for name in SCHEMAS:
        schema = body.get(name)
        if isinstance(schema, dict) and "properties" not in schema:
            body[name] = without_fields_beside_keywords(schema)
    # Given twice, both have to say the same.
    if "fetch_timeout" in body and isinstance(fetch, dict):
        fetch.pop("timeout", None)
    if isinstance(body.get("trusted_hostnames"), list):
        body["trusted_hostnames"] = ["shop.example" for _ in body["trusted_hostnames"]]
    if isinstance(body.get("sites"), list):
        body["sites"] = ["shop.example" for _ in body["sites"]]
    # One of two kinds of schedules, and conditions whose values follow from their operators.
    if isinstance(body.get("schedule"), dict):
        body["schedule"] = {"every": 3600}
    body.pop("conditions", None)
    if body.get("kind") == "totp":
        body["value"] = TOTP
    state = body.get("storage_state")
    for owner in (body, state if isinstance(state, dict) else {}):
        if isinstance(owner.get("cookies"), list):
            owner["cookies"] = [
                {"name": "session", "value": "1", "domain": "shop.example"} for _ in owner["cookies"][:3]
            ]
        if isinstance(owner.get("origins"), list):
            for origin in owner["origins"]:
                if isinstance(origin, dict):
                    origin["origin"] = "https://shop.example"


@schemathesis.hook
def before_call(context, case, kwargs):
    if not is_valid_case(context, case):
        return
    # The days of a period are in order, and not too far apart.
    if case.query and "from" in case.query and "to" in case.query:
        del case.query["from"]
    if isinstance(case.body, dict):
        settle(case.body)
