#!/usr/bin/env python3
"""Writes the messages of the fixture documents as seed files for the HTTP/1 fuzzer.

    fuzz/seed_corpus.py tests/fixtures/http1 build/fuzz/http1_parser
"""
import hashlib
import pathlib
import re
import sys

LONGEST = 4096
ESCAPES = {"r": b"\r", "n": b"\n", "t": b"\t", "0": b"\0"}


def message(text: str) -> bytes:
    """The bytes a fenced message stands for (tests/fixtures/http1/README.md)."""
    out, at = b"", 0
    text = text.replace("\n", "")
    while at < len(text):
        if text[at] != "\\":
            out, at = out + text[at].encode(), at + 1
        elif text[at + 1] == "x":
            out, at = out + bytes([int(text[at + 2 : at + 4], 16)]), at + 4
        elif text[at + 1] == "(":
            star, end = text.index("*", at), text.index("\\)", at)
            times = min(int(text[at + 2 : star]), 300)
            out, at = out + times * message(text[star + 1 : end]), end + 2
        else:
            out, at = out + ESCAPES.get(text[at + 1], text[at + 1].encode()), at + 2
    return out


def main() -> None:
    documents, corpus = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    corpus.mkdir(parents=True, exist_ok=True)
    for document in documents.glob("*.md"):
        for block in re.findall(r"^```http[^\n]*\n(.*?)^```", document.read_text(), re.S | re.M):
            data = message(block)
            if len(data) <= LONGEST:
                (corpus / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)


main()
