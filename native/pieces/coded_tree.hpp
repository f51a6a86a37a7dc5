// A boosted tree on the codes of pieces, as it travels to them: nodes with one question each. While a tree grows,
// `step` is empty; a complete tree has a step wherever rows stop.
#pragma once

#include <cmath>
#include <cstdint>

#include "pieces/request.hpp"

namespace hornbeam {

template <template <class> class Array>
struct CodedTreeOf {
    Array<std::int32_t> first_child;  // -1: not split
    Array<std::int32_t> column;
    Array<std::int32_t> cut;        // the last code of branch 0; -1: by `maps`
    Array<std::uint8_t> missing;    // the branch of missing values
    Array<std::int32_t> map_start;  // of a node by `maps`: its first entry there, one per code
    Array<std::uint8_t> maps;       // branches
    Array<double> step;             // what a row adds to its score; NaN: rows go on to a child
};
using CodedTreeArrays = CodedTreeOf<Own>;

struct CodedTree : CodedTreeOf<View> {
    bool is_complete() const { return !step.empty(); }
    bool ends_at(std::int32_t node) const { return !step.empty() && !std::isnan(step[node]); }
    std::int32_t n_nodes() const { return static_cast<std::int32_t>(first_child.size()); }
    // The branch of a code of the column of a node; `n_codes` is the code of missing values.
    std::uint32_t branch(std::int32_t node, std::uint32_t code, std::uint32_t n_codes) const {
        if (cut[node] < 0) return maps[static_cast<std::size_t>(map_start[node]) + code];
        return code == n_codes ? missing[node] : static_cast<std::int32_t>(code) > cut[node];
    }
};

}  // namespace hornbeam
