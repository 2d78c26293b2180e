"""Types of flashscope, written by python/stubs/make_stubs.py."""
from typing import Any, TypedDict
from typing_extensions import Unpack

from .compare import Comparison as Comparison
from .cta import Cta as Cta
from .run import Derivation as Derivation
from ._core import Error as Error
from .exercise import Exercise as Exercise
from .explorer import Explorer as Explorer
from .program import Program as Program
from .run import Run as Run
from .sweep import Sweep as Sweep
from .tune import Tuning as Tuning
from .tune import Validation as Validation
from .verdict import Verdict as Verdict
from .verify import Verification as Verification
from .score import abs as abs
from .lists import algorithms as algorithms
from .score import ceil as ceil
from .lists import devices as devices
from .exercise import exercise as exercise
from .score import exp as exp
from .score import exp2 as exp2
from .score import floor as floor
from .program import kernel as kernel
from .score import log as log
from .score import log2 as log2
from .score import maximum as maximum
from .score import minimum as minimum
from .lists import options as options
from .program import program as program
from .score import sqrt as sqrt
from .score import tanh as tanh
from .tune import validate as validate

__version__: str

class Scenario(TypedDict, total=False):
    """The options of a scenario, as `flashscope options` lists them."""
    algorithm: str | None
    """standard, memory-efficient, rabe-staats, fmha, flash1, flash1-q-outer, flash2, flash3, flash-decoding, flash-decoding-plus, mla-decode, block-sparse, flash2-block-sparse, paged-attention [flash2]"""
    inputs: str | None
    """drawn: Q, K, V and dO from the normal distribution; worked: those of the worked example, for seqlen 4 and head-dim 2; outliers: one in a thousand drawn elements of Q, K and V is about 10 times as large; text:NAME: heads with synthetic scores over a sentence, which sets the sizes and tiles of 4 (mouse, fox, river, mao) [drawn]"""
    model: str | None
    """heads, kv-heads, head-dim and layers of gpt2-medium, bert-large, llama-2-7b, llama-3-8b, llama-3-70b, llama-3.1-405b, llama-13b, mistral-7b, qwen2.5-7b, gemma-2-9b, gpt-oss-20b, deepseek-v3, or of a config.json; options on the command line override them"""
    layers: str | None
    """layers of the model, of which WINDOWED keep the newest key and W before it; +CHUNKED/C keep at most the C keys of a chunk; @KV or @KVxD after a number are the KV heads and head dim of those layers, as in 8+40:1023@8x256, ~R the elements of the one latent row of MLA, as in 61~576; they multiply only the KV cache [the model's, else none]"""
    pass_: str | None
    """forward, backward or forward+backward [forward]"""
    batch: int | str | None
    """batch entries [1]"""
    heads: int | str | None
    """query heads [1]"""
    kv_heads: int | str | None
    """key/value heads, a divisor of heads [heads; of mla-decode 1]"""
    seqlen: int | str | None
    """queries and keys; 8k = 8,192, 1M = 1,048,576 and 1e6 = 1,000,000, here as in every whole number [1024]"""
    seqlen_q: int | str | None
    """queries [seqlen]"""
    seqlen_k: int | str | None
    """keys; with --steps those in the cache before, 0 if it is empty [seqlen]"""
    cu_seqlens: str | None
    """cumulative lengths of a ragged batch, as flash-attn takes them, such as '0 1024 1536 1664', or a file of them; sets seqlens [none]"""
    seqlens: list[int] | list[tuple[int, ...]] | str | None
    """a ragged batch: `count Nq Nk`, such as '1 1024 1024, 2 128 128', lengths '1024, 128, 128', or a file of them; replaces batch and seqlen [none]"""
    issue: str | None
    """order in which the CTAs of a ragged batch begin: as in --seqlens, or most work first [file]"""
    head_dim: int | str | None
    """elements per head, d [64]"""
    head_dim_v: int | str | None
    """elements of a row of V and O, if their number differs from Q's and K's [head-dim]"""
    kv_shared: bool | None
    """of flash-decoding, forward: V is the first head-dim-v columns of K, loaded once, as in the absorbed form of multi-head latent attention; mla-decode always has it"""
    dtype: str | None
    """element type in HBM; e4m3, 8 bits with scales, is of flash3, whose O is then in bf16 [fp16]"""
    page_size: int | str | None
    """tokens of a page of K and V, which kernels find through a page table: of flash2, flash3 and flash-decoding, forward; P divides Bc, or Bc divides P [none: one piece; of paged-attention 16]"""
    samples: int | str | None
    """with --page-size: sequences of each batch entry, a prompt of Nk tokens whose pages they share: tile traffic N times as large, K and V in memory once [1]"""
    shared_prefix: int | str | None
    """with --page-size: tokens that all batch entries begin with: they share its full pages, and each reads them [0]"""
    weights: int | str | None
    """with --page-size: weights of the model in HBM, such as 26G, powers of 1,024: a KV cache has the rest, and a step of decoding reads them once [0]"""
    context: int | str | None
    """with --page-size: tokens of the longest sequence, which an allocator without pages reserves for each [none]"""
    steps: int | str | None
    """decode T tokens, of flash-decoding, flash-decoding-plus and paged-attention: a step appends a row of K and of V to the seqlen-k keys of the cache, and attends to all; every number is a sum over steps [none: one step, nothing is appended]"""
    gpus: int | str | None
    """GPUs that share each sequence, of flash2 and flash3, forward: seqlen is that of all, and every number is of one GPU, the slowest of each step [1]"""
    parallel: str | None
    """with --gpus: K and V travel around a ring, and each GPU has consecutive tokens, a chunk of the front and one of the back, or every Pth token; or all K and V are gathered first; or heads are exchanged for tokens [ring]"""
    causal: bool | None
    """hide keys after the query (aligned bottom-right)"""
    causal_from: str | None
    """diagonal of --causal, --window and --documents: it ends at the last query and key, or begins at the first ones, as PyTorch's is_causal [bottom-right]"""
    padding: int | str | None
    """hide the last K keys [0]"""
    window: int | tuple[int, int] | str | None
    """hide keys more than W before the diagonal; LEFT,RIGHT, window_size of FlashAttention, also hides those more than RIGHT after it: -1 is no limit, W,0 is --window W --causal [none]"""
    prefix: int | str | None
    """the first N keys are visible to all queries, with --causal or a right window [0]"""
    documents: list[int] | str | None
    """documents packed along the keys: a query sees only its own; lengths such as '300 724', which add up to seqlen-k, cumulative ones that begin with 0, or a file of them [none]"""
    pattern: str | None
    """visible blocks of Br x Bc, for flash1, flash2, block-sparse, flash2-block-sparse and as a mask for standard: arguments count blocks, s is a probability, black pixels of a picture are visible [all]"""
    dropout: float | str | None
    """drop entries of P with probability P, below 1 [0]"""
    scale: float | str | None
    """factor on Q K^T [1/sqrt(head-dim)]"""
    softcap: float | str | None
    """keep the scores between -C and C: they become C tanh(s / C), before the mask [none]"""
    alibi: bool | None
    """subtract a slope of the head times the distance to the diagonal from the scores (ALiBi)"""
    score: str | None
    """modify the scores before the mask, after softcap and alibi: formulas over s q k h Nq Nk d slope, such as '30*tanh(s/30)'; indices cost nothing [none]"""
    sink: str | None
    """a logit that joins the softmax of each row without a value: one number, or one for each query head, or a file of them; -inf is no sink [none]"""
    phi: float | str | None
    """of flash-decoding-plus: the maximum of all rows, which is subtracted from every score [0]"""
    range: str | None
    """of flash-decoding-plus: row blocks with a score x outside A < x - phi < B are computed again; -inf and inf are no bound [-16.8,6.5 in fp16 and bf16; -inf,inf in fp32]"""
    fallback: float | str | None
    """of flash-decoding-plus, without values: share of the row blocks that is computed again, in [0, 1] [0]"""
    gpu: str | None
    """device to model, by its name in the list `devices` or a short one such as A100; fields appended to it replace the device's own, as in h100-sxm:sm_count=114:l2_bytes=25M:clock_hz=1.5G; k, M, G are powers of 1,024 in sizes of memories and counts, of 1,000 in rates and clocks [h100-sxm]"""
    clock: int | str | None
    """clock at which the SMs are locked, such as 1.29G or 1290MHz, powers of 1,000; L2 and HBM keep their rates per second [device]"""
    sram: int | str | None
    """on-chip memory, such as 228k or 227KiB, powers of 1,024: M of the paper tiling, SMEM limit of the kernel tiling [device]"""
    l2: int | str | None
    """L2 that hot data can use; 50M, 50MB and 50MiB are 52,428,800; 0: none, as in the papers' two-level model [device]"""
    tiling: str | None
    """kernel: tiles of the kernels; paper: Bc = ceil(M/4d), Br = min(Bc, d); released: flash1 as in its code of 2022, flash2 as in its library, standard as PyTorch runs it; released-1: version 1 of flash1's code, in which CTAs share a head [kernel]"""
    br: int | str | None
    """rows of a query block [tiling]"""
    bc: int | str | None
    """rows of a key block [tiling]"""
    seed: int | str | None
    """seed of drawn inputs, of dropout and of a random pattern [0]"""
    chunk: int | str | None
    """of rabe-staats: keys of a chunk, each with a copy of O; its --bc [128]"""
    keys: str | None
    """of flash2, forward: the order of a CTA's key blocks: from the first, from the last, or sawtooth: from the first in even waves of CTAs, from the last in odd ones [up]"""
    schedule: str | None
    """of flash3, forward: softmax overlaps with products of its own warpgroup too, of others in turns, of others in any order, or there is no producer [overlapped]"""
    grid: str | None
    """of flash3, forward: a CTA for each SM, which takes row block after row block, or one for each row block [persistent]"""
    stages: int | str | None
    """of flash3, forward: stages of the rings of K and V [2]"""
    arrive: str | None
    """of flash3, forward: a turn on the tensor cores passes on when the products of a warpgroup have ended, or are issued [ended]"""
    fp8_scales: str | None
    """of flash3 in e4m3: a scale for each block of Br x d or Bc x d, as in the paper, for each KV head, as in the released code, or for all of Q, K and V each [block]"""
    rotate: str | None
    """of flash3 in e4m3: Q and K are rotated before they are quantised, by a Hadamard matrix with random signs, for d a power of two [1 for such a d, else 0]"""
    splits: int | str | None
    """of flash-decoding, flash-decoding-plus and mla-decode: parts of the keys, at most one per key block; auto: as many as fill the GPU [auto]"""
    pack: int | str | None
    """of flash-decoding and flash-decoding-plus: with one query, query heads of a KV head are rows of one tile [1]"""
    partition: int | str | None
    """of paged-attention: keys of a part in version 2, a multiple of --page-size; 0: version 1, without parts; auto: vLLM's rule, version 1 for up to 8,192 keys if they are one part of 512 or batch x heads > 512 [auto]"""

def check(program: Any, q: Any, k: Any, v: Any, layout: Any = 'bhnd', progress: Any = True, reference: Any = 'softmax', **options: Unpack[Scenario]) -> Verdict:
    """Computes a program on q, k and v and compares every row of O with a reference in double. Returns a Verdict."""

def compare(algorithms: Any = ('standard', 'flash1', 'flash2'), q: Any = None, k: Any = None, v: Any = None, d_o: Any = None, layout: Any = 'bhnd', numerics: Any = None, progress: Any = True, **options: Unpack[Scenario]) -> Comparison:
    """Runs several algorithms on one scenario. Without any option the scenario fills the card, as on the command line."""

def explorer(link: Any = '', **options: Unpack[Scenario]) -> Explorer:
    """Shows the explorer in a frame, 420 pixels high: the built page, which needs no network."""

def simulate(q: Any = None, k: Any = None, v: Any = None, d_o: Any = None, layout: Any = 'bhnd', numerics: Any = None, progress: Any = True, **options: Unpack[Scenario]) -> Run:
    """Simulates one algorithm: bytes by tensor and line, memory, FLOPs and time. The options are those of the scenario."""

def sweep(over: Any, columns: Any = None, formula: Any = None, against: Any = None, jobs: Any = None, executor: Any = None, progress: Any = True, **options: Unpack[Scenario]) -> Sweep:
    """Runs every point of a grid of options, on all cores."""

def tune(for_: Any = 'bytes', top: Any = 5, progress: Any = True, **options: Unpack[Scenario]) -> Tuning:
    """Finds the best tiles of a scenario. for_: "bytes", least tile traffic, or "time"; top: how many tilings to return."""

def verify(device: Any = None, kernel: Any = None, schedules: Any = None, **options: Unpack[Scenario]) -> Verification:
    """Runs the program flashscope-kernels: the CUDA kernel next to the program, on the emulated device or a GPU."""

def why(path: Any, **options: Unpack[Scenario]) -> Derivation:
    """Derives one number of a scenario, named by its path in the JSON."""
