"""Links of Markdown pages to files of the repository and to headings.

As a hook of MkDocs it turns links that leave docs/ into links to the repository. As a program it checks the links of
the files that are named: each has to lead to a file, and to a heading where it has an anchor.

    python3 e2e/site/repository_links.py README.md CONTRIBUTING.md
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCS = os.path.join(ROOT, "docs")
LINK = re.compile(r'(\]\(|\bsrc="|\bhref=")([^)"\s]+)')
FENCE = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)


def target(page, link):
    """The file that a link of a page leads to, or None for an address elsewhere."""
    path = link.partition("#")[0]
    if re.match(r"[a-z]+:", link):
        return None
    return os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page


def on_page_markdown(markdown, page, config, files):
    """Called by MkDocs for each page: links that leave docs/ become links to the repository."""
    source = os.path.join(DOCS, page.file.src_uri)

    def outside(match):
        begin, link = match.groups()
        file = target(source, link)
        if file is None or file.startswith(DOCS + os.sep):
            return match.group()
        if not os.path.exists(file):
            raise SystemExit(f"docs/{page.file.src_uri}: link to {link}, which is not there")
        kind = "tree" if os.path.isdir(file) else "blob"
        anchor = "#" + link.partition("#")[2] if "#" in link else ""
        return f"{begin}{config.extra['repository']}/{kind}/main/{os.path.relpath(file, ROOT)}{anchor}"

    return LINK.sub(outside, markdown)


def anchors(file):
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    with open(file, encoding="utf-8") as text:
        page = FENCE.sub("", text.read())
    for title in re.findall(r"^#{1,6}[ \t]+(.+?)[ \t]*$", page, re.MULTILINE):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        again, number = anchor, 0
        while again in found:
            number += 1
            again = f"{anchor}-{number}"
        found.add(again)
    return found


def broken(page):
    """The links of a page that lead nowhere, each as a line."""
    with open(page, encoding="utf-8") as text:
        prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text.read()))
    for _, link in LINK.findall(prose):
        file = target(page, link)
        if file is None:
            continue
        if not os.path.exists(file):
            yield f"{page}: {link}: there is no such file"
        elif "#" in link and file.endswith(".md") and link.partition("#")[2] not in anchors(file):
            yield f"{page}: {link}: there is no such heading"


def main(pages):
    problems = [problem for page in pages for problem in broken(page)]
    print("\n".join(problems) if problems else f"{len(pages)} pages, no broken link")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
