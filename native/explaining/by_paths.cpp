// The path-dependent game for many rows in parallel. See game.hpp.
//
// On the way down, the product of p_j(t) over the columns on the path is computed for every point t and row; on the way
// up, the sum of leaf value times product. At an edge of column j the contribution of j from all leaves below is
//
//     weight * (onward_j - fraction_j) / p_j(t) * sum,     minus the same of the previous edge of column j on the path
//
// because of all questions about j on a path the last one has the merged fractions. A row is onward (1) or not (0) at
// an edge, so p_j and its coefficient have two values per edge and point, and a step selects one of three factors. Rows
// that are distributed, and trees with questions about several columns, are computed leaf by leaf (row_game.cpp).
#include <algorithm>

#include "core/portable.hpp"
#include "explaining/game.hpp"

namespace hornbeam {
namespace {

constexpr int ROWS = 64;                     // rows of a block, processed in parallel
constexpr std::int64_t ROWS_PER_TASK = 256;  // each tree is read once per task

// Four rows in one register. A mask is all ones or all zeros per row.
constexpr int LANES = 4;
using Four = LanesOf<double, LANES>;
using Mask = LanesOf<std::int64_t, LANES>;

[[gnu::always_inline]] inline void add_to(double* to, const Four& more) {
    Four sum;
    load_lanes(sum, to);
    sum += more;
    store_lanes(to, sum);
}

// The numbers of one edge, one per point: factors of the products if the row is onward, and if it was onward above this
// edge only; one factor for all points if it was not onward before; and the coefficients of the sums in the first two
// cases.
struct Edge {
    const double *onward, *fallen;
    double fraction;
    const double *kept, *lost;
};

// An edge at the rows of a block: which of them were on the path before it, and which still are.
struct EdgeRows {
    const std::int64_t *was, *is;
    std::size_t n_points;
    const Edge& edge;
};

// The products one edge further down.
HORNBEAM_CLONES void go_down(const double* above, const EdgeRows& rows, double* below) {
    const auto& [was, is, n_points, edge] = rows;
    for (int b = 0; b < ROWS; b += LANES) {
        Mask before, now;
        load_lanes(before, was + b);
        load_lanes(now, is + b);
        const Four none = edge.fraction - Four{};
        for (std::size_t q = 0; q < n_points; ++q) {
            const Four onward = edge.onward[q] - Four{}, fallen = edge.fallen[q] - Four{};
            const std::size_t cell = q * ROWS + static_cast<std::size_t>(b);
            const Four factor = HORNBEAM_SELECT(now, onward, HORNBEAM_SELECT(before, fallen, none));
            Four product;
            load_lanes(product, above + cell);
            product *= factor;
            store_lanes(below + cell, product);
        }
    }
}

// Adds to the gain of an edge's column from the sums of all leaves below, and adds the sums to those one edge up.
HORNBEAM_CLONES void come_up(const double* sums, const EdgeRows& rows, double* above, double* gain) {
    const auto& [was, is, n_points, edge] = rows;
    for (int b = 0; b < ROWS; b += LANES) {
        Mask before, now;
        load_lanes(before, was + b);
        load_lanes(now, is + b);
        const Four none{};
        Four total{};
        for (std::size_t q = 0; q < n_points; ++q) {
            const Four kept = edge.kept[q] - Four{}, lost = edge.lost[q] - Four{};
            const std::size_t cell = q * ROWS + static_cast<std::size_t>(b);
            Four sum;
            load_lanes(sum, sums + cell);
            add_to(above + cell, sum);
            total += sum * HORNBEAM_SELECT(now, kept, HORNBEAM_SELECT(before, lost, none));
        }
        add_to(gain + b, total);
    }
}

// Both steps at once for an edge to a leaf with one value.
HORNBEAM_CLONES void touch_leaf(const double* above, const EdgeRows& rows, double value, double* sums, double* gain) {
    const auto& [was, is, n_points, edge] = rows;
    for (int b = 0; b < ROWS; b += LANES) {
        Mask before, now;
        load_lanes(before, was + b);
        load_lanes(now, is + b);
        const Four none{}, fraction = edge.fraction - Four{}, leaf_value = value - Four{};
        Four total{};
        for (std::size_t q = 0; q < n_points; ++q) {
            const Four onward = edge.onward[q] - Four{}, fallen = edge.fallen[q] - Four{};
            const Four kept = edge.kept[q] - Four{}, lost = edge.lost[q] - Four{};
            const std::size_t cell = q * ROWS + static_cast<std::size_t>(b);
            const Four factor = HORNBEAM_SELECT(now, onward, HORNBEAM_SELECT(before, fallen, fraction));
            Four sum;
            load_lanes(sum, above + cell);
            sum = sum * factor * leaf_value;
            add_to(sums + cell, sum);
            total += sum * HORNBEAM_SELECT(now, kept, HORNBEAM_SELECT(before, lost, none));
        }
        add_to(gain + b, total);
    }
}

// The same for a leaf with several values; one sum per value.
HORNBEAM_CLONES void touch_wide_leaf(const double* above, const EdgeRows& rows, const double* values, std::size_t width,
                                     double* sums, double* gain) {
    const auto& [was, is, n_points, edge] = rows;
    for (int b = 0; b < ROWS; b += LANES) {
        Mask before, now;
        load_lanes(before, was + b);
        load_lanes(now, is + b);
        const Four none{}, fraction = edge.fraction - Four{};
        Four total{};
        for (std::size_t q = 0; q < n_points; ++q) {
            const Four onward = edge.onward[q] - Four{}, fallen = edge.fallen[q] - Four{};
            const Four kept = edge.kept[q] - Four{}, lost = edge.lost[q] - Four{};
            const std::size_t cell = q * ROWS + static_cast<std::size_t>(b);
            Four product;
            load_lanes(product, above + cell);
            product *= HORNBEAM_SELECT(now, onward, HORNBEAM_SELECT(before, fallen, fraction));
            total += product * HORNBEAM_SELECT(now, kept, HORNBEAM_SELECT(before, lost, none));
            for (std::size_t k = 0; k < width; ++k) add_to(sums + k * n_points * ROWS + cell, product * values[k]);
        }
        for (std::size_t k = 0; k < width; ++k)
            add_to(gain + k * ROWS + static_cast<std::size_t>(b), total * values[k]);
    }
}

// The branch of each row at a node that tests one cut; a missing value takes the branch `missing`.
HORNBEAM_CLONES void cut_branches(const double* numbers, double cut, double missing, double* branch) {
    for (int b = 0; b < ROWS; ++b) {
        const double x = numbers[b];
        branch[b] = x > cut ? 1.0 : x <= cut ? 0.0 : missing;
    }
}

HORNBEAM_CLONES void stay_on(const double* branches, double branch, const std::int64_t* was, std::int64_t* is) {
    for (int b = 0; b < ROWS; b += LANES) {
        Four taken;
        Mask before;
        load_lanes(taken, branches + b);
        load_lanes(before, was + b);
        store_lanes(is + b, (taken == branch - Four{}) & before);
    }
}

// The scratch memory of one thread, and the loop over one tree for one block of rows.
class Block {
  public:
    // The gains of all columns for ROWS rows from `row` on (the first `count` are real): gains[(column, output), row].
    void add(const ExplainedTree& tree, std::int64_t row, int count, double* gains, std::uint8_t* is_deferred);

  private:
    // A level of the stack: its node and the state of the node's column before any of its edges.
    struct Level {
        std::int32_t node = 0, edge = 0, player = 0;
        double fraction = 1.0;
    };
    void find_branches(const ExplainedTree& tree, std::int64_t row, int count, std::uint8_t* is_deferred);
    void factors(const ExplainedTree& tree, double fraction);
    void leave(std::size_t level);

    double* products(std::size_t level) { return product_.data() + level * n_points_ * ROWS; }
    double* sums(std::size_t level) { return sum_.data() + level * n_points_ * ROWS * width_; }
    double* branches(std::size_t level) { return branch_.data() + level * ROWS; }
    std::int64_t* before(std::size_t level) { return before_.data() + level * ROWS; }
    double* saved(std::size_t level) { return saved_.data() + level * 4 * n_points_; }
    void reserve_levels();

    std::size_t n_points_ = 0, width_ = 0;
    std::vector<Level> stack_;
    std::vector<double> product_, sum_, branch_, saved_;
    std::vector<std::int64_t> before_, now_on_;          // masks: one per level and row; one per column and row
    std::vector<double> now_fraction_;                   // one per column
    std::vector<double> now_inverse_, now_coefficient_;  // per column and point: 1 / p, weight (1 - fraction) / p
    std::vector<double> onward_, fallen_, kept_, lost_;  // one per point, of the current edge
};

void Block::reserve_levels() {
    const std::size_t levels = stack_.size() + 1;
    if (before_.size() >= levels * ROWS) return;
    const std::size_t capacity = levels + levels / 2 + 8;
    product_.resize(capacity * n_points_ * ROWS);
    sum_.resize(capacity * n_points_ * ROWS * width_);
    branch_.resize(capacity * ROWS);
    before_.resize(capacity * ROWS);
    saved_.resize(capacity * 4 * n_points_);
}

// The edge that each row takes at the node on top. Padding rows copy the first row.
void Block::find_branches(const ExplainedTree& tree, std::int64_t row, int count, std::uint8_t* is_deferred) {
    const std::size_t level = stack_.size() - 1;
    const Game& game = *tree.game;
    const std::int32_t node = stack_[level].node;
    double* branch = branches(level);
    const SingleCut single = game.walker().nodes().single_cut(node);
    if (single.column >= 0 && count == ROWS) {
        cut_branches(tree.columns[single.column].numbers + row, single.cut, single.missing, branch);
        bool is_complete = true;
        for (int b = 0; b < ROWS; ++b) is_complete = is_complete && branch[b] >= 0.0;
        if (is_complete) return;
    }
    for (int b = 0; b < ROWS; ++b) {
        if (b >= count) {
            branch[b] = branch[0];
            continue;
        }
        const std::int32_t edge = game.edge_of(node, game.walker().nodes().step(node, tree.columns.data(), row + b));
        is_deferred[b] |= edge == ALL_BRANCHES ? 1 : 0;
        branch[b] = edge;
    }
}

// The factors and coefficients of an edge of the node on top.
void Block::factors(const ExplainedTree& tree, double fraction) {
    const Level& level = stack_.back();
    const std::size_t first = at(level.player) * n_points_;
    const double merged = level.fraction * fraction;
    const double* inverse = saved(stack_.size() - 1);
    const double* coefficient = inverse + n_points_;
    for (std::size_t q = 0; q < n_points_; ++q) {
        const double t = tree.points.at[q], rest = 1.0 - t, weight = tree.points.weight[q];
        const double p = merged * rest + t;
        onward_[q] = p * inverse[q];
        fallen_[q] = merged * rest * inverse[q];
        now_inverse_[first + q] = 1.0 / p;
        now_coefficient_[first + q] = weight * (1.0 - merged) / p;
        kept_[q] = now_coefficient_[first + q] - coefficient[q];
        lost_[q] = -weight / rest - coefficient[q];
    }
    now_fraction_[level.player] = merged;
}

void Block::add(const ExplainedTree& tree, std::int64_t row, int count, double* gains, std::uint8_t* is_deferred) {
    const Game& game = *tree.game;
    if (game.is_leaf(0) || game.width == 0) return;
    n_points_ = tree.points.at.size();
    width_ = at(game.width);
    before_.clear();
    const std::size_t columns = at(game.n_columns);
    now_fraction_.assign(columns, 1.0);
    now_on_.assign(columns * ROWS, -1);
    now_inverse_.assign(columns * n_points_, 1.0);
    now_coefficient_.assign(columns * n_points_, 0.0);
    for (auto* each : {&onward_, &fallen_, &kept_, &lost_}) each->resize(n_points_);
    stack_.clear();

    auto enter = [&](std::int32_t node) {
        reserve_levels();
        const std::int32_t player = game.player(node);
        stack_.push_back({node, game.edge_start[node], player, now_fraction_[player]});
        const std::size_t level = stack_.size() - 1;
        std::copy_n(now_on_.data() + at(player) * ROWS, ROWS, before(level));
        std::copy_n(now_inverse_.data() + at(player) * n_points_, n_points_, saved(level));
        std::copy_n(now_coefficient_.data() + at(player) * n_points_, n_points_, saved(level) + n_points_);
        std::fill_n(sums(level), n_points_ * ROWS * width_, 0.0);
        find_branches(tree, row, count, is_deferred);
    };
    reserve_levels();
    std::fill_n(products(0), n_points_ * ROWS, 1.0);
    enter(0);
    for (;;) {
        const std::size_t level = stack_.size() - 1;
        Level& top = stack_[level];
        std::int64_t* on = now_on_.data() + at(top.player) * ROWS;
        if (top.edge == game.edge_start[at(top.node) + 1]) {
            leave(level);
            if (level == 0) return;
            const std::size_t above = level - 1;
            const Level& up = stack_[above];
            const double* kept = saved(above) + 2 * n_points_;
            const Edge edge{nullptr, nullptr, 0.0, kept, kept + n_points_};
            for (std::size_t k = 0; k < width_; ++k) {
                const std::size_t part = k * n_points_ * ROWS;
                double* gain = gains + (at(up.player) * at(game.n_outputs) + at(game.output) + k) * ROWS;
                come_up(sums(level) + part, {before(above), now_on_.data() + at(up.player) * ROWS, n_points_, edge},
                        sums(above) + part, gain);
            }
            continue;
        }
        const std::int32_t index = top.edge++;
        stay_on(branches(level), index - game.edge_start[top.node], before(level), on);
        factors(tree, game.fraction[index]);
        const Edge edge{onward_.data(), fallen_.data(), game.fraction[index], kept_.data(), lost_.data()};
        const std::int32_t below = game.child[index];
        double* gain = gains + (at(top.player) * at(game.n_outputs) + at(game.output)) * ROWS;
        if (!game.is_leaf(below)) {
            std::copy_n(kept_.data(), n_points_, saved(level) + 2 * n_points_);
            std::copy_n(lost_.data(), n_points_, saved(level) + 3 * n_points_);
            reserve_levels();
            go_down(products(level), {before(level), on, n_points_, edge}, products(level + 1));
            enter(below);
        } else if (width_ == 1) {
            touch_leaf(products(level), {before(level), on, n_points_, edge}, *game.value(below), sums(level), gain);
        } else {
            touch_wide_leaf(products(level), {before(level), on, n_points_, edge}, game.value(below), width_,
                            sums(level), gain);
        }
    }
}

// Restores the state of the column of the top node to that above the node.
void Block::leave(std::size_t level) {
    check_stop(ROWS);
    const Level& top = stack_[level];
    std::copy_n(before(level), ROWS, now_on_.data() + at(top.player) * ROWS);
    std::copy_n(saved(level), n_points_, now_inverse_.data() + at(top.player) * n_points_);
    std::copy_n(saved(level) + n_points_, n_points_, now_coefficient_.data() + at(top.player) * n_points_);
    now_fraction_[top.player] = top.fraction;
    stack_.pop_back();
}

}  // namespace

void explain_by_paths(std::span<const ExplainedTree> trees, std::int64_t n_rows, int threads, Stop& stop, double* out) {
    if (trees.empty() || n_rows == 0) return;
    const Game& any = *trees.front().game;
    const std::size_t cells = at(any.n_columns) * at(any.n_outputs);
    const std::int64_t size = std::min(ROWS_PER_TASK, std::max<std::int64_t>(ROWS, (n_rows / 8) / ROWS * ROWS));
    in_ranges({n_rows, size, ROWS}, threads, stop, [&](std::int64_t begin, std::int64_t end, int) {
        Block block;
        RowGame row_game;
        std::vector<double> gains;
        const std::int64_t n_blocks = (end - begin + ROWS - 1) / ROWS;
        gains.assign(at(n_blocks) * cells * ROWS, 0.0);
        std::vector<double> block_gains(cells * ROWS);
        for (const ExplainedTree& tree : trees) {
            for (std::int64_t i = 0; i < n_blocks && !stop.is_requested(); ++i) {
                const std::int64_t row = begin + i * ROWS;
                const int count = static_cast<int>(std::min<std::int64_t>(ROWS, end - row));
                double* to = gains.data() + at(i) * cells * ROWS;
                std::uint8_t is_deferred[ROWS] = {};
                if (!tree.game->is_simple()) {
                    std::fill_n(is_deferred, ROWS, std::uint8_t{1});
                } else if (!tree.game->may_distribute()) {
                    block.add(tree, row, count, to, is_deferred);
                    continue;
                } else {
                    // A separate buffer until it is known which rows are deferred: these are computed again, leaf by
                    // leaf.
                    std::fill(block_gains.begin(), block_gains.end(), 0.0);
                    block.add(tree, row, count, block_gains.data(), is_deferred);
                    for (std::size_t c = 0; c < cells * ROWS; ++c)
                        to[c] += is_deferred[c % ROWS] != 0 ? 0.0 : block_gains[c];
                }
                for (int b = 0; b < count; ++b) {
                    if (is_deferred[b] != 0) row_game.add(tree, row + b, out + at(row + b) * cells);
                }
            }
        }
        for (std::int64_t row = begin; row < end; ++row) {
            const double* from = gains.data() + at((row - begin) / ROWS) * cells * ROWS + (row - begin) % ROWS;
            for (std::size_t c = 0; c < cells; ++c) out[at(row) * cells + c] += from[c * ROWS];
        }
    });
}

}  // namespace hornbeam
