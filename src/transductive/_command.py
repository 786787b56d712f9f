"""The command ``transductive``, which the compendium provides where its packages are installed."""

import sys
from importlib import import_module

EXTRA = 'pip install "transductive[compendium]"'


def main():
    """Run the compendium's command line, or name the extra that installs what it needs."""
    try:
        command = import_module("transductive_compendium.cli").main
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("transductive", "transductive_compendium"):
            raise
        sys.exit(
            "the command transductive needs packages that the library does without "
            f"({error.name} is missing). Install them: {EXTRA}; in a checkout: "
            f'pip install ".[compendium]"'
        )
    return command()


if __name__ == "__main__":
    main()
