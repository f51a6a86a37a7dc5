"""Which states of a speech recogniser can share their parameters?  Phonetic clustering as HTK does it.

A row is a state of a phone in context, such as b-a+t: how often it was seen, and the mean and variance of what was
heard there. A list of named questions about the context is tried at every node; the question is asked that raises the
likelihood of one Gaussian a leaf the most:

    L(S) = -(N / 2) sum_d (1 + ln(2 pi sigma2_d)),   N and sigma2 pooled over the states in S

A question must raise it by more than TB, and leave an occupancy of RO on both sides. In the end leaves that lose less
than TB by it are merged, so a tied state may be reached by several paths.
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


def gains(states, rows, answers, least):
    """What every question adds to the likelihood at a node; minus infinity where a side is seen too little."""
    out = []
    for answer in answers:
        sides = [rows[answer[rows] == branch] for branch in (0, 1)]
        enough = all(len(side) and states.occupancy[side].sum() >= least for side in sides)
        out.append(sum(map(states.likelihood, sides)) - states.likelihood(rows) if enough else -np.inf)
    return np.array(out)


def grown(states, answers, threshold, least=0.0):
    """The leaves, best question first: (path of (question, branch), rows)."""
    leaves, queue, made = [], [], 0

    def opened(path, rows):
        nonlocal made
        gain = gains(states, rows, answers, least)
        if gain.max() > threshold:
            heapq.heappush(queue, (-gain.max(), made, int(gain.argmax()), path, rows))
            made += 1
        else:
            leaves.append((path, rows))

    opened((), np.arange(len(states.occupancy)))
    while queue:
        _, _, question, path, rows = heapq.heappop(queue)
        for branch in (0, 1):
            opened((*path, (question, branch)), rows[answers[question][rows] == branch])
    return leaves


def merged(states, leaves, threshold):
    """Leaves in order, each joined with the later one whose loss is smallest, if that is below the threshold."""
    tied = [([path], rows) for path, rows in leaves]
    place = 0
    while place < len(tied):
        paths, rows = tied[place]
        losses = [
            states.likelihood(rows) + states.likelihood(other) - states.likelihood(np.concatenate([rows, other]))
            for _, other in tied[place + 1 :]
        ]
        if losses and min(losses) < threshold:
            more, other = tied.pop(place + 1 + int(np.argmin(losses)))
            tied[place] = (paths + more, np.sort(np.concatenate([rows, other])))
        place += 1
    return tied


def made_up(seed=1, dimensions=3):
    """States of the vowel a between all phones: what is heard depends on how the neighbours are spoken."""
    random = np.random.default_rng(seed)
    phones = sorted({phone for members in PHONES.values() for phone in members})
    pairs = [(left, right) for left in phones for right in phones if random.random() < 0.6]
    mean = np.zeros((len(pairs), dimensions))
    for row, (left, right) in enumerate(pairs):
        # A nasal before and a stop after move the sound the same way, and undo each other: those leaves can be merged.
        mean[row, 0] = 2.0 * ((left in PHONES["nasal"]) != (right in PHONES["stop"]))
        mean[row, 1] = 1.5 * (left in PHONES["fricative"])
    mean += random.normal(scale=0.1, size=mean.shape)
    variance = random.uniform(0.3, 0.6, size=mean.shape)
    occupancy = random.gamma(2.0, 20.0, size=len(pairs))
    table = hb.read({"left": [left for left, _ in pairs], "right": [right for _, right in pairs]})
    return table, States(occupancy, mean, variance)


def main():
    table, states = made_up()
    questions = CustomQuestions(questions=QUESTIONS).questions_about(table.columns)
    answers = [question.branch(table.columns) for question in questions]
    leaves = grown(states, answers, threshold=150.0, least=50.0)
    tied = merged(states, leaves, threshold=150.0)
    print(f"{len(table)} states, {len(leaves)} leaves, {len(tied)} tied states")
    for number, (paths, rows) in enumerate(tied):
        words = [" and ".join(questions[q].text(table.schema, branch) for q, branch in path) for path in paths]
        print(f"  tied state {number}: {len(rows)} states, occupancy {states.occupancy[rows].sum():.0f}")
        print("    " + "\n    or ".join(words))


if __name__ == "__main__":
    main()
