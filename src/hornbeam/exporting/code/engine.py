"""The functions of exported code, in the subset of Python that `translate` writes in other languages.

The module is a template: `program` copies the functions that a model needs into the exported file, next to the arrays
(upper-case names) that `packing` makes. `x` holds one number per column that the model reads: NaN for a missing value;
for a column with levels the code of the level, -2 for an unseen level. A result below 0 is: -1 the row ends here,
-2 down all branches, -3 a rejected level. Products are separate statements, so that no compiler fuses them with sums.
"""

# mypy: ignore-errors
# ruff: noqa: F821


def outcome(q: int, x: Floats) -> int:
    """The outcome of a question: a branch, -1 if a value is missing, -2 for a level without a branch."""
    at: int = q * 8
    return cuts_outcome(at, x)  # `program` writes the calls for the kinds of questions that a model has


def cuts_outcome(at: int, x: Floats) -> int:
    """The number of cuts below the value."""
    column: int = QUESTIONS[at + 1]
    v: float = x[column]
    if v != v:
        return QUESTIONS[at + 3]
    n: int = QUESTIONS[at + 7]
    if n > 0 and LEVELED[column] == 1 and v < 0.0:
        return -2
    i: int = 0
    while i < n and v > REALS[QUESTIONS[at + 6] + i]:
        i += 1
    return QUESTIONS[at + 2] + i


def level_outcome(at: int, x: Floats) -> int:
    """The branch of a level."""
    v: float = x[QUESTIONS[at + 1]]
    if v != v:
        return QUESTIONS[at + 3]
    if v < 0.0 or v >= QUESTIONS[at + 5]:
        return -2
    found: int = INTS[QUESTIONS[at + 4] + int(v)]
    if found < 0:
        return -2
    return found


def sum_outcome(at: int, x: Floats) -> int:
    """Whether a weighted sum (kind 2) or a squared distance (kind 3) is at most its bound."""
    n: int = QUESTIONS[at + 5]
    terms: int = QUESTIONS[at + 4]
    reals: int = QUESTIONS[at + 6]
    is_ball: int = 1 if QUESTIONS[at] == 3 else 0
    bound: int = reals + n + n * is_ball
    total: float = 0.0
    for i in range(0, n):
        v: float = x[INTS[terms + i]]
        if v != v and QUESTIONS[at + 7] > bound - reals + 1:
            v = REALS[bound + 1 + i]
        if is_ball == 1:
            v = (v - REALS[reals + i]) / REALS[reals + n + i]
            v = v * v
        else:
            v = REALS[reals + i] * v
        total = total + v
    if total != total:
        return -1
    return 0 if total <= REALS[bound] else 1


def junction_outcome(at: int, x: Floats) -> int:
    """Kleene's logic: one literal may decide; otherwise the outcome is undefined if one literal is."""
    ints: int = QUESTIONS[at + 4]
    decisive: int = 0 if INTS[ints] == 1 else 1
    unsure: int = 0
    i: int = 1
    while i + 1 < QUESTIONS[at + 5]:
        found: int = outcome(INTS[ints + i], x)
        if found < 0:
            unsure = found if found < unsure else unsure
        else:
            if (1 - found if INTS[ints + i + 1] == 1 else found) == decisive:
                return decisive
        i += 2
    return unsure if unsure < 0 else 1 - decisive


def route(r: int, x: Floats) -> int:
    """The branch of a row: question, unseen level, surrogates, then the default."""
    at: int = r * 5
    found: int = outcome(ROUTES[at], x)
    if found >= 0:
        return found
    if found == -2 and ROUTES[at + 2] != -9:
        return ROUTES[at + 2]
    for s in range(ROUTES[at + 3], ROUTES[at + 4]):
        found = outcome(SURROGATES[2 * s], x)
        if found >= 0:
            return 1 - found if SURROGATES[2 * s + 1] == 1 else found
    return ROUTES[at + 1]


def cut(v: float, at: float) -> int:
    """0 at or below a cut, 1 above it, -1 if the value is missing."""
    if v <= at:
        return 0
    return 1 if v > at else -1


def flip(found: int) -> int:
    """The other branch; an undefined outcome stays undefined."""
    return found if found < 0 else 1 - found


def branch(node: int, x: Floats) -> int:
    """The branch of a row at an inner node."""
    column: int = COLUMN[node]
    if column < 0:
        return route(MISSING[node], x)
    v: float = x[column]
    if v <= CUT[node]:
        return 0
    if v > CUT[node]:
        return 1
    return MISSING[node]


def leaf(root: int, x: Floats) -> int:
    """The node where a row ends; -2 if it is rejected."""
    node: int = root
    while CHILD[node] >= 0:
        found: int = branch(node, x)
        if found < 0:
            return -2 if found == -3 else node
        node = CHILD[node] + found
    return node


def mix(root: int, stop: int, x: Floats, out: Out) -> int:
    """Write the mixture of the values where the fractions of a row end; the label, or -2 if the row is rejected."""
    portion: Floats = zeros(MOST_NODES)
    is_fractional: int = 0
    label: int = 0
    total: float = 0.0
    for k in range(0, WIDTH):
        out[k] = 0.0
    for i in range(0, stop - root):
        portion[i] = 0.0
    portion[0] = 1.0
    for node in range(root, stop):
        fraction: float = portion[node - root]
        if fraction > 0.0:
            found: int = -1 if CHILD[node] < 0 else branch(node, x)
            if found == -3 and is_fractional == 0:
                return -2
            if found >= 0:
                portion[CHILD[node] - root + found] = fraction
            else:
                spread: int = 0
                if found == -2:
                    is_fractional = 1
                    for child in range(CHILD[node], CHILD[node] + BRANCHES[node]):
                        part: float = fraction * FRACTIONS[child]
                        if part >= 1e-06:
                            portion[child - root] = part
                            spread = 1
                if spread == 0:
                    for k in range(0, WIDTH):
                        value: float = fraction * VALUES[node * WIDTH + k]
                        out[k] = out[k] + value
                    total = total + fraction
                    label = LABELS[node]
    for k in range(0, WIDTH):
        out[k] = out[k] / total
    return largest(out, WIDTH) if is_fractional == 1 else label


def largest(values: Floats, n: int) -> int:
    """The index of the largest value, the first of equal ones."""
    best: int = 0
    for k in range(1, n):
        if values[k] > values[best]:
            best = k
    return best


def exponential(given: float) -> float:
    """The exponential function, with the same result on every machine."""
    v: float = given
    if v > 700.0:
        v = 700.0
    if v < -700.0:
        v = -700.0
    shifted: float = v * 1.4426950408889634
    shifted = shifted + 6755399441055744.0
    k: float = shifted - 6755399441055744.0
    high: float = k * 0.6931471803691238
    low: float = k * 1.9082149292705877e-10
    r: float = v - high
    r = r - low
    total: float = SERIES[0]
    for i in range(1, 14):
        total = total * r
        total = total + SERIES[i]
    return scale(total, int(k))


def matches(rule: int, x: Floats) -> int:
    """1 if all conditions of a rule are true, else 0."""
    for test in range(RULES[rule], RULES[rule + 1]):
        found: int = route(test, x)
        is_true: int = 0
        for i in range(ACCEPTED_START[test], ACCEPTED_START[test + 1]):
            if ACCEPTED[i] == found:
                is_true = 1
        if is_true == 0:
            return 0
    return 1
