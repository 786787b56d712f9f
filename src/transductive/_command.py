"""The command ``transductive``, which the compendium provides where its packages are installed."""

import gc
import sys
from importlib import import_module

from . import __version__

EXTRA = 'pip install "transductive[compendium]"'
MANY_OBJECTS = 20_000
ANEW = "pip install --force-reinstall --no-deps"


def main():
    """Run the compendium's command line, or name the extra that installs what it needs."""
    # imports leave little to collect, and searching for it takes a tenth of a short command
    gc.set_threshold(MANY_OBJECTS)
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
        if error.name == "transductive_compendium":
            says = (
                f"transductive {__version__}: this build has the library alone "
                f"({error.name} is missing), and no extra adds the reproduction to it. Install "
                f"another build: {ANEW} transductive; in a checkout: {ANEW} .; then what it "
                f"needs: {EXTRA}"
            )
        if not {"-h", "--help", "--version"} & set(sys.argv[1:]):
            sys.exit(says)
        return print(says)
    return command()


if __name__ == "__main__":
    main()
