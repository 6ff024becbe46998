#!/usr/bin/env python3
"""Records what python-manilaclient prints, together with the answers that it printed it from.

    python record.py COMMANDS-FILE > ../fixtures/manila-show.json

Run with the Python of a virtual environment that has python-openstackclient and python-manilaclient, against any
cloud. COMMANDS-FILE has one command a line: the name of a cloud in clouds.yaml, then what follows `openstack`; each is
run in every format.
"""
import contextlib
import importlib.metadata
import io
import json
import multiprocessing
import sys

FORMATS = {
    "show": ["table", "json", "yaml", "value", "shell"],
    "list": ["table", "json", "yaml", "value", "csv"],
}


def record(line):
    import requests
    from openstackclient import shell

    answers = {}
    send = requests.Session.send

    def recording_send(self, request, **kwargs):
        reply = send(self, request, **kwargs)
        if request.method == "GET" and "/v2/" in request.url and reply.status_code == 200:
            answers[request.url.split("/v2/", 1)[1]] = reply.json()
        return reply

    requests.Session.send = recording_send
    cloud, *words = line.split()
    verb = next(word for word in words if word in FORMATS)
    outputs = []
    for form in FORMATS[verb]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = shell.main(["--os-cloud", cloud, *words, "-f", form])
        if code:
            raise SystemExit(f"{line}: exit {code}")
        outputs.append({"command": words, "format": form, "stdout": out.getvalue()})
    return answers, outputs


def main():
    recorded = {"client": importlib.metadata.version("python-manilaclient"), "answers": {}, "outputs": []}
    with open(sys.argv[1], encoding="utf-8") as commands:
        # The client keeps what it knows of a cloud: a process for each command.
        with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
            for answers, outputs in pool.imap(record, commands.read().splitlines(), chunksize=1):
                recorded["answers"].update(answers)
                recorded["outputs"].extend(outputs)
    json.dump(recorded, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
