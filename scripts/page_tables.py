"""Tables of a page of docs/ that a script writes anew: between <!-- name --> and <!-- end -->."""
import pathlib
import re
import sys


def write(page: pathlib.Path, tables: dict[str, str]) -> None:
    """Ends the program if the page has not one place for each."""
    text = page.read_text()
    for name, table in tables.items():
        text, number = re.subn(f"(<!-- {name} -->\n).*?(\n<!-- end -->)", lambda match: match[1] + table + match[2], text,
                               flags=re.DOTALL)
        if number != 1:
            sys.exit(f"{page}: no place for the table '{name}'")
    page.write_text(text)
