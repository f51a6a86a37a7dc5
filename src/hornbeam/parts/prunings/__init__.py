"""Prunings: which nodes are cut after growth. Each chooses edits; `prune` applies them.

| pruning            | uses                    | rule                                                                 |
| ------------------ | ----------------------- | -------------------------------------------------------------------- |
| reduced_error      | pruning set             | a leaf that is no worse on the pruning set replaces its subtree      |
| pessimistic        | training statistics     | errors + 1/2 per leaf, within one standard error, from the top       |
| minimum_error      | training statistics     | expected error of the m-estimate                                     |
| cost_complexity    | training statistics     | risk + alpha per leaf, alpha given or chosen                         |
| error_based        | training rows           | upper confidence limit of the errors; subtrees may be raised         |
| description_length | training statistics     | fewest bits for the tree and its exceptions                          |
| critical_value     | values of the splits    | a split below the critical value is cut, unless one below it is kept |
| held_out           | pruning set             | best-first growth stops when the loss on held-out rows stops falling |
| best_size          | pruning set, folds      | the number of questions of best-first growth of least held-out loss  |
| risk_threshold     | pruning set, folds      | the fewest questions whose risk is close to the Bayes risk           |
| manual             | the user                | the nodes that the user names                                        |
"""

from hornbeam.parts.prunings.base import Edits, Pruning
from hornbeam.parts.prunings.machinery.pruning_data import Folds, PruningData
from hornbeam.registry import Registry

prunings: Registry[Pruning] = Registry("pruning", Pruning, __name__)  # type: ignore[type-abstract]

__all__ = ["Edits", "Folds", "Pruning", "PruningData", "prunings"]
