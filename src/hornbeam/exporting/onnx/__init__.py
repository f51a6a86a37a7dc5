"""The parts of the ONNX writer: the tests of a model as one TreeEnsemble, the graph around it, skl2onnx."""
