"""What a comparison consists of."""
from dataclasses import dataclass, field
from typing import Callable, Optional


@dataclass
class Job:
    """One run of one program, prepared."""

    words: list
    # The state as the service shows it now; "gone", or None when it is not there yet.
    look: Callable
    # What the client is run as, where it is not `openstack WORDS --wait`.
    client: Optional[list] = None
    # Where the client cannot wait: the loop of a user, in the shell.
    loop: Optional[str] = None


@dataclass
class Case:
    """An operation, and how it is made to fail."""

    operation: str
    fault: Optional[str]
    # From the users' requests and a unique name to a Job.
    make: Callable
    user: str = "demo"
    runs: dict = field(default_factory=dict)
    # Whether the client cannot wait for it.
    loops: bool = False
