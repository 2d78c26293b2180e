"""Kernel bodies written as text, like notebook cells."""
import textwrap
import tomllib
import types
from linecache import cache

from flashscope.program import kernel, record

LAUNCH = dict(inputs=["Q", "K", "V"], outputs=["O", "L", "m", "l"])


def body_of(text, name="body"):
    """Returns the function defined by a text, which is registered in linecache like a notebook cell."""
    text = textwrap.dedent(text).lstrip("\n")
    filename = f"<cell {len(cache)}>"
    cache[filename] = (len(text), None, text.splitlines(True), filename)
    space = {"inf": float("inf"), "kernel": kernel, "cells": types.SimpleNamespace()}
    exec(compile(text, filename, "exec"), space)
    return space[name]


def recorded(text, launch=LAUNCH, **program):
    return tomllib.loads(record("mine", [kernel(**launch)(body_of(text))], **program))


def code_of(text):
    (body,) = recorded(text)["kernel"][0]["body"]
    return body["code"]


FLASH2 = """
def body(cta, p):
    i = cta.row()
    Q = cta.load(p.Q[i])
    O = cta.zeros("O", i)
    m = cta.vec("m", i, -inf)
    for j in cta.key_blocks(i):
        K = cta.load(p.K[j])
        S = cta.gemm_nt(Q, K)
        m_new = cta.row_max(S, m)
        P = cta.exp_sub(S, m_new)
        V = cta.load(p.V[j])
        cta.gemm_nn_add(O, P, V)
        m = m_new
    cta.store(O, p.O[i])
    cta.store(m, p.m[i])
"""
