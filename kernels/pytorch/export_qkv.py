"""Writes Q, K and V of one attention call of your own PyTorch model as .npy files for flashscope.

    from export_qkv import export
    export(model, "transformer.h.3.attn", lambda: model(tokens), "out")

While the module of that name runs, torch.nn.functional.scaled_dot_product_attention is watched: its arguments are Q, K and V
after the rotation (RoPE), as attention takes them. Q.npy is (batch, heads, Nq, d), K.npy and V.npy (batch, KV heads, Nk, d),
fp32. Then:

    flashscope simulate --input-q out/Q.npy --input-k out/K.npy --input-v out/V.npy --causal --row 5

Inaccuracies: attention that does not go through scaled_dot_product_attention is not seen (in transformers, load the model with
attn_implementation="sdpa"); keys and values that are repeated for the query heads before the call stay repeated.
"""
import pathlib

import numpy
import torch


class Recorder:
    """Hooks of a module: keeps the first call of scaled_dot_product_attention inside it."""

    def __init__(self, module):
        self.tensors = None
        self._attention = torch.nn.functional.scaled_dot_product_attention
        self._hooks = [module.register_forward_pre_hook(self._begin),
                       module.register_forward_hook(self._end, always_call=True)]

    def _watched(self, query, key, value, *rest, **named):
        if self.tensors is None:
            self.tensors = tuple(t.detach().float().cpu().numpy() for t in (query, key, value))
        return self._attention(query, key, value, *rest, **named)

    def _begin(self, module, arguments):
        torch.nn.functional.scaled_dot_product_attention = self._watched

    def _end(self, module, arguments, output):
        torch.nn.functional.scaled_dot_product_attention = self._attention

    def remove(self):
        torch.nn.functional.scaled_dot_product_attention = self._attention
        for hook in self._hooks:
            hook.remove()


def export(model, name, run, folder):
    """Runs run() and writes Q.npy, K.npy and V.npy of module `name` into `folder`; returns their shapes.

    Raises KeyError for an unknown module, with the names that there are, and RuntimeError if the module did not call
    scaled_dot_product_attention.
    """
    modules = dict(model.named_modules())
    if name not in modules:
        raise KeyError(f'no module is called "{name}"; there are {", ".join(n for n in modules if n)}')
    recorder = Recorder(modules[name])
    try:
        with torch.no_grad():
            run()
    finally:
        recorder.remove()
    if recorder.tensors is None:
        raise RuntimeError(f"{name} did not call torch.nn.functional.scaled_dot_product_attention")
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for tensor, values in zip("QKV", recorder.tensors):
        numpy.save(pathlib.Path(folder) / f"{tensor}.npy", numpy.ascontiguousarray(values))
    return [values.shape for values in recorder.tensors]
