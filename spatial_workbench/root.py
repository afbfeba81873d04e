"""Where the program is. Imports nothing, so that whoever needs only this starts at once."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The folder that holds the package: the checkout, site-packages, or a bundle's folder of modules."""
