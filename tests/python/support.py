"""Shared helpers for tests of the Python package."""
import json
import os
import subprocess

PROGRAM = os.environ["FLASHSCOPE_PROGRAM"]

# Scenarios as Python arguments: every algorithm, pass, mask, dtype, program option and tiling rule.
SCENARIOS = [
    {},
    {"algorithm": "flash2", "batch": 4, "heads": 32, "seqlen": 2048},
    {"algorithm": "standard", "heads": 16, "seqlen": 1000, "causal": True},
    {"algorithm": "standard", "window": 100, "padding": 7, "dropout": 0.1, "seqlen": 777, "pass_": "forward+backward"},
    {"algorithm": "memory-efficient", "seqlen": 3000, "head_dim": 80},
    {"algorithm": "rabe-staats", "seqlen": 16384, "heads": 2, "gpu": "A100", "chunk": 128},
    {"algorithm": "rabe-staats", "pass_": "backward", "seqlen": 1024, "dtype": "fp32"},
    {"algorithm": "fmha", "seqlen": 512, "batch": 8, "heads": 12},
    {"algorithm": "fmha", "seqlen": 256, "pass_": "backward", "padding": 20},
    {"algorithm": "flash1", "seqlen": 4096, "causal": True},
    {"algorithm": "flash1", "seqlen": 1024, "tiling": "paper", "sram": 49152},
    {"algorithm": "flash1", "tiling": "released", "head_dim": 128, "gpu": "t4"},
    {"algorithm": "flash1", "tiling": "released-1", "pass_": "backward", "seqlen": 2048},
    {"algorithm": "flash1", "pass_": "forward+backward", "seqlen": 1500, "dropout": 0.2},
    {"algorithm": "flash1-q-outer", "seqlen": 8192, "heads": 4},
    {"algorithm": "flash2", "seqlen": 131072, "causal": True, "heads": 8, "kv_heads": 2},
    {"algorithm": "flash2", "seqlen_q": 1, "seqlen_k": 65536, "heads": 32, "kv_heads": 8, "head_dim": 128},
    {"algorithm": "flash2", "pass_": "backward", "seqlen": 4096, "causal": True, "head_dim": 128},
    {"algorithm": "flash2", "pass_": "forward+backward", "seqlen": 1023, "window": 256, "causal": True},
    {"algorithm": "flash2", "br": 64, "bc": 32, "seqlen": 999, "gpu": "rtx-3090"},
    {"algorithm": "flash2", "dtype": "bf16", "seqlen": 2048, "gpu": "h200", "batch": 16, "heads": 16},
    {"algorithm": "flash2", "dtype": "fp32", "seqlen": 2048, "gpu": "b200"},
    {"algorithm": "flash2", "l2": 0, "seqlen": 2048},
    {"algorithm": "flash2", "scale": 0.25, "seed": 3, "seqlen": 300},
    {"algorithm": "flash2", "model": "llama-3-8b", "seqlen": 8192, "causal": True},
    {"algorithm": "flash2", "model": "gpt2-medium", "batch": 64},
    {"algorithm": "flash2", "seqlens": "1 1024 1024, 2 128 128", "heads": 8, "issue": "longest"},
    {"algorithm": "flash2", "gpu": "toy", "seqlen": 64, "head_dim": 8},
    {"algorithm": "flash2", "gpu": "l40s", "seqlen": "8k"},
    {"algorithm": "flash-decoding", "seqlen_q": 1, "seqlen_k": 32768, "heads": 32, "kv_heads": 8, "splits": 4},
    {"algorithm": "flash-decoding", "seqlen_q": 1, "seqlen_k": 131072, "splits": "auto", "batch": 2},
    {"algorithm": "block-sparse", "seqlen": 2048, "pattern": "butterfly"},
    {"algorithm": "block-sparse", "seqlen": 2048, "pattern": "local-global:1,2", "pass_": "backward"},
    {"algorithm": "flash2-block-sparse", "seqlen": 4096, "pattern": "random:0.25", "seed": 9},
    {"algorithm": "flash2-block-sparse", "seqlen": 4096, "pattern": "window:4", "causal": True, "pass_": "forward+backward"},
    {"algorithm": "standard", "seqlen": 2048, "pattern": "strided:4"},
    {"inputs": "worked", "seqlen": 4, "head_dim": 2},
    {"algorithm": "flash1", "inputs": "worked", "seqlen": 4, "head_dim": 2, "pass_": "backward"},
    {"algorithm": "flash2", "seqlen": 7, "head_dim": 3, "heads": 5},
    {"algorithm": "standard", "seqlen": 1, "head_dim": 1},
    {"algorithm": "memory-efficient", "pass_": "forward+backward", "seqlen": 2000, "causal": True, "kv_heads": 2, "heads": 8},
]


def words_of(options):
    """Returns the scenario as command-line words."""
    words = []
    for name, value in options.items():
        name = "--" + name.rstrip("_").replace("_", "-")
        words += [name] if value is True else [name, str(value)]
    return words


def printed(command, options, *more):
    """Returns the JSON that a command prints."""
    done = subprocess.run([PROGRAM, command, *words_of(options), *more, "--format", "json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refused(command, options, *more):
    """Returns the error of a command that refuses its options."""
    done = subprocess.run([PROGRAM, command, *words_of(options), *more], capture_output=True, text=True)
    assert done.returncode == 2, done
    return done.stderr.strip().removeprefix("flashscope: ").removeprefix("error: ")
