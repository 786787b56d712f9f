"""The command ``transductive``: that of the compendium, where its packages are installed."""

import sys

EXTRA = 'pip install "transductive[compendium]"'


def main():
    """Hand over to the compendium's command line, or name the extra that it needs."""
    try:
        from transductive_compendium.cli import main as command
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("transductive", "transductive_compendium"):
            raise
        sys.exit(
            f"transductive data | list | run | verify need packages that the library does without "
            f"({error.name} is missing). Install them: {EXTRA}; in a checkout: "
            f'pip install ".[compendium]"'
        )
    return command()


if __name__ == "__main__":
    main()
