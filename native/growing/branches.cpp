#include "growing/branches.hpp"

#include <algorithm>
#include <cmath>

#include "missing/missing_branch.hpp"

namespace hornbeam {
namespace {

void write_branch(AnyBlock& block, bool in_two, std::uint32_t row, std::int32_t branch) {
    if (in_two)
        block.right[row] = static_cast<std::uint8_t>(branch);
    else
        block.branch[row] = static_cast<std::uint16_t>(branch);
}

// Sets the branch of missing values from the weights of the branches.
std::int32_t direct_missing(const Open& open, const Work& work, std::vector<std::int64_t>&& weight, RowPartition& out) {
    const std::int32_t missing = missing_branch(work.job.plan, open.best, weight);
    out.known = std::move(weight);
    out.missing_branch = missing < open.best.n_branches ? missing : -1;
    return missing;
}

// Assigns all rows; `branch_of(i)` is the branch of the i-th row of the node, below 0 if its value is missing.
template <class BranchOf>
void mark_rows(const Open& open, RowPartition& out, const Work& work, const BranchOf& branch_of) {
    AnyBlock& block = *open.block;
    const std::uint32_t* order = block.order.data() + open.begin;
    std::vector<std::int64_t> weight(open.best.n_branches, 0);
    for (std::int32_t i = 0; i < open.rows(); ++i)
        if (const std::int32_t branch = branch_of(i); branch >= 0) weight[branch] += block.weight_of(order[i]);
    const std::int32_t missing = direct_missing(open, work, std::move(weight), out);
    for (std::int32_t i = 0; i < open.rows(); ++i) {
        const std::int32_t branch = branch_of(i);
        write_branch(block, out.in_two, order[i], branch < 0 ? missing : branch);
    }
}

// Assigns rows by a cut of a sorted list.
void mark_list(const Open& open, RowPartition& out, const Work& work) {
    AnyBlock& block = *open.block;
    const std::int32_t n = open.rows(), below = open.best.below;
    with_entries(block, [&](auto& typed) {
        const auto* list = typed.list(open.best.column) + open.begin;
        const std::int32_t known = known_entries(list, n);
        std::vector<std::int64_t> weight(open.best.n_branches, 0);
        if (block.weights.empty())
            weight[0] = below, weight[1] = known - below;
        else
            for (std::int32_t i = 0; i < known; ++i) weight[i >= below] += block.weight_of(row_of(list[i]));
        const std::int32_t missing = direct_missing(open, work, std::move(weight), out);
        const bool in_two = out.in_two;
        for (std::int32_t i = 0; i < n; ++i)
            write_branch(block, in_two, row_of(list[i]), i < known ? i >= below : missing);
    });
}

// Writes one code per row of the node for the sparse column of the question.
const std::uint16_t* unpacked(const Open& open, Work& work) {
    AnyBlock& block = *open.block;
    const std::int32_t column = open.best.column;
    const Span span = open.spans[std::find(open.active.begin(), open.active.end(), column) - open.active.begin()];
    std::vector<std::uint16_t>& codes = work.scratch.unpacked;
    if (codes.size() < static_cast<std::size_t>(block.n_rows)) codes.resize(block.n_rows);
    const auto common = static_cast<std::uint16_t>(work.job.columns[column].common);
    for (std::int32_t i = open.begin; i < open.end; ++i) codes[block.order[i]] = common;
    with_entries(block, [&](auto& typed) {
        for (std::int32_t i = span.begin; i < span.end; ++i)
            codes[row_of(typed.list(column)[i])] = static_cast<std::uint16_t>(rank_of(typed.list(column)[i]));
    });
    return codes.data();
}

void mark_codes(const Open& open, RowPartition& out, Work& work) {
    const AnyBlock& block = *open.block;
    const Candidate& best = open.best;
    const ReadyColumn& column = work.job.columns[best.column];
    std::vector<std::int32_t> branch_of(column.n_codes);
    if (best.type == Candidate::Type::map)
        branch_of = best.groups->branch_of;
    else
        for (std::uint32_t code = 0; code < column.n_codes; ++code) branch_of[code] = code > best.code;
    branch_of.push_back(-1);
    const std::uint32_t* order = block.order.data() + open.begin;
    const auto mark = [&](const auto* code) {
        mark_rows(open, out, work, [&](std::int32_t i) { return branch_of[code[order[i]]]; });
    };
    if (block.is_sparse[best.column])
        mark(unpacked(open, work));
    else
        with_codes(block.codes[best.column], mark);
}

// Assigns rows by cuts of unsorted values.
void mark_values(const Open& open, RowPartition& out, const Work& work) {
    const AnyBlock& block = *open.block;
    const SourceColumn& source = work.job.plan.columns[open.best.column];
    const std::vector<double> cuts = open.best.cuts ? *open.best.cuts : std::vector<double>{open.best.low};
    mark_rows(open, out, work, [&](std::int32_t i) {
        const double value = source.number(block.row_of[block.order[open.begin + i]]);
        if (std::isnan(value)) return -1;
        return static_cast<std::int32_t>(std::lower_bound(cuts.begin(), cuts.end(), value) - cuts.begin());
    });
}

void mark_many(const Open& open, RowPartition& out, const Work& work) {
    const AnyBlock& block = *open.block;
    std::vector<std::uint32_t> rows(open.rows());
    for (std::int32_t i = 0; i < open.rows(); ++i) rows[i] = block.row_of[block.order[open.begin + i]];
    RowSides side;
    open.best.many->branches(work.job.cells, rows, side);
    mark_rows(open, out, work, [&](std::int32_t i) { return side[i]; });
}

// Assigns rows with a missing value to branch 0, others to branch 1.
void mark_missing(const Open& open, RowPartition& out, const Work& work) {
    const AnyBlock& block = *open.block;
    const SourceColumn& source = work.job.plan.columns[open.best.column];
    mark_rows(open, out, work, [&](std::int32_t i) -> std::int32_t {
        return !source.is_missing(block.row_of[block.order[open.begin + i]]);
    });
}

}  // namespace

void mark_branches(const Open& open, RowPartition& out, Work& work) {
    const ReadyColumn* column = open.best.many ? nullptr : &work.job.columns[open.best.column];
    if (!column)
        mark_many(open, out, work);
    else if (open.best.type == Candidate::Type::missing)
        mark_missing(open, out, work);
    else if (open.best.cuts || column->is_plain)
        mark_values(open, out, work);
    else if (column->is_listed)
        mark_list(open, out, work);
    else
        mark_codes(open, out, work);
}

}  // namespace hornbeam
