"""Built-in algorithms, forward, written in Python: each must equal its program of sim/programs in every number."""

from math import inf

from flashscope.program import kernel


@kernel(grid="per_row_block", inputs=["Q", "K", "V"], outputs=["O", "L"])
def flash2_forward(cta, p):
    i = cta.row()
    Q = cta.load(p.Q[i]) if cta.live(i) else None  # Q_i                        (Br, d)
    O = cta.zeros("O", i)                          # O = 0                      (Br, d)
    l = cta.vec("l", i, 0)                         # l = 0                      (Br)
    m = cta.vec("m", i, -inf)                      # m = -inf                   (Br)
    for j in cta.key_blocks(i):                    # column blocks that row block i sees
        K = cta.load(p.K[j])                       # K_j                        (Bc, d)
        S = cta.gemm_nt(Q, K)                      # S = Q_i K_j^T              (Br, Bc)
        cta.scale(S, p.scale)                      # S = scale S                (Br, Bc)
        if j.masked:
            cta.mask(S, i, j)                      # S = mask(S)                (Br, Bc)
        m_new = cta.row_max(S, m)                  # m' = max(m, rowmax(S))     (Br)
        alpha = cta.exp_sub(m, m_new, "alpha")     # alpha = exp(m - m')        (Br)
        P = cta.exp_sub(S, m_new)                  # P = exp(S - m')            (Br, Bc)
        l = cta.add_row_sum(l, alpha, P)           # l = alpha l + rowsum(P)    (Br)
        m = m_new                                  # m = m'                     (Br)
        if p.dropout:
            cta.dropout(P, i, j)                   # P = Z o P                  (Br, Bc)
        cta.scale_rows(O, alpha)                   # O = diag(alpha) O          (Br, d)
        V = cta.load(p.V[j])                       # V_j                        (Bc, d)
        cta.gemm_nn_add(O, P, V)                   # O = O + P V_j              (Br, d)
    cta.divide_rows(O, l)                          # O = diag(l)^-1 O           (Br, d)
    L = cta.log_sum_exp(m, l)                      # L = m + log l              (Br)
    cta.store(O, p.O[i])                           # O_i                        (Br, d)
    cta.store(L, p.L[i])                           # L_i                        (Br)


@kernel(grid="per_row_block", inputs=["Q", "K", "V"], outputs=["O", "L"])
def scored_forward(cta, p):
    i = cta.row()
    if p.alibi:
        cta.load_vec(p.slopes.all)                 # its head's slope           (1)
    Q = cta.load(p.Q[i]) if cta.live(i) else None  # Q_i                        (Br, d)
    O = cta.zeros("O", i)                          # O = 0                      (Br, d)
    l = cta.vec("l", i, 0)                         # l = 0                      (Br)
    m = cta.vec("m", i, -inf)                      # m = -inf                   (Br)
    for j in cta.key_blocks(i):                    # column blocks that row block i sees
        K = cta.load(p.K[j])                       # K_j                        (Bc, d)
        S = cta.gemm_nt(Q, K)                      # S = Q_i K_j^T              (Br, Bc)
        cta.scale(S, p.scale)                      # S = scale S                (Br, Bc)
        cta.modify(S, i, j)                        # S = score steps of S       (Br, Bc)
        if j.masked:
            cta.mask(S, i, j)                      # S = mask(S)                (Br, Bc)
        m_new = cta.row_max(S, m)                  # m' = max(m, rowmax(S))     (Br)
        alpha = cta.exp_sub(m, m_new, "alpha")     # alpha = exp(m - m')        (Br)
        P = cta.exp_sub(S, m_new)                  # P = exp(S - m')            (Br, Bc)
        l = cta.add_row_sum(l, alpha, P)           # l = alpha l + rowsum(P)    (Br)
        m = m_new                                  # m = m'                     (Br)
        if p.dropout:
            cta.dropout(P, i, j)                   # P = Z o P                  (Br, Bc)
        cta.scale_rows(O, alpha)                   # O = diag(alpha) O          (Br, d)
        V = cta.load(p.V[j])                       # V_j                        (Bc, d)
        cta.gemm_nn_add(O, P, V)                   # O = O + P V_j              (Br, d)
    cta.divide_rows(O, l)                          # O = diag(l)^-1 O           (Br, d)
    L = cta.log_sum_exp(m, l)                      # L = m + log l              (Br)
    cta.store(O, p.O[i])                           # O_i                        (Br, d)
    cta.store(L, p.L[i])                           # L_i                        (Br)


@kernel(grid="per_head", inputs=["Q", "K", "V"], outputs=["O", "l", "m"], prefetches=False)
def flash1_forward(cta, p):
    cta.initialise(p.O.all, 0)                         # O = 0                       (N, d)
    cta.initialise(p.l.all, 0)                         # l = 0                       (N)
    cta.initialise(p.m.all, -inf)                      # m = -inf                    (N)
    for j in cta.live_key_blocks():                    # column blocks
        K = cta.load(p.K[j])                           # K_j                         (Bc, d)
        V = cta.load(p.V[j])                           # V_j                         (Bc, d)
        for i in cta.query_blocks(j):                  # row blocks that see j
            Q = cta.load(p.Q[i])                       # Q_i                         (Br, d)
            O = cta.load(p.O[i])                       # O_i                         (Br, d)
            l = cta.load_vec(p.l[i])                   # l_i                         (Br)
            m = cta.load_vec(p.m[i])                   # m_i                         (Br)
            S = cta.gemm_nt(Q, K)                      # S = Q_i K_j^T               (Br, Bc)
            cta.scale(S, p.scale)                      # S = scale S                 (Br, Bc)
            if i.masked:
                cta.mask(S, i, j)                      # S = mask(S)                 (Br, Bc)
            m_tilde = cta.row_max(S)                   # m~ = rowmax(S)              (Br)
            P = cta.exp_sub(S, m_tilde)                # P~ = exp(S - m~)            (Br, Bc)
            l_tilde = cta.row_sum(P)                   # l~ = rowsum(P~)             (Br)
            m_new = cta.max(m, m_tilde)                # m' = max(m, m~)             (Br)
            alpha = cta.exp_sub(m, m_new, "alpha")     # alpha = exp(m - m')         (Br)
            beta = cta.exp_sub(m_tilde, m_new, "beta") # beta = exp(m~ - m')         (Br)
            l_new = cta.blend(alpha, l, beta, l_tilde) # l' = alpha l + beta l~      (Br)
            if p.dropout:
                cta.dropout(P, i, j)                   # P~ = Z o P~                 (Br, Bc)
            PV = cta.gemm_nn(P, V)                     # PV = P~ V_j                 (Br, d)
            cta.blend(O, alpha, l, PV, beta, l_new)    # O = (alpha l O + beta PV)/l' (Br, d)
            cta.store(O, p.O[i])                       # O_i                         (Br, d)
            cta.store(l_new, p.l[i])                   # l_i                         (Br)
            cta.store(m_new, p.m[i])                   # m_i                         (Br)


@kernel(grid="per_column_block", inputs=["Q", "K", "V"], outputs=["O_part", "m_part", "l_part"])
def rabe_staats_chunk(cta, p):
    j = cta.col()                                   # chunk of keys of this CTA
    K = cta.load(p.K[j]) if cta.seen(j) else None   # K_j                        (Bc, d)
    V = cta.load(p.V[j]) if cta.seen(j) else None   # V_j                        (Bc, d)
    for _ in cta.query_heads():                     # query heads of the group
        for i in cta.query_blocks(j):               # row blocks that see chunk j
            Q = cta.load(p.Q[i])                    # Q_i                        (Br, d)
            S = cta.gemm_nt(Q, K)                   # S = Q_i K_j^T              (Br, Bc)
            cta.scale(S, p.scale)                   # S = scale S                (Br, Bc)
            if i.masked:
                cta.mask(S, i, j)                   # S = mask(S)                (Br, Bc)
            m = cta.row_max(S)                      # m = rowmax(S)              (Br)
            P = cta.exp_sub(S, m)                   # P = exp(S - m)             (Br, Bc)
            l = cta.row_sum(P)                      # l = rowsum(P)              (Br)
            if p.dropout:
                cta.dropout(P, i, j)                # P = Z o P                  (Br, Bc)
            PV = cta.gemm_nn(P, V)                  # PV = P V_j                 (Br, d)
            cta.store(PV, p.O_part.part(i, j))      # O_ij = PV                  (Br, d)
            cta.store(m, p.m_part.part(i, j))       # m_ij = m                   (Br)
            cta.store(l, p.l_part.part(i, j))       # l_ij = l                   (Br)


@kernel(grid="per_row_block", inputs=["O_part", "m_part", "l_part"], outputs=["O", "L"], tiles_in_flight=4)
def rabe_staats_combine(cta, p):
    i = cta.row()                                         # row block of this CTA
    O = cta.zeros("O", i)                                 # O = 0                      (Br, d)
    l = cta.vec("l", i, 0)                                # l = 0                      (Br)
    m = cta.vec("m", i, -inf)                             # m = -inf                   (Br)
    for j in cta.key_blocks(i):                           # chunks that row block i sees
        m_part = cta.load_vec(p.m_part.part(i, j))        # m_ij                       (Br)
        l_part = cta.load_vec(p.l_part.part(i, j))        # l_ij                       (Br)
        m_new = cta.max(m, m_part)                        # m' = max(m, m_ij)          (Br)
        alpha = cta.exp_sub(m, m_new, "alpha")            # alpha = exp(m - m')        (Br)
        beta = cta.exp_sub(m_part, m_new, "beta")         # beta = exp(m_ij - m')      (Br)
        l_new = cta.blend(alpha, l, beta, l_part)         # l' = alpha l + beta l_ij   (Br)
        O_part = cta.load_registers(p.O_part.part(i, j))  # O_ij                       (Br, d)
        cta.blend(O, alpha, l, O_part, beta, l_new)       # O = alpha l / l' O + beta / l' O_ij
        l = l_new                                         # l = l'                     (Br)
        m = m_new                                         # m = m'                     (Br)
    L = cta.log_sum_exp(m, l)                             # L = m + log l              (Br)
    cta.store(O, p.O[i])                                  # O_i                        (Br, d)
    cta.store(L, p.L[i])                                  # L_i                        (Br)


def of_framework(**launch):
    return kernel(threads=256, round_p="never", unfused=True, skips=False, **launch)


@of_framework(grid="per_tile", inputs=["Q", "K"], outputs=["S"])
def qk_gemm(cta, p):
    i = cta.row()
    j = cta.col()                             # output tile of this CTA
    S = cta.zeros("S", i, j)                  # S = 0                      (Br, Bc)
    for c in cta.chunks(p.head_dim, p.slice): # slices of d
        Q = cta.load(p.Q[i, c])               # Q_ic                       (Br, 32)
        K = cta.load(p.K[j, c])               # K_jc                       (Bc, 32)
        cta.gemm_nt_add(S, Q, K)              # S = S + Q_ic K_jc^T        (Br, Bc)
    cta.scale(S, p.scale)                     # S = scale S                (Br, Bc)
    cta.store(S, p.S[i, j])                   # S_ij                       (Br, Bc)


@of_framework(grid="per_tile", inputs=["S"], outputs=["S_masked"], name="mask")
def mask_scores(cta, p):
    i = cta.row()
    j = cta.col()
    S = cta.load(p.S[i, j])          # S_ij                       (Br, Bc)
    cta.mask(S, i, j)                # S = mask(S)                (Br, Bc)
    cta.store(S, p.S_masked[i, j])   # S_masked_ij                (Br, Bc)


def softmax_row_in_smem(cta, p):
    i = cta.row()                    # one row
    scores = p.S_masked if p.masked else p.S
    S = cta.load(scores[i])          # S_i                        (1, N)
    m = cta.row_max(S)               # m = rowmax(S)              (1)
    P = cta.exp_sub(S, m)            # P = exp(S - m)             (1, N)
    l = cta.row_sum(P)               # l = rowsum(P)              (1)
    cta.divide_rows(P, l)            # P = diag(l)^-1 P           (1, N)
    cta.store(P, p.P[i])             # P_i                        (1, N)


def softmax_in_two_passes(cta, p):
    i = cta.row()                               # one row, too long for SMEM
    scores = p.S_masked if p.masked else p.S
    l = cta.vec("l", i, 0)                      # l = 0                      (1)
    m = cta.vec("m", i, -inf)                   # m = -inf                   (1)
    for j in cta.chunks(p.keys, p.bc):          # column blocks, first pass: statistics
        S = cta.load(scores[i, j])              # S_ij                       (1, Bc)
        m_new = cta.row_max(S, m)               # m' = max(m, rowmax(S))     (1)
        alpha = cta.exp_sub(m, m_new, "alpha")  # alpha = exp(m - m')        (1)
        P = cta.exp_sub(S, m_new)               # P = exp(S - m')            (1, Bc)
        l = cta.add_row_sum(l, alpha, P)        # l = alpha l + rowsum(P)    (1)
        m = m_new                               # m = m'                     (1)
    for j in cta.chunks(p.keys, p.bc):          # column blocks, second pass: probabilities
        S = cta.load(scores[i, j])              # S_ij                       (1, Bc)
        P = cta.exp_sub(S, m)                   # P = exp(S - m)             (1, Bc)
        cta.divide_rows(P, l)                   # P = diag(l)^-1 P           (1, Bc)
        cta.store(P, p.P[i, j])                 # P_ij                       (1, Bc)


@of_framework(grid="per_tile", inputs=["P"], outputs=["P_dropped", "mask"], name="dropout")
def drop(cta, p):
    i = cta.row()
    j = cta.col()
    P = cta.load(p.P[i, j])          # P_ij                       (Br, Bc)
    Z = cta.keep_mask(i, j)          # Z                          (Br, Bc)
    cta.dropout(P, Z)                # P = Z o P / (1 - p)        (Br, Bc)
    cta.store(Z, p.mask[i, j])       # Z_ij                       (Br, Bc), bytes
    cta.store(P, p.P_dropped[i, j])  # P_dropped_ij               (Br, Bc)


def pv_gemm(cta, p):
    i = cta.row()
    O = cta.zeros("O", i)                 # O = 0                      (Br, d)
    weights = p.P_dropped if p.dropout else p.P
    for j in cta.chunks(p.keys, p.slice): # slices of N
        P = cta.load(weights[i, j])       # P_ij                       (Br, 32)
        V = cta.load(p.V[j])              # V_j                        (32, d)
        cta.gemm_nn_add(O, P, V)          # O = O + P_ij V_j           (Br, d)
    cta.store(O, p.O[i])                  # O_i                        (Br, d)


def standard_kernels(p):
    scores = "S_masked" if p.masked else "S"
    weights = "P_dropped" if p.dropout else "P"
    kernels = [qk_gemm]
    if p.masked:
        kernels.append(mask_scores)
    softmax, cols = (softmax_row_in_smem, "keys") if p.row_fits else (softmax_in_two_passes, "bc")
    kernels.append(softmax_of(softmax, scores, cols))
    if p.dropout:
        kernels.append(drop)
    return kernels + [pv_of(weights)]


def softmax_of(body, scores, cols, made={}):
    launch = dict(grid="per_row_block", inputs=[scores], outputs=["P"], rows="1", cols=cols, name="softmax")
    return made.setdefault((body, scores), of_framework(**launch)(body))


def pv_of(weights, made={}):
    launch = dict(grid="per_row_block", inputs=[weights, "V"], outputs=["O"], cols="slice", name="pv_gemm")
    return made.setdefault(weights, of_framework(**launch)(pv_gemm))


BUILT_IN = {  # arguments of program() for each
    "flash2": dict(kernels=[flash2_forward], like="flash2"),
    "flash1": dict(kernels=[flash1_forward], like="flash1"),
    "rabe-staats": dict(kernels=[rabe_staats_chunk, rabe_staats_combine], like="rabe-staats", parts="key_blocks"),
    "standard": dict(kernels=standard_kernels, like="standard"),
}
