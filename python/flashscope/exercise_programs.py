"""Programs of the exercises: references for a learner's program, and starting points of the tasks."""

from math import inf

from .program import kernel

_LAUNCH = dict(grid="per_row_block", inputs=["Q", "K", "V"], outputs=["O", "L"])


@kernel(**_LAUNCH)
def safe_softmax(cta, p):
    i = cta.row()
    Q = cta.load(p.Q[i]) if cta.live(i) else None  # Q_i                        (Br, d)
    m = cta.vec("m", i, -inf)                      # m = -inf                   (Br)
    for j in cta.key_blocks(i):                    # first loop: the maximum
        K = cta.load(p.K[j])                       # K_j                        (Bc, d)
        S = cta.gemm_nt(Q, K)                      # S = Q_i K_j^T              (Br, Bc)
        cta.scale(S, p.scale)                      # S = scale S                (Br, Bc)
        if j.masked:
            cta.mask(S, i, j)                      # S = mask(S)                (Br, Bc)
        m = cta.row_max(S, m)                      # m = max(m, rowmax(S))      (Br)
    l = cta.vec("l", i, 0)                         # l = 0                      (Br)
    for j in cta.key_blocks(i):                    # second loop: the sum
        K = cta.load(p.K[j])                       # K_j                        (Bc, d)
        S = cta.gemm_nt(Q, K)                      # S = Q_i K_j^T              (Br, Bc)
        cta.scale(S, p.scale)                      # S = scale S                (Br, Bc)
        if j.masked:
            cta.mask(S, i, j)                      # S = mask(S)                (Br, Bc)
        P = cta.exp_sub(S, m)                      # P = exp(S - m)             (Br, Bc)
        l = cta.add_row_sum(l, P)                  # l = l + rowsum(P)          (Br)
    O = cta.zeros("O", i)                          # O = 0                      (Br, d)
    for j in cta.key_blocks(i):                    # third loop: O
        K = cta.load(p.K[j])                       # K_j                        (Bc, d)
        S = cta.gemm_nt(Q, K)                      # S = Q_i K_j^T              (Br, Bc)
        cta.scale(S, p.scale)                      # S = scale S                (Br, Bc)
        if j.masked:
            cta.mask(S, i, j)                      # S = mask(S)                (Br, Bc)
        P = cta.exp_sub(S, m)                      # P = exp(S - m)             (Br, Bc)
        V = cta.load(p.V[j])                       # V_j                        (Bc, d)
        cta.gemm_nn_add(O, P, V)                   # O = O + P V_j              (Br, d)
    cta.divide_rows(O, l)                          # O = diag(l)^-1 O           (Br, d)
    L = cta.log_sum_exp(m, l)                      # L = m + log l              (Br)
    cta.store(O, p.O[i])                           # O_i                        (Br, d)
    cta.store(L, p.L[i])                           # L_i                        (Br)


@kernel(**_LAUNCH)
def online_softmax(cta, p):
    i = cta.row()
    Q = cta.load(p.Q[i]) if cta.live(i) else None  # Q_i                        (Br, d)
    m = cta.vec("m", i, -inf)                      # m = -inf                   (Br)
    l = cta.vec("l", i, 0)                         # l = 0                      (Br)
    for j in cta.key_blocks(i):                    # first loop: the statistics
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
    O = cta.zeros("O", i)                          # O = 0                      (Br, d)
    for j in cta.key_blocks(i):                    # second loop: O
        K = cta.load(p.K[j])                       # K_j                        (Bc, d)
        S = cta.gemm_nt(Q, K)                      # S = Q_i K_j^T              (Br, Bc)
        cta.scale(S, p.scale)                      # S = scale S                (Br, Bc)
        if j.masked:
            cta.mask(S, i, j)                      # S = mask(S)                (Br, Bc)
        P = cta.exp_sub(S, m)                      # P = exp(S - m)             (Br, Bc)
        V = cta.load(p.V[j])                       # V_j                        (Bc, d)
        cta.gemm_nn_add(O, P, V)                   # O = O + P V_j              (Br, d)
    cta.divide_rows(O, l)                          # O = diag(l)^-1 O           (Br, d)
    L = cta.log_sum_exp(m, l)                      # L = m + log l              (Br)
    cta.store(O, p.O[i])                           # O_i                        (Br, d)
    cta.store(L, p.L[i])                           # L_i                        (Br)


@kernel(**_LAUNCH)
def one_loop(cta, p):
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
