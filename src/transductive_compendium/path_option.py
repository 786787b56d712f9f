"""The type of options and arguments that are paths."""

import os

import click


class UserPath(click.Path):
    """A path whose ``~`` is a home folder, also where the shell leaves it, as in ``--out=~/x``."""

    def convert(self, value, param, ctx):
        """Expand the path, then check it as click does."""
        return super().convert(os.path.expanduser(value), param, ctx)
