// Which branch does every row of a node take?  By the place in a sorted list, or by its code.
#include <algorithm>

#include "growing/worker.hpp"

namespace hornbeam {
namespace {

// How many cuts lie below the value of a code.
std::int32_t cuts_below(const Cuts& cuts, const ReadyColumn& column, std::uint32_t code) {
    const double value = column.kind == Kind::numeric ? column.values[code] : code;
    return static_cast<std::int32_t>(std::lower_bound(cuts.at.begin(), cuts.at.end(), value) - cuts.at.begin());
}

}  // namespace

// Gives every row its branch.
void Worker::mark(Open& open, Parting& out) {
    if (open.best.many)
        mark_many(open, out);
    else if (open.best.type == Candidate::Type::missing)
        mark_missing(open, out);
    else if (open.best.type == Candidate::Type::cut && job_.columns[open.best.column].is_listed)
        open.best.cuts ? mark_intervals(open, out) : mark_cut(open, out);
    else if (job_.columns[open.best.column].is_plain)
        mark_reals(open, out);
    else
        mark_codes(open, out);
}

// A cut of a sorted list: its first rows are branch 0; rows without a value stand last.
void Worker::mark_cut(Open& open, Parting& parting) {
    AnyBlock& block = *open.block;
    const std::int32_t n = open.rows(), below = open.best.below;
    const auto mark = [&](auto& typed) {
        using Entry = typename std::remove_reference_t<decltype(typed)>::EntryType;
        const Entry* list = typed.list(open.best.column) + open.begin;
        std::int32_t known = n;
        while (known > 0 && rank_of(list[known - 1]) == NO_RANK<Entry>) --known;
        std::vector<std::int64_t> weight = {below, known - below};
        if (!block.weights.empty()) {
            weight = {0, 0};
            for (std::int32_t i = 0; i < known; ++i) weight[i >= below] += block.weights[row_of(list[i])];
        }
        const std::int32_t missing = larger_branch(open, weight);
        parting.known = weight;
        parting.missing_branch = missing < open.best.n_branches ? missing : -1;
        for (std::int32_t i = 0; i < n; ++i) {
            const std::int32_t b = i < below ? 0 : i < known ? 1 : missing;
            if (parting.in_two)
                block.right[row_of(list[i])] = static_cast<std::uint8_t>(b);
            else
                block.branch[row_of(list[i])] = static_cast<std::uint16_t>(b);
        }
    };
    if (block.is_wide)
        mark(static_cast<Block<std::uint64_t>&>(block));
    else
        mark(static_cast<Block<std::uint32_t>&>(block));
}

// Several cuts of a sorted list.
void Worker::mark_intervals(Open& open, Parting& parting) {
    AnyBlock& block = *open.block;
    const std::vector<std::int32_t>& below = open.best.cuts->below;
    const auto mark = [&](auto& typed) {
        using Entry = typename std::remove_reference_t<decltype(typed)>::EntryType;
        const Entry* list = typed.list(open.best.column) + open.begin;
        std::int32_t known = open.rows();
        while (known > 0 && rank_of(list[known - 1]) == NO_RANK<Entry>) --known;
        std::vector<std::int64_t> weight(below.size() + 1, 0);
        for (std::int32_t i = 0, b = 0; i < known; ++i) {
            b += static_cast<std::size_t>(b) < below.size() && i == below[b];
            const std::uint32_t row = row_of(list[i]);
            block.branch[row] = static_cast<std::uint16_t>(b);
            weight[b] += block.weights.empty() ? 1 : block.weights[row];
        }
        const std::int32_t missing = larger_branch(open, weight);
        parting.known = weight;
        parting.missing_branch = missing < open.best.n_branches ? missing : -1;
        for (std::int32_t i = known; i < open.rows(); ++i)
            block.branch[row_of(list[i])] = static_cast<std::uint16_t>(missing);
    };
    if (block.is_wide)
        mark(static_cast<Block<std::uint64_t>&>(block));
    else
        mark(static_cast<Block<std::uint32_t>&>(block));
}

void Worker::mark_codes(Open& open, Parting& parting) {
    AnyBlock& block = *open.block;
    const Candidate& best = open.best;
    const std::uint32_t n_codes = job_.columns[best.column].n_codes;
    std::vector<std::int32_t> branch_of;
    if (best.type == Candidate::Type::map) {
        branch_of = best.groups->branch_of;
    } else {
        branch_of.resize(n_codes);
        for (std::uint32_t code = 0; code < n_codes; ++code)
            branch_of[code] = best.cuts ? cuts_below(*best.cuts, job_.columns[best.column], code) : code > best.code;
    }
    const Codes& codes = block.codes[best.column];
    const std::uint32_t* order = block.order.data() + open.begin;
    const auto mark = [&](const auto* code) {
        std::vector<std::int64_t> weight(best.n_branches, 0);
        for (std::int32_t i = 0; i < open.rows(); ++i)
            if (code[order[i]] < n_codes)
                weight[branch_of[code[order[i]]]] += block.weights.empty() ? 1 : block.weights[order[i]];
        const std::int32_t missing = larger_branch(open, weight);
        parting.known = weight;
        parting.missing_branch = missing < best.n_branches ? missing : -1;
        branch_of.push_back(missing);
        for (std::int32_t i = 0; i < open.rows(); ++i) {
            const std::int32_t b = branch_of[code[order[i]]];
            if (parting.in_two)
                block.right[order[i]] = static_cast<std::uint8_t>(b);
            else
                block.branch[order[i]] = static_cast<std::uint16_t>(b);
        }
    };
    if (block.is_sparse[best.column])
        mark(unpacked(open));
    else
        with_codes(codes, mark);
}

// The codes of a node's rows in the sparse column that is split.
const std::uint16_t* Worker::unpacked(const Open& open) {
    AnyBlock& block = *open.block;
    const std::int32_t column = open.best.column;
    const Span span = open.spans[std::find(open.active.begin(), open.active.end(), column) - open.active.begin()];
    std::vector<std::uint16_t>& codes = scratch_.unpacked;
    if (codes.size() < static_cast<std::size_t>(block.n_rows)) codes.resize(block.n_rows);
    const auto common = static_cast<std::uint16_t>(job_.columns[column].common);
    for (std::int32_t i = open.begin; i < open.end; ++i) codes[block.order[i]] = common;
    const auto unpack = [&](auto& typed) {
        for (std::int32_t i = span.begin; i < span.end; ++i)
            codes[row_of(typed.list(column)[i])] = static_cast<std::uint16_t>(rank_of(typed.list(column)[i]));
    };
    if (block.is_wide)
        unpack(static_cast<Block<std::uint64_t>&>(block));
    else
        unpack(static_cast<Block<std::uint32_t>&>(block));
    return codes.data();
}

}  // namespace hornbeam
