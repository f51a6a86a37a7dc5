// Samples the rows of each tree of a forest, with a random stream keyed by the index of the tree. The samples are those
// of the reference implementation, ensembles/row_sampling.py.
//
//     rows       from all rows, with or without replacement
//     classes    the same within every class (stratified)
//     balanced   the same number of rows of every class, given by the rarest class
#pragma once

#include <cstdint>
#include <vector>

namespace hornbeam {

enum class SampleBy : int { none = 0, rows = 1, classes = 2, balanced = 3 };

struct RowSampling {
    SampleBy by = SampleBy::none;
    bool replace = true;
    double fraction = 1.0;  // of all rows, or of the rows of a class
};

// The number of times that each row is in the sample of a tree; `classes` may be null if it is not needed.
std::vector<std::uint32_t> multiplicities(const RowSampling& sampling, std::int64_t n_rows,
                                          const std::uint16_t* classes, int n_classes, std::uint64_t seed,
                                          std::uint64_t tree);

}  // namespace hornbeam
