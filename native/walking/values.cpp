// Values and mixtures of values.hpp.
#include "walking/values.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "walking/blocks.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t ROWS_PER_MIX_TASK = 256;  // rows that one task mixes; up to this many are mixed without threads
constexpr double MIN_FRACTION = 1e-6;

using Portion = std::pair<std::int32_t, double>;  // a node and the fraction of the row that is there

// Distributes a portion over the branches of a node by their weights; returns whether some branch took a part.
bool distribute(const NodeTable& table, Portion from, std::vector<Portion>& open) {
    const std::int32_t first = table.first_child(from.first), branches = table.n_branches(from.first);
    double total = 0.0;
    for (std::int32_t b = 0; b < branches; ++b) total += table.weight(first + b);
    bool is_distributed = false;
    for (std::int32_t b = 0; b < branches && total > 0.0; ++b) {
        const double portion = from.second * (table.weight(first + b) / total);
        if (portion < MIN_FRACTION) continue;
        open.emplace_back(first + b, portion);
        is_distributed = true;
    }
    return is_distributed;
}

// The nodes where a row ends, with the fraction at each; ascending, since the reference implementation adds in this
// order too.
void find_ends(const NodeTable& table, const WalkColumn* columns, std::int64_t row, std::vector<Portion>& open,
               std::vector<Portion>& ended) {
    ended.clear();
    while (!open.empty()) {
        auto [node, fraction] = open.back();
        open.pop_back();
        Step next{STAY, false, false};
        while (table.first_child(node) >= 0) {
            next = table.step(node, columns, row);
            if (next.branch < 0) break;
            node = table.first_child(node) + next.branch;
        }
        const bool may_distribute = table.first_child(node) >= 0 && next.branch == ALL_BRANCHES;
        if (!may_distribute || !distribute(table, {node, fraction}, open)) ended.emplace_back(node, fraction);
    }
    std::sort(ended.begin(), ended.end());
}

void add_portions(const std::vector<Portion>& ended, NodeValues values, double* mixture) {
    std::fill(mixture, mixture + values.width, 0.0);
    double total = 0.0;
    for (const auto& [node, fraction] : ended) {
        for (std::int64_t k = 0; k < values.width; ++k) mixture[k] += fraction * values.data[node * values.width + k];
        total += fraction;
    }
    for (std::int64_t k = 0; k < values.width; ++k) mixture[k] /= total;
}

}  // namespace

void gather_values(std::span<const std::int32_t> nodes, NodeValues values, Run run, double* out) {
    in_blocks(std::ssize(nodes), run.threads, run.stop, [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t width = values.width;
        if (width == 1)
            for (std::int64_t row = begin; row < end; ++row) out[row] = values.data[nodes[row]];
        else
            for (std::int64_t row = begin; row < end; ++row)
                std::copy_n(values.data + nodes[row] * width, width, out + row * width);
        return true;
    });
}

void mix_values(const NodeTable& table, const FractionalRows& rows, NodeValues values, Run run, double* out) {
    const auto count = static_cast<std::int64_t>(rows.rows.size());
    in_ranges({count, ROWS_PER_MIX_TASK, ROWS_PER_MIX_TASK}, run.threads, run.stop, [&](auto begin, auto end, int) {
        std::vector<Portion> open, ended;
        for (std::int64_t index = begin; index < end && !run.stop.is_requested(); ++index) {
            open.assign(1, {rows.nodes[index], 1.0});
            find_ends(table, rows.columns.data(), rows.rows[index], open, ended);
            add_portions(ended, values, out + index * values.width);
        }
    });
}

}  // namespace hornbeam
