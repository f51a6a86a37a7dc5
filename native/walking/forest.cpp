// Walks the trees of forest.hpp; forest_layout.cpp builds the layout.
#include "walking/forest.hpp"

#include <algorithm>
#include <cmath>

namespace hornbeam {
namespace {

constexpr std::int64_t SMALL_BLOCK = 512;     // rows per block if the trees fit in the cache: L1 holds the codes
constexpr std::int64_t LARGE_BLOCK = 16384;   // rows per block otherwise: each tree is loaded once per block
constexpr std::size_t CACHE_BYTES = 1 << 20;  // trees of up to this size stay in the cache from block to block
constexpr std::int64_t MAX_SERIAL_ROWS = 64;  // up to here, waking threads costs more than walking

// The number of cuts below x, for sixteen x in parallel: all searches take the same steps, so they overlap, and no
// branch depends on the data.
constexpr std::int64_t PARALLEL_ROWS = 16;
constexpr std::int64_t MAX_SEQUENTIAL = 4;  // up to this many values are searched one by one

template <class Code>
void count_below(const std::vector<double>& cuts, const double* x, Code* out) {
    const double* const all = cuts.data();
    std::int32_t at[PARALLEL_ROWS] = {};
    auto left = static_cast<std::int32_t>(cuts.size());
    while (left > 1) {
        const std::int32_t half = left / 2;
        for (std::int64_t i = 0; i < PARALLEL_ROWS; ++i)
            at[i] += half & -static_cast<std::int32_t>(all[at[i] + half - 1] < x[i]);
        left -= half;
    }
    for (std::int64_t i = 0; i < PARALLEL_ROWS; ++i) out[i] = static_cast<Code>(at[i] + (all[at[i]] < x[i] ? 1 : 0));
}

template <class Code>
void count_all_below(const std::vector<double>& cuts, const double* x, std::int64_t n, Code* out) {
    std::int64_t at = 0;
    for (; at + PARALLEL_ROWS <= n; at += PARALLEL_ROWS) count_below(cuts, x + at, out + at);
    if (n - at <= MAX_SEQUENTIAL) {
        for (; at < n; ++at)
            out[at] = static_cast<Code>(std::lower_bound(cuts.begin(), cuts.end(), x[at]) - cuts.begin());
        return;
    }
    double rest[PARALLEL_ROWS] = {};
    Code codes[PARALLEL_ROWS];
    std::copy(x + at, x + n, rest);
    count_below(cuts, rest, codes);
    std::copy_n(codes, n - at, out + at);
}

// Scratch memory of one thread.
struct Scratch {
    // Of the block, column by column; columns with missing values twice: missing below and above all cuts.
    std::vector<std::uint64_t> codes;
    std::vector<const void*> base;  // two pointers per column in use: missing goes left, missing goes right
    std::vector<std::int32_t> nodes;
    std::vector<std::uint8_t> unseen_flag;
    std::vector<WalkColumn> own;  // the columns of one tree
    std::vector<std::int64_t> rows;
    std::vector<std::int32_t> starts;
    std::vector<double> mixed;
};

// A block of rows of the columns of the table.
struct RowBlock {
    std::span<const WalkColumn> columns;
    std::int64_t begin, count;
};

// Converts the values of the block to codes. Returns whether some value is missing or unseen.
template <class Code>
bool fill_codes(const ForestLayout& layout, const RowBlock& block, Scratch& scratch) {
    const auto [columns, begin, count] = block;
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Code);
    scratch.codes.resize((2 * layout.used.size() * bytes + 7) / 8);
    scratch.base.resize(2 * layout.used.size());
    auto* to = reinterpret_cast<Code*>(scratch.codes.data());
    bool is_any = false;
    for (std::size_t index = 0; index < layout.used.size(); ++index) {
        const WalkColumn& column = columns[layout.used[index]];
        scratch.base[2 * index] = scratch.base[2 * index + 1] = to;
        bool is_missing = false;
        if (column.numbers != nullptr) {
            const double* x = column.numbers + begin;
            if (layout.cuts[index].empty())
                std::fill_n(to, count, Code{0});
            else
                count_all_below(layout.cuts[index], x, count, to);
            for (std::int64_t i = 0; i < count; ++i) is_missing |= std::isnan(x[i]);
            if (is_missing) {
                Code* high = to + count;
                std::copy_n(to, count, high);
                for (std::int64_t i = 0; i < count; ++i) {
                    if (!std::isnan(x[i])) continue;
                    to[i] = 0;
                    high[i] = NEVER<Code>;
                }
                scratch.base[2 * index + 1] = high;
                to = high;
            }
        } else {
            // The bit of a level in the masks: 0 unseen, 1 missing, then the levels.
            const std::int32_t* codes = column.codes + begin;
            for (std::int64_t i = 0; i < count; ++i) {
                to[i] = static_cast<Code>(codes[i] + 2);
                is_missing |= codes[i] < 0;
            }
        }
        is_any |= is_missing;
        to += count;
    }
    return is_any;
}

// All rows take as many steps as the longest path; a row in a leaf stays there. No branch depends on the data, and
// sixteen rows are walked in parallel.
template <class N, class Code>
void fixed_steps_loop(const N* nodes, const ForestTree& tree, std::int64_t count, Scratch& scratch) {
    const auto* const* base = reinterpret_cast<const Code* const*>(scratch.base.data());
    const N* own = nodes + tree.first;
    std::int32_t* ends = scratch.nodes.data();
    std::int64_t row = 0;
    for (; row + PARALLEL_ROWS <= count; row += PARALLEL_ROWS) {
        std::int32_t at[PARALLEL_ROWS] = {};
        for (std::int32_t step = 0; step < tree.steps; ++step) {
            for (std::int64_t i = 0; i < PARALLEL_ROWS; ++i) {
                const N node = own[at[i]];
                at[i] = node.child + (base[node.column][row + i] > node.code ? 1 : 0);
            }
        }
        std::copy_n(at, PARALLEL_ROWS, ends + row);
    }
    for (; row < count; ++row) {
        std::int32_t at = 0;
        for (std::int32_t step = 0; step < tree.steps; ++step)
            at = own[at].child + (base[own[at].column][row] > own[at].code ? 1 : 0);
        ends[row] = at;
    }
}

// Walks eight rows in parallel, so that their memory accesses overlap; a row that reaches its leaf is replaced by the
// next one.
template <class N, class Code, bool Masks, bool Flags>
void coded_loop(const ForestLayout& layout, const N* nodes, const ForestTree& tree, std::int64_t count,
                Scratch& scratch) {
    constexpr std::int32_t LANES = 8;
    const auto* const* base = reinterpret_cast<const Code* const*>(scratch.base.data());
    const N* own = nodes + tree.first;
    const std::uint64_t* masks = Masks ? layout.masks.data() + tree.first : nullptr;
    const std::uint64_t* unseen = Flags ? layout.unseen.data() + tree.first : nullptr;
    std::int32_t* ends = scratch.nodes.data();
    const auto n_rows = static_cast<std::int32_t>(count);
    std::int32_t rows[LANES], at[LANES] = {};
    const auto moved = [&](std::int32_t lane) {
        const N node = own[at[lane]];
        std::int32_t right;
        if (Masks && (node.column & MASK_BIT<Code>) != 0) {
            const Code code = base[node.column & (MASK_BIT<Code> - 1)][rows[lane]];
            right = static_cast<std::int32_t>(masks[at[lane]] >> code) & 1;
            if constexpr (Flags) scratch.unseen_flag[rows[lane]] |= (unseen[at[lane]] >> code) & 1;
        } else {
            right = base[node.column][rows[lane]] > node.code ? 1 : 0;
        }
        const std::int32_t next = node.child + right;
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
            ends[rows[lane]] = at[lane];
            rows[lane] = std::min(waiting++, n_rows - 1);
            at[lane] = 0;
        }
    }
    for (std::int32_t lane = 0; lane < lanes; ++lane) {
        while (moved(lane)) {
        }
        ends[rows[lane]] = at[lane];
    }
}

template <class N, class Code>
void run_coded(const ForestLayout& layout, const std::vector<N>& nodes, const ForestTree& tree, std::int64_t count,
               Scratch& scratch, bool flags) {
    if (tree.size == 1)
        std::fill_n(scratch.nodes.data(), count, 0);
    else if (!tree.has_masks && tree.steps > 0)
        fixed_steps_loop<N, Code>(nodes.data(), tree, count, scratch);
    else if (!tree.has_masks)
        coded_loop<N, Code, false, false>(layout, nodes.data(), tree, count, scratch);
    else if (flags)
        coded_loop<N, Code, true, true>(layout, nodes.data(), tree, count, scratch);
    else
        coded_loop<N, Code, true, false>(layout, nodes.data(), tree, count, scratch);
}

// Adds the values of the nodes where the rows end.
void add_values(const ForestLayout& layout, const ForestTree& tree, const std::int32_t* nodes, std::int64_t count,
                double* out) {
    if (tree.is_vote) {
        const std::int32_t* labels = layout.labels.data() + tree.values_at;
        for (std::int64_t i = 0; i < count; ++i) out[i * layout.width + labels[nodes[i]]] += tree.weight;
        return;
    }
    const double* values = layout.values.data() + tree.values_at;
    if (tree.per_node == 1) {
        double* to = out + tree.output;
        for (std::int64_t i = 0; i < count; ++i) to[i * layout.width] += values[nodes[i]];
        return;
    }
    const std::int32_t* value_row = layout.value_row.data() + tree.value_row_at;
    if (layout.width == 2) {
        for (std::int64_t i = 0; i < count; ++i) {
            const double* row = values + 2 * static_cast<std::int64_t>(value_row[nodes[i]]);
            out[2 * i] += row[0];
            out[2 * i + 1] += row[1];
        }
    } else {
        for (std::int64_t i = 0; i < count; ++i) {
            const double* row = values + value_row[nodes[i]] * layout.width;
            for (std::int64_t k = 0; k < layout.width; ++k) out[i * layout.width + k] += row[k];
        }
    }
}

// Walks a tree with its own Walker; a fractional row gets the mixture of the values of the leaves that it reaches.
std::int64_t walk_separately(const ForestLayout& layout, const ForestTree& tree, const RowBlock& block,
                             Scratch& scratch, double* out, std::uint8_t* fractional) {
    const auto [columns, begin, count] = block;
    const Walker& walker = *tree.walker;
    scratch.own.clear();
    for (const std::int32_t column : walker.columns()) {
        scratch.own.push_back(columns[column].from(begin));
    }
    // Blocks are small, so this walk uses no other thread.
    Stop stop;
    const std::int64_t rejected =
        walker.walk(scratch.own, count, 1, stop, scratch.nodes.data(), scratch.unseen_flag.data());
    if (rejected >= 0) return begin + rejected;
    scratch.rows.clear();
    scratch.starts.clear();
    for (std::int64_t i = 0; i < count; ++i) {
        if (scratch.nodes[i] >= 0) continue;
        scratch.rows.push_back(i);
        scratch.starts.push_back(~scratch.nodes[i]);
    }
    if (scratch.rows.empty()) {
        add_values(layout, tree, scratch.nodes.data(), count, out);
        return -1;
    }
    scratch.mixed.resize(scratch.rows.size() * static_cast<std::size_t>(tree.per_node));
    mix_values(walker.nodes(), {scratch.own, scratch.rows, scratch.starts.data()},
               {tree.own_values.data(), tree.per_node}, {1, stop}, scratch.mixed.data());
    std::size_t next = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        if (next >= scratch.rows.size() || scratch.rows[next] != i) {
            add_values(layout, tree, scratch.nodes.data() + i, 1, out + i * layout.width);
            continue;
        }
        if (fractional != nullptr) fractional[i] = 1;
        const double* mixture = scratch.mixed.data() + next++ * static_cast<std::size_t>(tree.per_node);
        double* to = out + i * layout.width;
        if (tree.is_vote)
            to[std::max_element(mixture, mixture + layout.width) - mixture] += tree.weight;
        else if (tree.per_node == 1)
            to[tree.output] += tree.weight * mixture[0];
        else
            for (std::int64_t k = 0; k < layout.width; ++k) to[k] += tree.weight * mixture[k];
    }
    return -1;
}

std::int64_t walk_block(const ForestLayout& layout, const RowBlock& block, Scratch& scratch, double* out,
                        RowMarks marks) {
    const std::int64_t count = block.count;
    scratch.nodes.resize(static_cast<std::size_t>(count));
    scratch.unseen_flag.assign(static_cast<std::size_t>(count), 0);
    const bool is_any = layout.is_wide ? fill_codes<std::uint32_t>(layout, block, scratch)
                                       : fill_codes<std::uint16_t>(layout, block, scratch);
    const bool flags = marks.has_unseen != nullptr;
    for (const ForestTree& tree : layout.trees) {
        const bool is_coded = tree.is_coded && (tree.takes_missing || !is_any);
        if (is_coded) {
            if (layout.is_wide)
                run_coded<WideCodedNode, std::uint32_t>(layout, layout.wide, tree, count, scratch, flags);
            else
                run_coded<CodedNode, std::uint16_t>(layout, layout.nodes, tree, count, scratch, flags);
            add_values(layout, tree, scratch.nodes.data(), count, out);
        } else {
            const std::int64_t rejected = walk_separately(layout, tree, block, scratch, out, marks.fractional);
            if (rejected >= 0) return rejected;
        }
        if (flags && (!is_coded || tree.has_masks)) {
            for (std::int64_t i = 0; i < count; ++i) marks.has_unseen[i] |= scratch.unseen_flag[i];
            std::fill(scratch.unseen_flag.begin(), scratch.unseen_flag.end(), std::uint8_t{0});
        }
    }
    return -1;
}

// If all trees fit in the cache, blocks are small; otherwise each tree is loaded for a large block of rows.
std::int64_t block_rows(const ForestLayout& layout, std::int64_t n_rows, int threads) {
    const std::size_t bytes = layout.nodes.size() * sizeof(CodedNode) + layout.wide.size() * sizeof(WideCodedNode) +
                              layout.values.size() * sizeof(double) +
                              (layout.value_row.size() + layout.labels.size()) * sizeof(std::int32_t);
    return bytes <= CACHE_BYTES ? SMALL_BLOCK : std::clamp(n_rows / (4 * threads), SMALL_BLOCK, LARGE_BLOCK);
}

}  // namespace

std::int64_t ForestWalker::add_up(std::span<const WalkColumn> columns, std::int64_t n_rows, Run run, double* out,
                                  RowMarks marks) const {
    FirstRow rejected;
    const std::int64_t size = block_rows(layout_, n_rows, usable_threads(run.threads));
    const auto block = [&](std::int64_t index, Scratch& scratch) {
        const std::int64_t begin = index * size, count = std::min(size, n_rows - begin);
        rejected.add(walk_block(layout_, {columns, begin, count}, scratch, out + begin * width(),
                                {marks.fractional == nullptr ? nullptr : marks.fractional + begin,
                                 marks.has_unseen == nullptr ? nullptr : marks.has_unseen + begin}));
    };
    const std::int64_t blocks = (n_rows + size - 1) / size;
    if (n_rows <= MAX_SERIAL_ROWS) {
        Scratch scratch;
        for (std::int64_t index = 0; index < blocks; ++index) block(index, scratch);
    } else {
        std::vector<Scratch> scratches(static_cast<std::size_t>(usable_threads(run.threads)));
        parallel_for(blocks, run.threads, run.stop,
                     [&](std::int64_t index, int worker) { block(index, scratches[worker]); });
    }
    return rejected.value();
}

}  // namespace hornbeam
