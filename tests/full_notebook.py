#!/usr/bin/env python3
"""Prints the notebook of a reader who has answered every question of the built-in lessons: full_notebook.py ROOT."""
import json
import pathlib
import sys
import tomllib


def notes(path):
    lesson = tomllib.loads(path.read_text())
    answers = [{"step": step["name"], "question": question["text"], "shown": True}
               for step in lesson["step"] for question in step.get("question", [])]
    return {"id": lesson["id"], "version": lesson.get("version", 1), "step": lesson["step"][0]["name"], "answers": answers}


lessons = sorted(pathlib.Path(sys.argv[1], "lessons").glob("[0-9]*/lesson.toml"))
print(json.dumps({"schema": 1, "student": "", "lessons": [notes(path) for path in lessons]}))
