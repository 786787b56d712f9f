"""The command ``transductive``, which the compendium provides where its packages are installed."""

import sys
from importlib import import_module

from . import __version__

EXTRA = 'pip install "transductive[compendium]"'


def main():
    """Run the compendium's command line, or name the extra that installs what it needs."""
    try:
        command = import_module("transductive_compendium.cli").main
    except ModuleNotFoundError as error:
        if (error.name or "").startswith(("transductive.", "transductive_compendium.")):
            raise
        says = (
            f"transductive {__version__}: to rerun five papers this command needs packages that "
            f"the library does without ({error.name} is missing). Install them: {EXTRA}; in a "
            f'checkout: pip install ".[compendium]"'
        )
        if not {"-h", "--help", "--version"} & set(sys.argv[1:]):
            sys.exit(says)
        return print(says)
    return command()


if __name__ == "__main__":
    main()
