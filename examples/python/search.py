"""Prints whose face a picture shows: python3 search.py COLLECTION PICTURE. Needs SELFSAME_API_KEY."""

import os
import sys

from selfsame import Problem, Selfsame

collection, file = sys.argv[1:3]
selfsame = Selfsame(os.environ.get("SELFSAME_URL", "http://127.0.0.1:8080"), os.environ["SELFSAME_API_KEY"])
with open(file, "rb") as picture:
    try:
        found = selfsame.search(collection, picture.read())
    except Problem as problem:
        sys.exit(str(problem))
print(found["faceId"] or "nobody")
