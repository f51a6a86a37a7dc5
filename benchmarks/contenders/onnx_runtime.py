"""onnxruntime: predictions only; scikit-learn's models are trained and converted before the timing starts."""

from unittest import mock

import numpy as np

from benchmarks.contenders.scikit_learn import SklearnForest, SklearnHistogram, SklearnTree


class OnOnnx:
    """A model of scikit-learn, converted to ONNX and run by onnxruntime."""

    library = "onnxruntime"
    acts = frozenset({"predict"})
    note = "onnxruntime: predictions only, of scikit-learn's converted model; float32, so some rows reach other leaves"

    def fit(self):
        super().fit()
        import onnxruntime
        from skl2onnx import to_onnx

        options = {"options": {type(self.model): {"zipmap": False}}} if self.is_class else {}
        with mock.patch("onnx.helper.make_attribute", without_booleans()):
            graph = to_onnx(self.model, np.asarray(self.held_out[:1], dtype=np.float32), **options)
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = self.threads
        settings.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(
            graph.SerializeToString(), settings, providers=["CPUExecutionProvider"]
        )
        self.rows = np.ascontiguousarray(self.held_out, dtype=np.float32)

    def predict(self):
        return self.session.run(None, {self.session.get_inputs()[0].name: self.rows})[0]


def without_booleans():
    """onnx.helper.make_attribute for lists of booleans, which skl2onnx passes for histogram boosting."""
    from onnx import helper

    make = helper.make_attribute

    def made(key, value, *more, **named):
        if isinstance(value, list):
            value = [int(each) if isinstance(each, bool | np.bool_) else each for each in value]
        return make(key, value, *more, **named)

    return made


class OnnxTree(OnOnnx, SklearnTree):
    name, families = "onnxruntime tree", frozenset({"exact"})
    criteria = frozenset({"gini"})


class OnnxForest(OnOnnx, SklearnForest):
    name, families = "onnxruntime forest", frozenset({"forest"})


class OnnxBoosting(OnOnnx, SklearnHistogram):
    name, families = "onnxruntime boosting", frozenset({"boosting"})


CONTENDERS = (OnnxTree, OnnxForest, OnnxBoosting)
