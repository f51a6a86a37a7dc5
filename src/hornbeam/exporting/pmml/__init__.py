"""The parts of the PMML writer: XML, predicates of branches, trees, ensembles."""
