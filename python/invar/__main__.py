"""The command line: `python -m invar check pendulum`, and the command `invar` of an installed package."""
import sys

from . import _invar


def main() -> int:
    return int(_invar.command(["invar", *sys.argv[1:]]))


if __name__ == "__main__":
    sys.exit(main())
