"""A hook of mkdocs.yml: links from the pages into the rest of the source tree become the names of its files."""
import posixpath
import re

LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)#]+)[^)]*\)")


def on_page_markdown(markdown: str, page, **_) -> str:
    folder = posixpath.dirname(page.file.src_uri if hasattr(page.file, "src_uri") else page.file.src_path)

    def named(match: re.Match) -> str:
        target = posixpath.normpath(posixpath.join("docs", folder, match.group(2)))
        return match.group(0) if target.startswith("docs/") else f"{match.group(1)} (`{target}`)"

    return LINK.sub(named, markdown)
