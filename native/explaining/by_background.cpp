// The game against background rows: a column outside the coalition has its value from a background row. See game.hpp.
//
// A mixture of row x and background row z reaches a leaf if for every column on its path at least one of the two takes
// the edge of the path. With a columns where only x does and b columns where only z does, a column of the first kind
// gains value * (a - 1)! b! / (a + b)! and one of the second kind loses value * a! (b - 1)! / (a + b)!.
//
//   patterns   every question is about one column: at each leaf, rows and background rows become words with one bit per
//              column; the gains are computed once per distinct word.
//   pairs      all other trees: the mixture itself is walked; a column is set to x and to z only if the outcome of a
//              question depends on it.
#include <algorithm>
#include <bit>
#include <cmath>

#include "explaining/game.hpp"
#include "explaining/numbering.hpp"

namespace hornbeam {
namespace {

constexpr int MAX_BITS = 64;
constexpr std::int64_t MAX_ROWS_PER_TASK = 256;
constexpr std::int64_t MAX_CELLS = std::int64_t{1} << 26;  // limit of nodes times background rows for patterns

// (a - 1)! b! / (a + b)! for a >= 1.
class Weights {
  public:
    explicit Weights(int max_count) : size_(at(max_count) + 1), table_(size_ * size_) {
        for (std::size_t a = 1; a < size_; ++a) {
            for (std::size_t b = 0; b < size_; ++b) {
                // 1 / (a * binomial(a + b, a))
                double binomial = 1.0;
                for (std::size_t i = 1; i <= b; ++i) binomial *= static_cast<double>(a + i) / static_cast<double>(i);
                table_[a * size_ + b] = 1.0 / (static_cast<double>(a) * binomial);
            }
        }
    }
    double operator()(int a, int b) const { return table_[at(a) * size_ + at(b)]; }

  private:
    std::size_t size_;
    std::vector<double> table_;
};

// The edge that each row takes at each inner node; ALL_BRANCHES if it is distributed.
std::vector<std::int32_t> edges_taken(const Game& game, const std::vector<WalkColumn>& columns, std::int64_t begin,
                                      std::int64_t count, std::vector<std::uint8_t>& is_deferred) {
    const std::size_t n = game.walker().size();
    std::vector<std::int32_t> taken(n * at(count), 0);
    for (std::size_t node = 0; node < n; ++node) {
        const auto t = static_cast<std::int32_t>(node);
        if (game.is_leaf(t)) continue;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int32_t edge = game.edge_of(t, game.walker().nodes().step(t, columns.data(), begin + i));
            taken[node * at(count) + at(i)] = edge;
            if (edge == ALL_BRANCHES) is_deferred[i] = 1;
        }
    }
    return taken;
}

// Patterns: all rows of a task and the whole background in one tree.
class Patterns {
  public:
    Patterns(const Game& game, const Weights& weights) : game_(game), weights_(weights) {}

    void add(const std::vector<std::int32_t>& rows, std::int64_t n_rows, const std::vector<std::int32_t>& background,
             std::span<const double> background_weights, const std::vector<std::uint8_t>& is_deferred, double* out) {
        n_rows_ = n_rows;
        n_background_ = static_cast<std::int64_t>(background_weights.size());
        bit_.assign(at(game_.n_columns), -1);
        players_.clear();
        stack_.clear();
        words_.assign(1, std::vector<std::uint64_t>(at(n_rows + n_background_), 0));
        enter(0);
        while (!stack_.empty()) {
            Frame& top = stack_.back();
            if (top.edge == game_.edge_start[at(top.node) + 1]) {
                if (top.is_new) {
                    bit_[players_.back()] = -1;
                    players_.pop_back();
                }
                stack_.pop_back();
                continue;
            }
            const std::int32_t edge = top.edge++, branch = edge - game_.edge_start[top.node];
            const std::uint64_t bit = std::uint64_t{1} << bit_[game_.player(top.node)];
            const std::size_t level = stack_.size();
            if (words_.size() <= level) words_.emplace_back(at(n_rows + n_background_));
            const Step step{branch, bit, top.is_new ? bit : 0};
            mark(words_[level - 1].data(), rows.data() + at(top.node) * at(n_rows), n_rows, step, words_[level].data());
            mark(words_[level - 1].data() + n_rows, background.data() + at(top.node) * at(n_background_), n_background_,
                 step, words_[level].data() + n_rows);
            const std::int32_t below = game_.child[edge];
            if (game_.is_leaf(below)) {
                leaf(game_.value(below), words_[level].data(), background_weights, is_deferred, out);
            } else {
                enter(below);
            }
        }
    }

  private:
    struct Frame {
        std::int32_t node, edge;
        bool is_new;
    };

    void enter(std::int32_t node) {
        check_stop(n_background_);
        const std::int32_t player = game_.player(node);
        const bool is_new = bit_[player] < 0;
        if (is_new) {
            bit_[player] = static_cast<int>(players_.size());
            players_.push_back(player);
        }
        stack_.push_back({node, game_.edge_start[node], is_new});
    }

    // To a branch: the bit of the column tested, and the same if it is tested for the first time.
    struct Step {
        std::int32_t branch;
        std::uint64_t bit, set;
    };

    static void mark(const std::uint64_t* from, const std::int32_t* taken, std::int64_t count, const Step& step,
                     std::uint64_t* to) {
        for (std::int64_t i = 0; i < count; ++i)
            to[i] = taken[i] == step.branch ? from[i] | step.set : from[i] & ~step.bit;
    }

    void leaf(const double* value, const std::uint64_t* words, std::span<const double> background_weights,
              const std::vector<std::uint8_t>& is_deferred, double* out) {
        const std::size_t bits = players_.size();
        const std::uint64_t full = bits == MAX_BITS ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
        counted_.clear();
        number_.start(bits);
        for (std::int64_t z = 0; z < n_background_; ++z) {
            const std::uint64_t word = words[n_rows_ + z];
            const auto [index, is_new] = number_(word);
            if (is_new) counted_.emplace_back(word, 0.0);
            counted_[index].second += background_weights[z];
        }
        number_.start(bits);
        gains_.clear();
        for (std::int64_t row = 0; row < n_rows_; ++row) {
            if (is_deferred[row] != 0) continue;
            const std::uint64_t word = words[row];
            const auto [index, is_new] = number_(word);
            if (is_new) add_gains(word, full);
            const double* gain = gains_.data() + index * bits;
            double* to = out + at(row) * at(game_.n_columns) * at(game_.n_outputs) + game_.output;
            for (std::size_t j = 0; j < bits; ++j) {
                double* cell = to + at(players_[j]) * at(game_.n_outputs);
                for (std::int64_t k = 0; k < game_.width; ++k) cell[k] += gain[j] * value[k];
            }
        }
    }

    // The gains of all columns of a leaf for rows with a given word.
    void add_gains(std::uint64_t word, std::uint64_t full) {
        const std::size_t first = gains_.size(), bits = players_.size();
        gains_.resize(first + bits, 0.0);
        for (const auto& [other, fraction] : counted_) {
            if ((word | other) != full) continue;
            const std::uint64_t mine = word & ~other, theirs = other & ~word;
            const int a = std::popcount(mine), b = std::popcount(theirs);
            if (a > 0) spread(mine, fraction * weights_(a, b), first);
            if (b > 0) spread(theirs, -fraction * weights_(b, a), first);
        }
    }

    void spread(std::uint64_t word, double gain, std::size_t first) {
        for (; word != 0; word &= word - 1) gains_[first + at(std::countr_zero(word))] += gain;
    }

    const Game& game_;
    const Weights& weights_;
    std::int64_t n_rows_ = 0, n_background_ = 0;
    std::vector<int> bit_;
    std::vector<std::int32_t> players_;
    std::vector<Frame> stack_;
    std::vector<std::vector<std::uint64_t>> words_;
    std::vector<std::pair<std::uint64_t, double>> counted_;
    Numbering number_;
    std::vector<double> gains_;
};

// Pairs: one row against one background row.
class Pair {
  public:
    Pair(const ExplainedTree& tree, const Weights& weights) : tree_(tree), game_(*tree.game), weights_(weights) {
        const Walker& walker = game_.walker();
        for (std::int32_t node = 0; at(node) < walker.size(); ++node) {
            questions_.emplace_back();
            if (game_.is_leaf(node)) continue;
            questions_.back() = walker.nodes().questions_at(node);
            for (const std::int32_t q : questions_.back()) {
                if (columns_.size() <= at(q)) columns_.resize(at(q) + 1);
                if (columns_[q].empty()) columns_[q] = walker.nodes().questions().columns_of(q);
            }
        }
        side_.assign(walker.columns().size(), OPEN);
    }

    void add(std::int64_t row, std::int64_t other, double fraction, double* out) {
        const Walker& walker = game_.walker();
        x_.clear();
        z_.clear();
        for (std::size_t c = 0; c < walker.columns().size(); ++c) {
            x_.push_back(tree_.columns[c].from(row));
            z_.push_back(tree_.background[c].from(other));
            side_[c] = is_equal(x_[c], z_[c]) ? SAME : OPEN;
        }
        mixture_ = x_;
        stack_.assign(1, {Act::visit, 0, -1, fraction});
        while (!stack_.empty()) {
            const Item item = stack_.back();
            stack_.pop_back();
            if (item.act == Act::visit) {
                visit(item.node, item.fraction, out);
            } else {
                set_side(item.column, item.act == Act::take_x ? FROM_X : item.act == Act::take_z ? FROM_Z : OPEN);
            }
        }
    }

  private:
    enum class Act : std::int8_t { visit, take_x, take_z, free };
    enum Side : std::int8_t { OPEN, SAME, FROM_X, FROM_Z };
    struct Item {
        Act act;
        std::int32_t node, column;
        double fraction;
    };

    static bool is_equal(const WalkColumn& one, const WalkColumn& other) {
        if (one.codes) return *one.codes == *other.codes;
        return *one.numbers == *other.numbers || (std::isnan(*one.numbers) && std::isnan(*other.numbers));
    }

    void set_side(std::int32_t column, Side side) {
        const auto c = at(column);
        if (side == OPEN) {
            (side_[c] == FROM_X ? n_x_ : n_z_) -= 1;
        } else {
            (side == FROM_X ? n_x_ : n_z_) += 1;
        }
        side_[c] = side;
        mixture_[c] = side == FROM_Z ? z_[c] : x_[c];
    }

    // The column that must be set to x or z before the outcome of the node is known, or -1.
    std::int32_t needed(std::int32_t node) {
        const Walker& walker = game_.walker();
        for (const std::int32_t q : questions_[node]) {
            const auto& columns = columns_[q];
            for (const std::int32_t c : columns) {
                if (side_[c] != OPEN) continue;
                if (columns.size() > 1) return c;
                const std::int32_t mine = walker.nodes().questions().outcome(q, x_.data(), 0),
                                   theirs = walker.nodes().questions().outcome(q, z_.data(), 0);
                if (mine != theirs) return c;
            }
            const std::int32_t outcome = walker.nodes().questions().outcome(q, mixture_.data(), 0);
            // An unseen level ends the search for an outcome at the node's own question; at a surrogate it is an
            // undefined outcome.
            const bool is_own = q == questions_[node].front();
            if (outcome >= 0 || (is_own && outcome == UNSEEN_LEVEL && !walker.nodes().takes_unseen_as_missing()))
                return -1;
        }
        return -1;
    }

    void visit(std::int32_t node, double fraction, double* out) {
        if (game_.is_leaf(node)) return leaf(node, fraction, out);
        const std::int32_t column = needed(node);
        if (column >= 0) {
            stack_.push_back({Act::free, 0, column, 0.0});
            stack_.push_back({Act::visit, node, -1, fraction});
            stack_.push_back({Act::take_z, 0, column, 0.0});
            stack_.push_back({Act::free, 0, column, 0.0});
            stack_.push_back({Act::visit, node, -1, fraction});
            stack_.push_back({Act::take_x, 0, column, 0.0});
            return;
        }
        const std::int32_t first = game_.edge_start[node], last = game_.edge_start[at(node) + 1];
        const std::int32_t edge = game_.edge_of(node, game_.walker().nodes().step(node, mixture_.data(), 0));
        if (edge != ALL_BRANCHES) {
            stack_.push_back({Act::visit, game_.child[first + edge], -1, fraction});
            return;
        }
        const std::int32_t own = last - (game_.has_stay[node] != 0 ? 1 : 0);
        double total = 0.0;
        for (std::int32_t e = first; e < own; ++e) total += game_.fraction[e];
        for (std::int32_t e = first; e < own; ++e) {
            if (game_.fraction[e] > 0.0) {
                stack_.push_back({Act::visit, game_.child[e], -1, fraction * game_.fraction[e] / total});
            }
        }
    }

    void leaf(std::int32_t node, double fraction, double* out) {
        const double* value = game_.value(node);
        for (std::size_t c = 0; c < side_.size(); ++c) {
            if (side_[c] != FROM_X && side_[c] != FROM_Z) continue;
            const double gain = side_[c] == FROM_X ? fraction * weights_(n_x_, n_z_) : -fraction * weights_(n_z_, n_x_);
            double* to = out + at(game_.walker().columns()[c]) * at(game_.n_outputs) + game_.output;
            for (std::int64_t k = 0; k < game_.width; ++k) to[k] += gain * value[k];
        }
    }

    const ExplainedTree& tree_;
    const Game& game_;
    const Weights& weights_;
    std::vector<std::vector<std::int32_t>> questions_, columns_;
    std::vector<WalkColumn> x_, z_, mixture_;
    std::vector<Side> side_;
    std::vector<Item> stack_;
    int n_x_ = 0, n_z_ = 0;
};

bool supports_patterns(const Game& game) {
    return game.is_simple() && !game.has_surrogates() && game.max_players() <= MAX_BITS;
}

}  // namespace

void explain_by_background(std::span<const ExplainedTree> trees, std::int64_t n_rows, std::span<const double> weights,
                           int threads, Stop& stop, double* out) {
    if (trees.empty() || n_rows == 0) return;
    const Game& any = *trees.front().game;
    const std::size_t cells = at(any.n_columns) * at(any.n_outputs);
    const Weights table(any.n_columns + 1);
    const auto n_background = static_cast<std::int64_t>(weights.size());
    for (const ExplainedTree& tree : trees) {
        if (stop.is_requested()) return;
        if (tree.game->is_leaf(0)) continue;
        const auto n_nodes = static_cast<std::int64_t>(tree.game->walker().size());
        const bool has_patterns = supports_patterns(*tree.game) && n_nodes * n_background <= MAX_CELLS;
        const std::int64_t rows_per_task = std::clamp<std::int64_t>(MAX_CELLS / 16 / n_nodes, 16, MAX_ROWS_PER_TASK);
        std::vector<std::uint8_t> shared_out(at(n_background), 0);
        std::vector<std::int32_t> background;
        if (has_patterns) background = edges_taken(*tree.game, tree.background, 0, n_background, shared_out);
        const bool all_pairs = !has_patterns || std::any_of(shared_out.begin(), shared_out.end(),
                                                            [](std::uint8_t deferred) { return deferred != 0; });
        in_ranges({n_rows, rows_per_task}, threads, stop, [&](std::int64_t begin, std::int64_t end, int) {
            const std::int64_t count = end - begin;
            std::vector<std::uint8_t> is_deferred(at(count), all_pairs ? 1 : 0);
            if (!all_pairs) {
                const auto rows = edges_taken(*tree.game, tree.columns, begin, count, is_deferred);
                Patterns(*tree.game, table).add(rows, count, background, weights, is_deferred, out + at(begin) * cells);
            }
            if (std::find(is_deferred.begin(), is_deferred.end(), 1) == is_deferred.end()) return;
            Pair pair(tree, table);
            for (std::int64_t i = 0; i < count && !stop.is_requested(); ++i) {
                if (is_deferred[i] == 0) continue;
                for (std::int64_t z = 0; z < n_background; ++z) {
                    check_stop(n_nodes);
                    pair.add(begin + i, z, weights[z], out + at(begin + i) * cells);
                }
            }
        });
    }
}

}  // namespace hornbeam
