"""Records scikit-learn's measures of the scores that `roc.R` wrote: `python -m ...scikit_learn_measures OUTPUT`."""

import json
import sys
from pathlib import Path

import numpy as np
import sklearn
from sklearn import metrics


def measured(labels, scores, threshold):
    """The measures of one set of scores."""
    fpr, tpr, _ = metrics.roc_curve(labels, scores)
    found = {
        "roc_auc": metrics.roc_auc_score(labels, scores),
        "average_precision": metrics.average_precision_score(labels, scores),
        "roc_curve": {"fpr": fpr.tolist(), "tpr": tpr.tolist()},
    }
    if threshold is None:
        return found
    predicted = (scores >= threshold).astype(int)
    return found | {
        "threshold": threshold,
        "log_loss": metrics.log_loss(labels, scores),
        "brier": metrics.brier_score_loss(labels, scores),
        "mcc": metrics.matthews_corrcoef(labels, predicted),
        "cohen_kappa": metrics.cohen_kappa_score(labels, predicted),
        "f1": metrics.f1_score(labels, predicted),
        "balanced_accuracy": metrics.balanced_accuracy_score(labels, predicted),
        "confusion_matrix[true][pred]": metrics.confusion_matrix(labels, predicted).tolist(),
    }


def main(output):
    """Reads the labels and scores and writes the measures next to them."""
    given = json.loads((output / "metrics" / "roc_and_rates.json").read_text())["measures"]
    found = {
        name: measured(
            np.array(each["labels"]), np.array(each["scores"]), each.get("at_threshold", {}).get("threshold")
        )
        for name, each in given.items()
        if name != "multiclass"
    }
    answer = {"oracle": "scikit-learn metrics", "version": sklearn.__version__, "measures": found}
    (output / "metrics" / "sklearn_measures.json").write_text(json.dumps(answer, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
