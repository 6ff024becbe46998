#!/usr/bin/env python3
"""Compares the bodies that heat-wait and python-heatclient make of the same templates and environments.

    cargo build --release -p heat-cli --example body
    PYTHON tests/heat_template/compare.py BODY FOLDER...

PYTHON has python-heatclient (5.3.0), BODY is target/release/examples/body, FOLDERs hold templates and environments
(for example checkouts of openstack/heat-templates, openstack/tripleo-heat-templates and openstack/heat).

Every .yaml, .yml, .template, .json and .env file is tried as a template; every file that the client reads as an
environment is tried as one, with the smallest template; and, with each template, the environments beside it, at most
three. Bodies must be equal as JSON (texts inside "files" that are JSON are compared as JSON), and what the client
refuses must be refused. Differences are printed, one a line; the exit code is 1 where there are any.
"""

import json
import os
import subprocess
import sys
import tempfile

from heatclient.common import template_utils
from oslo_serialization import jsonutils

ENDINGS = ('.yaml', '.yml', '.template', '.json', '.env')
BESIDE = 3
MINIMAL = 'heat_template_version: 2013-05-23\n'


def client(template, environments):
    """What the client would post: ('ok', body) or ('refused', error)."""
    try:
        files, body = template_utils.process_template_path(template)
        tracker = []
        more, environment = template_utils.process_multiple_environments_and_files(
            env_paths=environments, env_list_tracker=tracker)
        files.update(more)
        body = {'template': body, 'files': files, 'environment': environment}
        if tracker:
            body['environment_files'] = tracker
        return 'ok', json.loads(jsonutils.dumps(body))
    except RecursionError:
        return 'refused', 'RecursionError'
    except Exception as error:  # noqa: BLE001 - whatever the client ends with is a refusal
        return 'refused', f'{type(error).__name__}: {error}'


def normal(body):
    """A body with the texts in its files read as JSON, where they are."""
    files = {}
    for name, text in (body.get('files') or {}).items():
        try:
            files[name] = json.loads(text)
        except (ValueError, RecursionError):
            files[name] = text
    wanted = {key: body.get(key) for key in ('template', 'environment')}
    return {**wanted, 'files': files, 'environment_files': body.get('environment_files') or []}


def found(folders):
    for folder in folders:
        for place, names, files in os.walk(os.path.abspath(folder)):
            names.sort()
            for name in sorted(files):
                if name.endswith(ENDINGS):
                    yield os.path.join(place, name)


def main():
    program, folders = sys.argv[1], sys.argv[2:]
    paths = list(found(folders))
    with tempfile.NamedTemporaryFile('w', suffix='.yaml') as minimal:
        minimal.write(MINIMAL)
        minimal.flush()
        cases, beside = [], {}
        for path in paths:
            kind, _ = client(minimal.name, [path])
            cases.append([minimal.name, path])
            if kind == 'ok':
                beside.setdefault(os.path.dirname(path), []).append(path)
        for path in paths:
            cases.append([path])
            if client(path, [])[0] == 'ok':
                cases += [[path, other] for other in beside.get(os.path.dirname(path), [])[:BESIDE]]
        lines = ''.join(json.dumps(case) + '\n' for case in cases)
        ours = subprocess.run([program, '--batch'], input=lines, text=True, stdout=subprocess.PIPE, check=True)
        differences, taken = 0, 0
        for case, line in zip(cases, ours.stdout.split('\n')[:-1], strict=True):
            kind, theirs = client(case[0], case[1:])
            ours = json.loads(line)
            taken += kind == 'ok'
            if kind == 'refused':
                same = 'refused' in ours
            else:
                same = 'body' in ours and normal(ours['body']) == normal(theirs)
            if not same:
                differences += 1
                shown = ours.get('refused') or 'another body' if kind == 'ok' else theirs
                print(f"{' '.join(case)}: client {kind}, {shown}"[:600])
        print(f'{len(cases)} cases, {taken} taken by the client, {differences} differences')
    sys.exit(1 if differences else 0)


if __name__ == '__main__':
    main()
