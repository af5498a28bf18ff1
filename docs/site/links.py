"""What is wrong with a built site: links that lead nowhere, and what pages ask other hosts for."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

#: Attributes of what a browser loads with a page, by its element.
_LOADED = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "script": "src",
    "source": "src",
    "video": "src",
}
#: Relations of a <link> that a browser does not follow by itself.
_NOT_LOADED = {"canonical", "next", "prev", "alternate", "edit"}
_STYLE_ADDRESS = re.compile(r"(?:url\(\s*['\"]?|@import\s+['\"])((?:https?:)?//[^'\")\s]+)")


class Page(NamedTuple):
    """What a page links to, what is loaded with it, and the places in it that links may name."""

    links: list[str]
    loaded: list[str]
    places: set[str]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page([], [], set())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        self.page.places.update({given[key] for key in ("id", "name") if key in given})
        if tag == "a" and "href" in given:
            self.page.links.append(given["href"])
        elif tag == "link" and not _NOT_LOADED & {*given.get("rel", "").split()}:
            self.page.loaded.append(given.get("href", ""))
        elif given.get(_LOADED.get(tag, "")):
            self.page.loaded.append(given[_LOADED[tag]])
        self.page.loaded.extend(_STYLE_ADDRESS.findall(given.get("style", "")))


def read_page(path: Path) -> Page:
    """What is in an HTML file."""
    reader = _Reader()
    text = path.read_text("utf-8")
    reader.feed(text)
    reader.page.loaded.extend(_STYLE_ADDRESS.findall(text))
    return reader.page


def problems(site: Path) -> Iterator[str]:
    """A line for each link that leads nowhere, and each thing that another host has."""
    pages = {path: read_page(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        for link in dict.fromkeys((*page.links, *page.loaded)):
            if _is_dead(link, path, site, pages):
                yield f"{name}: {link} leads nowhere"
        for address in dict.fromkeys(page.loaded):
            if urlsplit(address).netloc:
                yield f"{name}: {address} is asked of another host"
    for path in sorted(site.rglob("*.css")):
        for address in dict.fromkeys(_STYLE_ADDRESS.findall(path.read_text("utf-8"))):
            yield f"{path.relative_to(site)}: {address} is asked of another host"


def _is_dead(link: str, path: Path, site: Path, pages: dict[Path, Page]) -> bool:
    """Whether a link into the site has no page or no place there."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = path
    if parts.path:
        base = site if parts.path.startswith("/") else path.parent
        target = (base / unquote(parts.path).lstrip("/")).resolve()
        target = target / "index.html" if target.is_dir() else target
    if not target.is_file() or not target.is_relative_to(site.resolve()):
        return True
    return (
        bool(parts.fragment)
        and target in pages
        and unquote(parts.fragment) not in (pages[target].places)
    )
