"""What do we cut back?  One pruning a file; each chooses edits, `prune` makes them.

| pruning            | looks at                | rule                                                              |
| ------------------ | ----------------------- | ----------------------------------------------------------------- |
| reduced_error      | pruning set             | a leaf that is no worse on the pruning set replaces its subtree   |
| pessimistic        | training statistics     | errors + 1/2 a leaf, within one standard error, from the top      |
| minimum_error      | training statistics     | expected error of the m-estimate                                  |
| cost_complexity    | training statistics     | risk + alpha for each leaf, alpha given or chosen                 |
| error_based        | training rows           | upper confidence limit of the errors; subtrees may be raised      |
| description_length | training statistics     | fewest bits for the tree and its exceptions                       |
| critical_value     | the splits' values      | a split below the critical value goes, unless one below it stays  |
| held_out           | pruning set             | best-first growth stops when held-out rows stop getting better    |
| best_size          | pruning set, folds      | so many questions of best-first growth as are best on rows left   |
| risk_threshold     | pruning set, folds      | the fewest questions whose risk comes close to the Bayes risk     |
| manual            | you                     | the nodes named                                                   |
"""

from hornbeam.parts.prunings.base import Edits, Pruning
from hornbeam.parts.prunings.machinery.pruning_data import Folds, PruningData
from hornbeam.registry import Registry

prunings: Registry[Pruning] = Registry("pruning", Pruning, __name__)  # type: ignore[type-abstract]

__all__ = ["Edits", "Folds", "Pruning", "PruningData", "prunings"]
