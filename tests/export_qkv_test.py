"""Tests that Q, K and V are exported after the rotation: export_qkv_test.py ROOT FLASHSCOPE. Skipped without torch."""
import json
import pathlib
import subprocess
import sys
import tempfile

root, flashscope = pathlib.Path(sys.argv[1]), sys.argv[2]
try:
    import numpy
    import torch
except ImportError as error:
    print(f"skipped: {error}; the export needs torch and numpy")
    sys.exit(77)
sys.dont_write_bytecode = True
sys.path.insert(0, str(root / "kernels/pytorch"))
from export_qkv import export  # noqa: E402


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(32, 96)
        self.rotated = None

    def forward(self, x):
        q, k, v = (t.view(1, -1, 2, 16).transpose(1, 2) for t in self.project(x).chunk(3, dim=-1))
        angle = torch.arange(x.shape[1])[:, None] * 0.3
        turn = lambda t: torch.cat([t[..., :8] * angle.cos() - t[..., 8:] * angle.sin(),
                                    t[..., :8] * angle.sin() + t[..., 8:] * angle.cos()], dim=-1)
        self.rotated = turn(q)
        return torch.nn.functional.scaled_dot_product_attention(self.rotated, turn(k), v)


torch.manual_seed(1)
model = torch.nn.Sequential()
model.add_module("attention", Attention())
before = torch.nn.functional.scaled_dot_product_attention
with tempfile.TemporaryDirectory() as folder:
    tokens = torch.randn(1, 10, 32)
    shapes = export(model, "attention", lambda: model(tokens), folder)
    assert shapes == [(1, 2, 10, 16)] * 3, shapes
    assert torch.nn.functional.scaled_dot_product_attention is before
    assert numpy.array_equal(numpy.load(folder + "/Q.npy"), model.attention.rotated.detach().numpy())
    command = [flashscope, "simulate", "--dtype", "fp32", "--row", "7", "--head", "1", "--format", "json"]
    for tensor in "qkv":
        command += ["--input-" + tensor, f"{folder}/{tensor.upper()}.npy"]
    row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    want = model(tokens)[0, 1, 7].detach().numpy()
    assert numpy.abs(numpy.array(row["O"]) - want).max() < 1e-5
try:
    export(model, "missing", lambda: None, ".")
    raise AssertionError("a missing module was accepted")
except KeyError as error:
    assert "attention" in str(error)
print("Q, K and V are exported after the rotation")
