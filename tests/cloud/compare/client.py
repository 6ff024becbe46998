"""Runs the `openstack` command inside this process: starting Python for each of a hundred commands would take minutes."""
import contextlib
import io
import os
import sys

from openstackclient import shell


class Out(io.TextIOWrapper):
    """A stdout whose bytes can be had."""

    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8", newline="", write_through=True)


def run(words, environment=None):
    """Exit code, stdout and stderr of `openstack WORDS`; stdout is no terminal."""
    before = dict(os.environ)
    os.environ.update(environment or {})
    out, err = Out(), Out()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            # The application takes its streams when it is made.
            app = shell.OpenStackShell()
            app.stdout, app.stderr = out, err
            try:
                code = app.run(list(words))
            except SystemExit as end:
                code = end.code
    finally:
        os.environ.clear()
        os.environ.update(before)
    return code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode()


if __name__ == "__main__":
    code, out, err = run(sys.argv[1:])
    sys.stdout.write(out)
    sys.stderr.write(err)
    sys.exit(code)
