"""Phonetic clustering as in HTK: groups the states of a speech recognizer that can use the same parameters.

A row is a state of a phone in context, such as b-a+t: its number of occurrences, and the mean and variance of its
acoustic features. A list of named questions about the context is tried at every node; the question with the largest
increase of the likelihood of one Gaussian per leaf is chosen:

    L(S) = -(N / 2) sum_d (1 + ln(2 pi sigma2_d)),   N and sigma2 pooled over the states in S

A question must increase it by more than TB and leave an occupancy of RO on both sides. Finally, leaves whose merging
decreases it by less than TB are merged, so a tied state may be reached by several paths.
"""

import heapq
from dataclasses import dataclass

import numpy as np

import hornbeam as hb
from hornbeam.parts.searches.custom_questions import CustomQuestions

PHONES = {
    "vowel": ["a", "e", "i", "o", "u"],
    "nasal": ["m", "n"],
    "stop": ["b", "d", "g", "p", "t", "k"],
    "fricative": ["s", "z", "f", "v"],
    "voiced": ["a", "e", "i", "o", "u", "m", "n", "b", "d", "g", "z", "v"],
}
QUESTIONS = [
    {"name": f"{side[0].upper()}_{group.capitalize()}", "column": side, "in": members}
    for side in ("left", "right")
    for group, members in PHONES.items()
]


@dataclass(frozen=True)
class States:
    """Occupancy (n,), mean and variance (n, dimensions) of every state."""

    occupancy: np.ndarray
    mean: np.ndarray
    variance: np.ndarray

    def likelihood(self, rows):
        """The log-likelihood of one Gaussian for all these states; minus infinity where a variance is not above 0."""
        n = self.occupancy[rows]
        mean = n @ self.mean[rows] / n.sum()
        variance = n @ (self.variance[rows] + self.mean[rows] ** 2) / n.sum() - mean**2
        if (variance <= 0).any():
            return -np.inf
        return float(-n.sum() / 2 * (1 + np.log(2 * np.pi * variance)).sum())


def gains(states, rows, outcomes, min_occupancy):
    """Increase of the likelihood by every question at a node; minus infinity if a side has too little occupancy."""
    out = []
    for outcome in outcomes:
        sides = [rows[outcome[rows] == branch] for branch in (0, 1)]
        enough = all(len(side) and states.occupancy[side].sum() >= min_occupancy for side in sides)
        out.append(sum(map(states.likelihood, sides)) - states.likelihood(rows) if enough else -np.inf)
    return np.array(out)


def grow_leaves(states, outcomes, threshold, min_occupancy=0.0):
    """The leaves of a tree grown best question first: (path of (question, branch), rows)."""
    leaves, queue, n_queued = [], [], 0

    def add_node(path, rows):
        nonlocal n_queued
        gain = gains(states, rows, outcomes, min_occupancy)
        if gain.max() > threshold:
            heapq.heappush(queue, (-gain.max(), n_queued, int(gain.argmax()), path, rows))
            n_queued += 1
        else:
            leaves.append((path, rows))

    add_node((), np.arange(len(states.occupancy)))
    while queue:
        _, _, question, path, rows = heapq.heappop(queue)
        for branch in (0, 1):
            add_node((*path, (question, branch)), rows[outcomes[question][rows] == branch])
    return leaves


def merge_leaves(states, leaves, threshold):
    """The leaves in order, each merged with the later one with the smallest loss, if that is below the threshold."""
    tied = [([path], rows) for path, rows in leaves]
    index = 0
    while index < len(tied):
        paths, rows = tied[index]
        losses = [
            states.likelihood(rows) + states.likelihood(other) - states.likelihood(np.concatenate([rows, other]))
            for _, other in tied[index + 1 :]
        ]
        if losses and min(losses) < threshold:
            more, other = tied.pop(index + 1 + int(np.argmin(losses)))
            tied[index] = (paths + more, np.sort(np.concatenate([rows, other])))
        index += 1
    return tied


def synthetic_states(seed=1, dimensions=3):
    """States of the vowel a between all phones: its features depend on the neighboring phones."""
    random = np.random.default_rng(seed)
    phones = sorted({phone for members in PHONES.values() for phone in members})
    pairs = [(left, right) for left in phones for right in phones if random.random() < 0.6]
    mean = np.zeros((len(pairs), dimensions))
    for row, (left, right) in enumerate(pairs):
        # A nasal before and a stop after have the same effect and cancel each other: those leaves can be merged.
        mean[row, 0] = 2.0 * ((left in PHONES["nasal"]) != (right in PHONES["stop"]))
        mean[row, 1] = 1.5 * (left in PHONES["fricative"])
    mean += random.normal(scale=0.1, size=mean.shape)
    variance = random.uniform(0.3, 0.6, size=mean.shape)
    occupancy = random.gamma(2.0, 20.0, size=len(pairs))
    table = hb.read({"left": [left for left, _ in pairs], "right": [right for _, right in pairs]})
    return table, States(occupancy, mean, variance)


def main():
    table, states = synthetic_states()
    questions = CustomQuestions(questions=QUESTIONS).questions_about(table.columns)
    outcomes = [question.branch(table.columns) for question in questions]
    leaves = grow_leaves(states, outcomes, threshold=150.0, min_occupancy=50.0)
    tied = merge_leaves(states, leaves, threshold=150.0)
    print(f"{len(table)} states, {len(leaves)} leaves, {len(tied)} tied states")
    for number, (paths, rows) in enumerate(tied):
        paths_text = [" and ".join(questions[q].text(table.schema, branch) for q, branch in path) for path in paths]
        print(f"  tied state {number}: {len(rows)} states, occupancy {states.occupancy[rows].sum():.0f}")
        print("    " + "\n    or ".join(paths_text))


if __name__ == "__main__":
    main()
