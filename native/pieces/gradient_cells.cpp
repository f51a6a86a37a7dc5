// The sums per code of the rows of a node: blocks of rows whose gradients stay in the cache, four columns at a time.
#include <algorithm>

#include "core/stop.hpp"
#include "pieces/boosted_piece.hpp"

namespace hornbeam {
namespace {

constexpr std::int32_t PAIR_BLOCK = 1024;
constexpr int COLUMNS_AT_ONCE = 4;

// Some rows of a node with their gradients.
struct RowBlock {
    std::int32_t n = 0;
    const std::uint32_t* rows = nullptr;
    Pair pairs[PAIR_BLOCK];
};

template <int Columns>
void add_pairs(const RowBlock& block, const std::uint8_t* const* codes, std::int64_t* const* cells) {
    const std::uint8_t *a = codes[0], *b = codes[1], *c = codes[2], *d = codes[3];
    std::int64_t *at_a = cells[0], *at_b = cells[1], *at_c = cells[2], *at_d = cells[3];
    const std::uint32_t* rows = block.rows;
    for (std::int32_t i = 0; i < block.n; ++i) {
        const std::uint32_t row = rows[i];
        TwoSums step;
        load_lanes(step, block.pairs + i);
        add_two(at_a, a[row], step);
        if constexpr (Columns > 1) add_two(at_b, b[row], step);
        if constexpr (Columns > 2) add_two(at_c, c[row], step);
        if constexpr (Columns > 3) add_two(at_d, d[row], step);
    }
}

void add_wide_pairs(const RowBlock& block, const std::uint16_t* codes, std::int64_t* cells) {
    for (std::int32_t i = 0; i < block.n; ++i) {
        TwoSums step;
        load_lanes(step, block.pairs + i);
        add_two(cells, codes[block.rows[i]], step);
    }
}

// Adds the rows of a node to its cells.
void add_node(const BoostedRows& piece, const std::vector<std::uint32_t>& n_codes, std::span<const std::uint32_t> rows,
              std::span<const std::int32_t> columns, std::int64_t* cells) {
    RowBlock block;
    for (; !rows.empty(); rows = rows.subspan(static_cast<std::size_t>(block.n))) {
        block.n = static_cast<std::int32_t>(std::min<std::size_t>(rows.size(), PAIR_BLOCK));
        block.rows = rows.data();
        for (std::int32_t i = 0; i < block.n; ++i) block.pairs[i] = piece.pairs[rows[i]];
        const std::uint8_t* codes[COLUMNS_AT_ONCE] = {};
        std::int64_t* to[COLUMNS_AT_ONCE] = {};
        int n = 0;
        const auto add = [&] {
            if (n == 1) add_pairs<1>(block, codes, to);
            if (n == 2) add_pairs<2>(block, codes, to);
            if (n == 3) add_pairs<3>(block, codes, to);
            if (n == 4) add_pairs<4>(block, codes, to);
            n = 0;
        };
        std::int64_t* next = cells;
        for (const std::int32_t column : columns) {
            if (const PieceCodes& of = piece.codes[column]; of.narrow) {
                codes[n] = of.narrow;
                to[n] = next;
                if (++n == COLUMNS_AT_ONCE) add();
            } else {
                add_wide_pairs(block, of.wide, next);
            }
            next += 2 * (n_codes[column] + std::size_t{1});
        }
        add();
        check_stop(static_cast<std::int64_t>(block.n) * static_cast<std::int64_t>(columns.size()));
    }
}

}  // namespace

std::size_t BoostedPiece::cells_per_node(std::span<const std::int32_t> columns) const {
    std::size_t size = 0;
    for (const std::int32_t column : columns) {
        if (column < 0 || column >= std::ssize(settings_.n_codes))
            throw std::invalid_argument("A column of the request does not exist.");
        size += 2 * (settings_.n_codes[column] + std::size_t{1});
    }
    return size;
}

void BoostedPiece::add_cells(const CodedTree& tree, std::span<const std::int32_t> nodes,
                             std::span<const std::int32_t> columns, std::int64_t* cells) {
    node_rows_.divide(tree, rows_.codes, settings_.n_codes);
    const std::size_t size = cells_per_node(columns);
    for (std::size_t place = 0; place < nodes.size(); ++place)
        add_node(rows_, settings_.n_codes, node_rows_.rows_of(nodes[place]), columns, cells + place * size);
}

}  // namespace hornbeam
