#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Hold lines of JSON against docs/verify.schema.json.

    schema.py [FILE]...         default: standard input

The schema lets a reader of today accept keys of later versions.  Here a key
that the schema does not describe is wrong, too: the schema is then what has to
be completed.  Prints at most ten faults; exit status 1 if there are any.
"""
import fileinput
import json
import os
import sys

import jsonschema

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs",
                      "verify.schema.json")


def closed(schema):
    """The same schema, whose objects have no keys but those described."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: closed(value) for key, value in schema.items()}
    if copy.get("type") == "object" and "required" in copy and \
            "oneOf" not in copy:
        copy["additionalProperties"] = False
    return copy


def pairs_once(pairs):
    """An object; a key that comes twice is a fault that json does not see."""
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError(f"a key comes twice: {sorted(keys)}")
    return dict(pairs)


def faults(schema):
    # one kind of object at a time: "not valid under any" would name no cause
    kinds = {ref["$ref"].split("/")[-1] for ref in schema["oneOf"]}
    validators = {}
    for kind in kinds:
        of_kind = {**schema, "$ref": f"#/$defs/{kind}"}
        del of_kind["oneOf"]
        name = schema["$defs"][kind]["properties"]["type"]["const"]
        validators[name] = jsonschema.Draft202012Validator(of_kind)
    lines = 0
    for lines, line in enumerate(fileinput.input(), 1):
        try:
            got = json.loads(line, object_pairs_hook=pairs_once)
            validator = validators[got["type"]]
        except (ValueError, KeyError, TypeError) as error:
            yield f"line {lines}: {error!r}: {line.rstrip()}"
            continue
        for error in validator.iter_errors(got):
            yield f"line {lines}: {error.json_path}: {error.message}"
    if not lines:
        yield "no lines"


def main():
    with open(SCHEMA, encoding="ascii") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    wrong = 0
    for wrong, fault in enumerate(faults(closed(schema)), 1):
        print(fault)
        if wrong == 10:
            break
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
