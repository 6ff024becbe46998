#!/usr/bin/env python3
"""Makes the stacks that both programs are compared on, and waits until Heat is done with them.

    stacks.py make PREFIX      # prints nothing; the stacks are PREFIX-NAME
    stacks.py delete PREFIX

Run with the Python of the client's environment (it has openstacksdk); the cloud is OS_CLOUD.
"""
import json
import sys
import time

import openstack

CHILD = """
heat_template_version: 2018-08-31
parameters:
  fail: {type: boolean, default: false}
  wait: {type: number, default: 1}
resources:
  inner:
    type: OS::Heat::TestResource
    properties: {fail: {get_param: fail}, wait_secs: {get_param: wait}}
  plain:
    type: OS::Heat::None
"""

NESTED = """
heat_template_version: 2018-08-31
parameters:
  fail: {type: boolean, default: false}
resources:
  child:
    type: child.yaml
    properties: {fail: {get_param: fail}, wait: 2}
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def: {type: child.yaml, properties: {wait: 3}}
"""

# Every kind of value that an output may have.
OUTPUTS = """
heat_template_version: 2018-08-31
description: |
  Two lines,
  "quoted" and ünïcode 語
parameters:
  list: {type: comma_delimited_list, default: "a,b"}
  map: {type: json, default: {"key": {"deep": [1, 2.5, null, true]}}}
  secret: {type: string, hidden: true, default: hush}
  empty: {type: string, default: ""}
  number: {type: number, default: 007}
resources:
  random: {type: OS::Heat::RandomString, properties: {length: 8, character_classes: [{class: digits, min: 8}]}}
outputs:
  text: {description: A word, value: "it's \\"quoted\\" \\\\ $HOME"}
  lines: {value: "one\\ntwo\\n\\nfour\\n"}
  unicode: {value: "h\u00e9ron \u8a9e \U0001f986"}
  number: {value: 42}
  float: {value: 1.50}
  truth: {value: true}
  nothing: {value: null}
  list: {value: [1, two, [three, {four: 5}]]}
  map: {value: {get_param: map}}
  empty_list: {value: []}
  empty_map: {value: {}}
  yaml_like: {value: "yes: no, 012, 1:30"}
  long: {value: "%s"}
  broken: {description: Cannot be resolved, value: {make_url: {scheme: http, host: h, port: {get_attr: [random, value]}}}}
""" % ("word " * 60).strip()

# Three levels and 200 resources: 9 groups of 10 children, each of them two resources; one of them fails.
LEAF = """
heat_template_version: 2018-08-31
parameters:
  fail: {type: boolean, default: false}
resources:
  one: {type: OS::Heat::None}
  two: {type: OS::Heat::TestResource, properties: {fail: {get_param: fail}}}
"""
BRANCH = "heat_template_version: 2018-08-31\nparameters:\n  fail: {type: boolean, default: false}\nresources:\n" + "".join(
    f"  leaf{n}: {{type: leaf.yaml, properties: {{fail: {'{get_param: fail}' if n == 0 else 'false'}}}}}\n" for n in range(7)
)
TREE = "heat_template_version: 2018-08-31\nresources:\n" + "".join(
    f"  branch{n}: {{type: branch.yaml, properties: {{fail: {'true' if n < 2 else 'false'}}}}}\n" for n in range(9)
)

DEPLOYMENT = """
heat_template_version: 2018-08-31
resources:
  config:
    type: OS::Heat::SoftwareConfig
    properties: {group: script, config: "exit 1", outputs: [{name: result}]}
  deploy:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: config}, server: 00000000-0000-0000-0000-000000000000, signal_transport: HEAT_SIGNAL}
"""

HOOK = """
heat_template_version: 2018-08-31
resources:
  first: {type: OS::Heat::None}
  paused: {type: OS::Heat::RandomString}
"""


def stacks(prefix):
    """Name, template, files, parameters, environment, the status that is waited for."""
    child = {"child.yaml": CHILD}
    tree = {"leaf.yaml": LEAF, "branch.yaml": BRANCH}
    hook = {"resource_registry": {"resources": {"paused": {"hooks": "pre-create"}}}}
    return [
        (f"{prefix}-nested", NESTED, child, {}, {}, "CREATE_COMPLETE"),
        (f"{prefix}-nested-fails", NESTED, child, {"fail": "true"}, {}, "CREATE_FAILED"),
        (f"{prefix}-outputs", OUTPUTS, {}, {}, {}, "CREATE_COMPLETE"),
        (f"{prefix}-deployment", DEPLOYMENT, {}, {}, {}, "CREATE_FAILED"),
        (f"{prefix}-hook", HOOK, {}, {}, hook, "CREATE_IN_PROGRESS"),
        (f"{prefix}-tree", TREE, tree, {}, {}, "CREATE_FAILED"),
    ]


def signal_deployment(heat, base):
    """Lets the deployment report a failure with 25 lines on stdout."""
    for _ in range(60):
        resource = heat.get(f"{base}/resources/deploy").json().get("resource", {})
        if resource.get("physical_resource_id") and resource["resource_status"] == "CREATE_IN_PROGRESS":
            break
        time.sleep(1)
    lines = "".join(f"line {n}\n" for n in range(25))
    heat.post(f"{base}/resources/deploy/signal", json={
        "deploy_stdout": lines, "deploy_stderr": "no such flavor: \u8a9e\n", "deploy_status_code": "1"})


def make(heat, prefix):
    waiting = {}
    for name, template, files, parameters, environment, status in stacks(prefix):
        answer = heat.post("/stacks", json={
            "stack_name": name, "template": template, "files": files, "parameters": parameters,
            "environment": environment, "disable_rollback": True, "timeout_mins": 30, "tags": "blue,green"})
        if answer.status_code != 201:
            sys.exit(f"{name}: {answer.text}")
        waiting[name] = (f"/stacks/{name}/{answer.json()['stack']['id']}", status)
    signal_deployment(heat, waiting[f"{prefix}-deployment"][0])
    while waiting:
        for name, (base, status) in list(waiting.items()):
            seen = heat.get(f"{base}?resolve_outputs=False").json()["stack"]["stack_status"]
            if seen == status:
                del waiting[name]
            elif not seen.endswith("IN_PROGRESS"):
                sys.exit(f"{name}: {seen} instead of {status}")
        time.sleep(1)


def main():
    action, prefix = sys.argv[1:]
    heat = openstack.connect().orchestration
    if action == "make":
        make(heat, prefix)
    else:
        for name, *_ in stacks(prefix):
            heat.delete(f"/stacks/{name}")


main()
