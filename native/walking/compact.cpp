// Builds and walks the tree of compact.hpp.
#include "walking/compact.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/portable.hpp"

namespace hornbeam {
namespace {

constexpr std::int32_t MAX_MASK_LEVELS = 62;

}  // namespace

CompactTree::CompactTree(const NodeTable& table) {
    const auto n = static_cast<std::int32_t>(table.size());
    if (n == 1) return;
    nodes_.resize(table.size());
    unseen_.assign(table.size(), 0);
    uses_.assign(table.questions().columns().size(), 0);
    for (std::int32_t node = 0; node < n; ++node) {
        if (table.first_child(node) < 0) {
            const double never = std::numeric_limits<double>::infinity();
            // A leaf reads the column of the root, which always exists, and never goes right.
            const std::int32_t column = (nodes_[0].column < 0 ? ~nodes_[0].column : nodes_[0].column) & ~1;
            nodes_[node] = {std::bit_cast<std::uint64_t>(never), column, node};
        } else if (!add(table, node)) {
            nodes_.clear();
            return;
        }
    }
}

bool CompactTree::add(const NodeTable& table, std::int32_t node) {
    const QuestionTable& questions = table.questions();
    const EncodedQuestion& q = questions[table.question(node)];
    if (table.n_branches(node) != 2) return false;
    if (q.encoding != Encoding::cuts && q.encoding != Encoding::map) return false;
    uses_[q.column] = 1;
    CompactNode& to = nodes_[node];
    const std::int32_t levels = questions.n_levels()[q.column];
    if (levels == 0) {
        if (q.n_reals != 1 || q.first != 0) return false;
        const std::int32_t missing = table.direct_branch(node, q.missing_answer);
        takes_missing_ = takes_missing_ && missing >= 0;
        to = {std::bit_cast<std::uint64_t>(*questions.reals_of(q)), 2 * q.column + (missing == 1 ? 1 : 0),
              table.first_child(node)};
        return true;
    }
    if (levels > MAX_MASK_LEVELS) return false;
    has_masks_ = true;
    bool is_possible = true;
    to = {mask_of(table, node, is_possible), ~(2 * q.column), table.first_child(node)};
    return is_possible;
}

// The mask of the levels that go right; impossible if the branch of a known level depends on other columns.
std::uint64_t CompactTree::mask_of(const NodeTable& table, std::int32_t node, bool& is_possible) {
    const EncodedQuestion& q = table.questions()[table.question(node)];
    const std::int32_t levels = table.questions().n_levels()[q.column];
    std::uint64_t right = 0;
    for (std::int32_t code = UNSEEN_CODE; code < levels; ++code) {
        const std::int32_t outcome = table.questions().outcome_of(q, WalkColumn{nullptr, &code}, 0);
        const std::int32_t branch = table.direct_branch(node, outcome);
        const std::uint64_t bit = std::uint64_t{1} << (code + 2);
        if (outcome == UNSEEN_LEVEL) unseen_[node] |= bit;
        if (branch < 0 && code >= 0) is_possible = false;
        if (branch < 0) takes_missing_ = false;
        if (branch == 1) right |= bit;
    }
    return right;
}

// Walks eight rows in parallel, so that their memory accesses overlap; a row that reaches its leaf is replaced by the
// next one. Careful: some node has no fixed branch for missing or unseen values, so rows with such values are marked in
// `deferred`.
template <bool Masks, bool Careful, bool Flags, class Cell>
void CompactTree::loop(const Cell& cell, std::int64_t count, std::int32_t* nodes, std::uint8_t* has_unseen,
                       std::uint8_t* deferred) const {
    constexpr std::int32_t LANES = 8;
    const CompactNode* tree = nodes_.data();
    const auto n_rows = static_cast<std::int32_t>(count);
    std::int32_t rows[LANES];
    std::int32_t at[LANES] = {};
    if constexpr (Flags) std::fill_n(has_unseen, static_cast<std::size_t>(count), std::uint8_t{0});
    // Moves one row by one step; returns whether it moved.
    auto moved = [&](std::int32_t lane) {
        const std::int32_t row = rows[lane];
        const CompactNode node = tree[at[lane]];
        const bool is_mask = Masks && node.column < 0;
        const auto column = static_cast<std::uint32_t>(is_mask ? ~node.column : node.column);
        const double x = cell(column >> 1, row);
        const std::uint32_t is_nan = x != x ? 1 : 0;
        std::uint32_t right = (x > std::bit_cast<double>(node.test) ? 1u : 0u) | (column & is_nan);
        if constexpr (Careful) deferred[row] |= static_cast<std::uint8_t>(is_nan);
        if constexpr (Masks) {
            const auto bit = static_cast<unsigned>(static_cast<std::int32_t>(is_mask ? x : 0.0) + 2);
            right = is_mask ? static_cast<std::uint32_t>(node.test >> bit) & 1 : right;
            if constexpr (Careful) deferred[row] |= bit < 2 ? 1 : 0;
            if constexpr (Flags) has_unseen[row] |= (unseen_[at[lane]] >> bit) & 1;
        }
        const std::int32_t next = node.child + static_cast<std::int32_t>(right);
        const bool is_under_way = next != at[lane];
        at[lane] = next;
        return is_under_way;
    };
    std::int32_t waiting = std::min(n_rows, LANES);
    const std::int32_t lanes = waiting;
    for (std::int32_t lane = 0; lane < lanes; ++lane) rows[lane] = lane;
    while (waiting < n_rows) {
        for (std::int32_t lane = 0; lane < LANES; ++lane) {
            if (moved(lane)) [[likely]]
                continue;
            nodes[rows[lane]] = at[lane];
            // If no row is left while other lanes of this round are still busy, the lane repeats the last row.
            rows[lane] = std::min(waiting++, n_rows - 1);
            at[lane] = 0;
        }
    }
    for (std::int32_t lane = 0; lane < lanes; ++lane) {
        while (moved(lane)) {
        }
        nodes[rows[lane]] = at[lane];
    }
}

bool CompactTree::walk(const WalkColumn* columns, std::int64_t begin, std::int64_t end, Scratch& scratch,
                       std::int32_t* nodes, std::uint8_t* has_unseen) const {
    const std::int64_t count = end - begin;
    scratch.base.assign(uses_.size(), nullptr);
    scratch.codes.resize(has_masks_ ? static_cast<std::size_t>(count) * uses_.size() : 0);
    scratch.deferred.assign(static_cast<std::size_t>(count), 0);
    for (std::size_t c = 0; c < uses_.size(); ++c) {
        if (!uses_[c]) continue;
        if (columns[c].numbers != nullptr) {
            scratch.base[c] = columns[c].numbers + begin;
            // Rows switch between columns too irregularly for the hardware prefetcher, so the block is prefetched.
            for (std::int64_t i = 0; i < count; i += 8) prefetch(scratch.base[c] + i);
            continue;
        }
        double* to = scratch.codes.data() + static_cast<std::int64_t>(c) * count;
        const std::int32_t* codes = columns[c].codes + begin;
        for (std::int64_t i = 0; i < count; ++i) to[i] = codes[i];
        scratch.base[c] = to;
    }
    const bool flags = has_unseen != nullptr && has_masks_;
    auto run = [&]<bool Masks, bool Careful, bool Flags>() {
        const double* const* base = scratch.base.data();
        const auto cell = [base](std::uint32_t column, std::int32_t row) { return base[column][row]; };
        loop<Masks, Careful, Flags>(cell, count, nodes + begin, flags ? has_unseen + begin : nullptr,
                                    scratch.deferred.data());
    };
    const bool careful = !takes_missing_;
    if (!has_masks_) {
        careful ? run.template operator()<false, true, false>() : run.template operator()<false, false, false>();
        if (has_unseen != nullptr) std::fill_n(has_unseen + begin, static_cast<std::size_t>(count), std::uint8_t{0});
    } else if (flags) {
        careful ? run.template operator()<true, true, true>() : run.template operator()<true, false, true>();
    } else {
        careful ? run.template operator()<true, true, false>() : run.template operator()<true, false, false>();
    }
    return careful;
}

template <class T>
void CompactTree::walk_matrix(const T* rows, std::int64_t n_rows, std::int64_t width, const std::int32_t* index,
                              std::int32_t* nodes) const {
    const auto cell = [=](std::uint32_t column, std::int32_t row) {
        return static_cast<double>(rows[row * width + index[column]]);
    };
    loop<false, false, false>(cell, n_rows, nodes, nullptr, nullptr);
}

template void CompactTree::walk_matrix(const float*, std::int64_t, std::int64_t, const std::int32_t*,
                                       std::int32_t*) const;
template void CompactTree::walk_matrix(const double*, std::int64_t, std::int64_t, const std::int32_t*,
                                       std::int32_t*) const;

}  // namespace hornbeam
