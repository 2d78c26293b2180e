import os

import numpy
from torch import Tensor, allowed, words, work
from torch.nn.attention import current


def softmax(scores):
    powers = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def transposed(array):
    return numpy.swapaxes(array, -1, -2)


def scaled_dot_product_attention(query, key, value, is_causal, scale, enable_gqa=False):
    """Computes in double, and rounds the result. Logs the identity of Q, and whether math may compute in the dtype,
    to the file FAKE_TORCH_LOG."""
    if f"refuse-{current[-1]}" in words:
        raise RuntimeError("No available kernel.\nAborting execution.")
    if "FAKE_TORCH_LOG" in os.environ:
        with open(os.environ["FAKE_TORCH_LOG"], "a", encoding="utf-8") as log:
            print(id(query), allowed[-1], file=log)
    work(1)
    group = query.shape[1] // key.shape[1]
    assert enable_gqa or group == 1
    q, k, v = (numpy.asarray(each, dtype=float) for each in (query, key, value))
    k, v = numpy.repeat(k, group, axis=1), numpy.repeat(v, group, axis=1)
    scale = scale or q.shape[-1] ** -0.5
    scores = q @ transposed(k) * scale
    if is_causal:
        scores = numpy.where(numpy.tril(numpy.ones(scores.shape[-2:], dtype=bool)), scores, -numpy.inf)
    p = softmax(scores)
    out = (p @ v).astype(query.dtype).view(Tensor)

    def gradients(gradient):
        dO = numpy.asarray(gradient, dtype=float)
        dP = dO @ transposed(v)
        dS = p * (dP - (dP * p).sum(axis=-1, keepdims=True)) * scale
        whole = [dS @ k, transposed(dS) @ q, transposed(p) @ dO]
        for n in (1, 2):  # a group's heads add up
            batch, heads, rows, d = whole[n].shape
            whole[n] = whole[n].reshape(batch, heads // group, group, rows, d).sum(axis=2)
        return tuple(each.astype(query.dtype).view(Tensor) for each in whole)

    out.gradients = gradients
    return out
