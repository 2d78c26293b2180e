from contextlib import contextmanager
from types import SimpleNamespace

SDPBackend = SimpleNamespace(FLASH_ATTENTION="flash", CUDNN_ATTENTION="cudnn", MATH="math")
current = [None]


@contextmanager
def sdpa_kernel(backend):
    current.append(backend)
    yield
    current.pop()
