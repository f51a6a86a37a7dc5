// The path-dependent game for many rows at once, sixteen side by side. See game.hpp.
//
// Down the tree goes, for every point t and row, the product of p_j(t) over the columns on the path; up comes the sum
// of leaf value times product. At an edge of column j the column's part of all leaves below is
//
//     weight * (onward_j - share_j) / p_j(t) * sum,     less the same of the edge above that asked j before
//
// since of all questions about j on a path the last one holds the merged shares. A row is onward (1) or not (0) at an
// edge, so p_j and its coefficient take two values an edge and point, and a step is a choice among three factors. Rows
// that are shared out, and trees that ask several columns at once, go leaf by leaf (row_game.cpp).
#include <algorithm>
#include <cmath>

#include "explaining/game.hpp"
#include "searches/cut.hpp"  // HORNBEAM_CLONES

namespace hornbeam {
namespace {

constexpr int kRows = 64;                 // rows side by side
constexpr std::int64_t kRowsATask = 256;  // rows of one task: trees are read once for all of them

// Four rows in one register where there are such registers; may lie anywhere. A mask is all ones or all zeros a row.
constexpr int kLanes = 4;
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef std::int64_t Mask __attribute__((vector_size(32), aligned(8), may_alias));

// The numbers of one edge, one a point: factors of the products where the row is onward, where it no longer is, and
// (one for all points) where it was not before; and the coefficients of the sums for the first two.
struct Edge {
    const double *onward, *fallen;
    double share;
    const double *kept, *lost;
};

// Products one edge further down.
HORNBEAM_CLONES void go_down(const double* above, const std::int64_t* was, const std::int64_t* is, std::size_t n_points,
                             const Edge& edge, double* below) {
    for (int b = 0; b < kRows; b += kLanes) {
        const Mask before = *reinterpret_cast<const Mask*>(was + b), now = *reinterpret_cast<const Mask*>(is + b);
        const Four none = edge.share - Four{};
        for (std::size_t q = 0; q < n_points; ++q) {
            const Four onward = edge.onward[q] - Four{}, fallen = edge.fallen[q] - Four{};
            const std::size_t cell = q * kRows + static_cast<std::size_t>(b);
            const Four factor = now ? onward : before ? fallen : none;
            *reinterpret_cast<Four*>(below + cell) = *reinterpret_cast<const Four*>(above + cell) * factor;
        }
    }
}

// What an edge's column gains by the sums of all leaves below, and the sums one edge further up.
HORNBEAM_CLONES void come_up(const double* sums, const std::int64_t* was, const std::int64_t* is, std::size_t n_points,
                             const Edge& edge, double* above, double* gain) {
    for (int b = 0; b < kRows; b += kLanes) {
        const Mask before = *reinterpret_cast<const Mask*>(was + b), now = *reinterpret_cast<const Mask*>(is + b);
        const Four none{};
        Four total{};
        for (std::size_t q = 0; q < n_points; ++q) {
            const Four kept = edge.kept[q] - Four{}, lost = edge.lost[q] - Four{};
            const std::size_t cell = q * kRows + static_cast<std::size_t>(b);
            const Four sum = *reinterpret_cast<const Four*>(sums + cell);
            *reinterpret_cast<Four*>(above + cell) += sum;
            total += sum * (now ? kept : before ? lost : none);
        }
        *reinterpret_cast<Four*>(gain + b) += total;
    }
}

// Both at once where the edge ends in a leaf that says one number.
HORNBEAM_CLONES void touch_leaf(const double* above, const std::int64_t* was, const std::int64_t* is,
                                std::size_t n_points, const Edge& edge, double value, double* sums, double* gain) {
    for (int b = 0; b < kRows; b += kLanes) {
        const Mask before = *reinterpret_cast<const Mask*>(was + b), now = *reinterpret_cast<const Mask*>(is + b);
        const Four none{}, share = edge.share - Four{}, says = value - Four{};
        Four total{};
        for (std::size_t q = 0; q < n_points; ++q) {
            const Four onward = edge.onward[q] - Four{}, fallen = edge.fallen[q] - Four{};
            const Four kept = edge.kept[q] - Four{}, lost = edge.lost[q] - Four{};
            const std::size_t cell = q * kRows + static_cast<std::size_t>(b);
            const Four factor = now ? onward : before ? fallen : share;
            const Four sum = *reinterpret_cast<const Four*>(above + cell) * factor * says;
            *reinterpret_cast<Four*>(sums + cell) += sum;
            total += sum * (now ? kept : before ? lost : none);
        }
        *reinterpret_cast<Four*>(gain + b) += total;
    }
}

// The same where the leaf says several numbers; a sum for each of them.
HORNBEAM_CLONES void touch_wide_leaf(const double* above, const std::int64_t* was, const std::int64_t* is,
                                     std::size_t n_points, const Edge& edge, const double* values, std::size_t width,
                                     double* sums, double* gain) {
    for (int b = 0; b < kRows; b += kLanes) {
        const Mask before = *reinterpret_cast<const Mask*>(was + b), now = *reinterpret_cast<const Mask*>(is + b);
        const Four none{}, share = edge.share - Four{};
        Four total{};
        for (std::size_t q = 0; q < n_points; ++q) {
            const Four onward = edge.onward[q] - Four{}, fallen = edge.fallen[q] - Four{};
            const Four kept = edge.kept[q] - Four{}, lost = edge.lost[q] - Four{};
            const std::size_t cell = q * kRows + static_cast<std::size_t>(b);
            const Four product = *reinterpret_cast<const Four*>(above + cell) * (now      ? onward
                                                                                 : before ? fallen
                                                                                          : share);
            total += product * (now ? kept : before ? lost : none);
            for (std::size_t k = 0; k < width; ++k) {
                *reinterpret_cast<Four*>(sums + k * n_points * kRows + cell) += product * values[k];
            }
        }
        for (std::size_t k = 0; k < width; ++k) {
            *reinterpret_cast<Four*>(gain + k * kRows + static_cast<std::size_t>(b)) += total * values[k];
        }
    }
}

// The branch of every row at a node that asks for one cut; a missing number takes the branch `missing`.
HORNBEAM_CLONES void answer_cut(const double* numbers, double cut, double missing, double* branch) {
    for (int b = 0; b < kRows; ++b) {
        const double x = numbers[b];
        branch[b] = x > cut ? 1.0 : x <= cut ? 0.0 : missing;
    }
}

HORNBEAM_CLONES void stay_on(const double* branches, double branch, const std::int64_t* was, std::int64_t* is) {
    for (int b = 0; b < kRows; b += kLanes) {
        const Mask taken = *reinterpret_cast<const Four*>(branches + b) == branch - Four{};
        *reinterpret_cast<Mask*>(is + b) = taken & *reinterpret_cast<const Mask*>(was + b);
    }
}

// The working memory of one thread, and the loop over one tree for one block of rows.
class Block {
  public:
    // The gains of all columns for kRows rows from `row` on (`count` of them real): gains[(column, output), row].
    void add(const Member& member, std::int64_t row, int count, double* gains, std::uint8_t* is_odd);

  private:
    // What a level holds: its node and the state of the node's column before any of its edges.
    struct Level {
        std::int32_t node = 0, edge = 0, player = 0;
        double share = 1.0;
    };
    void answer(const Member& member, std::int64_t row, int count, std::uint8_t* is_odd);
    void factors(const Member& member, double share);
    void leave(std::size_t level);

    double* products(std::size_t level) { return product_.data() + level * n_points_ * kRows; }
    double* sums(std::size_t level) { return sum_.data() + level * n_points_ * kRows * width_; }
    double* branches(std::size_t level) { return branch_.data() + level * kRows; }
    std::int64_t* before(std::size_t level) { return before_.data() + level * kRows; }
    double* saved(std::size_t level) { return saved_.data() + level * 4 * n_points_; }
    void make_room();

    std::size_t n_points_ = 0, width_ = 0;
    std::vector<Level> stack_;
    std::vector<double> product_, sum_, branch_, saved_;
    std::vector<std::int64_t> before_, now_on_;          // masks: one a level and row; one a column and row
    std::vector<double> now_share_;                      // one a column
    std::vector<double> now_inverse_, now_coefficient_;  // one a column and point: 1 / p and weight (1 - share) / p
    std::vector<double> onward_, fallen_, kept_, lost_;  // one a point: of the edge at hand
};

void Block::make_room() {
    const std::size_t levels = stack_.size() + 1;
    if (before_.size() >= levels * kRows) return;
    const std::size_t wanted = levels + levels / 2 + 8;
    product_.resize(wanted * n_points_ * kRows);
    sum_.resize(wanted * n_points_ * kRows * width_);
    branch_.resize(wanted * kRows);
    before_.resize(wanted * kRows);
    saved_.resize(wanted * 4 * n_points_);
}

// Which edge each row takes at the node on top. A pad row does as the first.
void Block::answer(const Member& member, std::int64_t row, int count, std::uint8_t* is_odd) {
    const std::size_t level = stack_.size() - 1;
    const Game& game = *member.game;
    const std::int32_t node = stack_[level].node;
    double* branch = branches(level);
    const Walker::PlainCut plain = game.walker().plain_cut(node);
    if (plain.column >= 0 && count == kRows) {
        answer_cut(member.columns[at(plain.column)].numbers + row, plain.cut, plain.missing, branch);
        bool is_plain = true;
        for (int b = 0; b < kRows; ++b) is_plain = is_plain && branch[b] >= 0.0;
        if (is_plain) return;
    }
    for (int b = 0; b < kRows; ++b) {
        if (b >= count) {
            branch[b] = branch[0];
            continue;
        }
        const std::int32_t edge = game.edge_of(node, game.walker().step(node, member.columns.data(), row + b));
        is_odd[b] |= edge == kShare ? 1 : 0;
        branch[b] = edge;
    }
}

// The factors and coefficients of an edge of the node on top.
void Block::factors(const Member& member, double share) {
    const Level& level = stack_.back();
    const std::size_t first = at(level.player) * n_points_;
    const double merged = level.share * share;
    const double* inverse = saved(stack_.size() - 1);
    const double* coefficient = inverse + n_points_;
    for (std::size_t q = 0; q < n_points_; ++q) {
        const double t = member.points.at[q], rest = 1.0 - t, weight = member.points.weight[q];
        const double p = merged * rest + t;
        onward_[q] = p * inverse[q];
        fallen_[q] = merged * rest * inverse[q];
        now_inverse_[first + q] = 1.0 / p;
        now_coefficient_[first + q] = weight * (1.0 - merged) / p;
        kept_[q] = now_coefficient_[first + q] - coefficient[q];
        lost_[q] = -weight / rest - coefficient[q];
    }
    now_share_[at(level.player)] = merged;
}

void Block::add(const Member& member, std::int64_t row, int count, double* gains, std::uint8_t* is_odd) {
    const Game& game = *member.game;
    if (game.is_leaf(0) || game.width == 0) return;
    n_points_ = member.points.at.size();
    width_ = at(game.width);
    before_.clear();
    const std::size_t columns = at(game.n_columns);
    now_share_.assign(columns, 1.0);
    now_on_.assign(columns * kRows, -1);
    now_inverse_.assign(columns * n_points_, 1.0);
    now_coefficient_.assign(columns * n_points_, 0.0);
    for (auto* each : {&onward_, &fallen_, &kept_, &lost_}) each->resize(n_points_);
    stack_.clear();

    auto enter = [&](std::int32_t node) {
        make_room();
        const std::int32_t player = game.player(node);
        stack_.push_back({node, game.edge_start[at(node)], player, now_share_[at(player)]});
        const std::size_t level = stack_.size() - 1;
        std::copy_n(now_on_.data() + at(player) * kRows, kRows, before(level));
        std::copy_n(now_inverse_.data() + at(player) * n_points_, n_points_, saved(level));
        std::copy_n(now_coefficient_.data() + at(player) * n_points_, n_points_, saved(level) + n_points_);
        std::fill_n(sums(level), n_points_ * kRows * width_, 0.0);
        answer(member, row, count, is_odd);
    };
    make_room();
    std::fill_n(products(0), n_points_ * kRows, 1.0);
    enter(0);
    for (;;) {
        const std::size_t level = stack_.size() - 1;
        Level& top = stack_[level];
        std::int64_t* on = now_on_.data() + at(top.player) * kRows;
        if (top.edge == game.edge_start[at(top.node) + 1]) {
            leave(level);
            if (level == 0) return;
            const std::size_t above = level - 1;
            const Level& up = stack_[above];
            const double* kept = saved(above) + 2 * n_points_;
            const Edge edge{nullptr, nullptr, 0.0, kept, kept + n_points_};
            for (std::size_t k = 0; k < width_; ++k) {
                const std::size_t part = k * n_points_ * kRows;
                double* gain = gains + (at(up.player) * at(game.n_outputs) + at(game.output) + k) * kRows;
                come_up(sums(level) + part, before(above), now_on_.data() + at(up.player) * kRows, n_points_, edge,
                        sums(above) + part, gain);
            }
            continue;
        }
        const std::int32_t place = top.edge++;
        stay_on(branches(level), place - game.edge_start[at(top.node)], before(level), on);
        factors(member, game.share[at(place)]);
        const Edge edge{onward_.data(), fallen_.data(), game.share[at(place)], kept_.data(), lost_.data()};
        const std::int32_t below = game.child[at(place)];
        double* gain = gains + (at(top.player) * at(game.n_outputs) + at(game.output)) * kRows;
        if (!game.is_leaf(below)) {
            std::copy_n(kept_.data(), n_points_, saved(level) + 2 * n_points_);
            std::copy_n(lost_.data(), n_points_, saved(level) + 3 * n_points_);
            make_room();
            go_down(products(level), before(level), on, n_points_, edge, products(level + 1));
            enter(below);
        } else if (width_ == 1) {
            touch_leaf(products(level), before(level), on, n_points_, edge, *game.value(below), sums(level), gain);
        } else {
            touch_wide_leaf(products(level), before(level), on, n_points_, edge, game.value(below), width_, sums(level),
                            gain);
        }
    }
}

// The state of the column of the node on top as it was above the node.
void Block::leave(std::size_t level) {
    check_stop(kRows);
    const Level& top = stack_[level];
    std::copy_n(before(level), kRows, now_on_.data() + at(top.player) * kRows);
    std::copy_n(saved(level), n_points_, now_inverse_.data() + at(top.player) * n_points_);
    std::copy_n(saved(level) + n_points_, n_points_, now_coefficient_.data() + at(top.player) * n_points_);
    now_share_[at(top.player)] = top.share;
    stack_.pop_back();
}

}  // namespace

void explain_by_paths(std::span<const Member> members, std::int64_t n_rows, int threads, Stop& stop, double* out) {
    if (members.empty() || n_rows == 0) return;
    const Game& any = *members.front().game;
    const std::size_t cells = at(any.n_columns) * at(any.n_outputs);
    auto task = [&](std::int64_t begin, std::int64_t end) {
        Block block;
        RowGame alone;
        std::vector<double> gains;
        const std::int64_t n_blocks = (end - begin + kRows - 1) / kRows;
        gains.assign(at(n_blocks) * cells * kRows, 0.0);
        std::vector<double> once(cells * kRows);
        for (const Member& member : members) {
            for (std::int64_t i = 0; i < n_blocks && !stop.asked(); ++i) {
                const std::int64_t row = begin + i * kRows;
                const int count = static_cast<int>(std::min<std::int64_t>(kRows, end - row));
                double* to = gains.data() + at(i) * cells * kRows;
                std::uint8_t is_odd[kRows] = {};
                if (!member.game->is_simple()) {
                    std::fill_n(is_odd, kRows, std::uint8_t{1});
                } else if (!member.game->may_share()) {
                    block.add(member, row, count, to, is_odd);
                    continue;
                } else {
                    // Kept apart until it is known which rows are odd: these are done again, leaf by leaf.
                    std::fill(once.begin(), once.end(), 0.0);
                    block.add(member, row, count, once.data(), is_odd);
                    for (std::size_t c = 0; c < cells * kRows; ++c) to[c] += is_odd[c % kRows] != 0 ? 0.0 : once[c];
                }
                for (int b = 0; b < count; ++b) {
                    if (is_odd[b] != 0) alone.add(member, row + b, out + at(row + b) * cells);
                }
            }
        }
        for (std::int64_t row = begin; row < end; ++row) {
            const double* from = gains.data() + at((row - begin) / kRows) * cells * kRows + (row - begin) % kRows;
            for (std::size_t c = 0; c < cells; ++c) out[at(row) * cells + c] += from[c * kRows];
        }
    };
    if (n_rows <= kRows) return task(0, n_rows);
    const std::int64_t size = std::min(kRowsATask, std::max<std::int64_t>(kRows, (n_rows / 8) / kRows * kRows));
    parallel_for((n_rows + size - 1) / size, threads, stop,
                 [&](std::int64_t index, int) { task(index * size, std::min(n_rows, (index + 1) * size)); });
}

}  // namespace hornbeam
