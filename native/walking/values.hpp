// The values of the nodes where rows end: those of one node, or the mixture of several for a fractional row.
#pragma once

#include <cstdint>
#include <span>

#include "core/pool.hpp"
#include "walking/nodes.hpp"

namespace hornbeam {

// `width` values per node.
struct NodeValues {
    const double* data;
    std::int64_t width;
};

// The number of threads of a call, and the request to stop it.
struct Run {
    int threads;
    Stop& stop;
};

// out[row] = values[nodes[row]], `width` values each.
void gather_values(std::span<const std::int32_t> nodes, NodeValues values, Run run, double* out);

// For rows that are distributed at `nodes`: the mixture of the values of the nodes where they end.
struct FractionalRows {
    std::span<const WalkColumn> columns;
    std::span<const std::int64_t> rows;
    const std::int32_t* nodes;
};
void mix_values(const NodeTable& table, const FractionalRows& rows, NodeValues values, Run run, double* out);

}  // namespace hornbeam
