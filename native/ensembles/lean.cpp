#include "ensembles/lean.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/random.hpp"
#include "criteria/criterion.hpp"
#include "ensembles/bag.hpp"
#include "ensembles/column_search.hpp"
#include "ensembles/node_cells.hpp"
#include "growing/search.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t WEIGHTS_FIT = std::int64_t{1} << 31;  // sums of squares and packed sums are exact below this
constexpr std::int64_t LARGEST_LOG_TABLE = std::int64_t{1} << 22;

// The most that the rows of a tree can weigh, however they are drawn.
std::int64_t most_weight(const Plan& plan) {
    std::int64_t heaviest = 1;
    for (const std::int64_t w : plan.target.weights) heaviest = std::max(heaviest, w);
    return heaviest < WEIGHTS_FIT ? heaviest * plan.n_rows : WEIGHTS_FIT;
}

// A node that waits: its rows, and its place in the tree.
struct Waiting {
    std::int32_t node, begin, end;
    std::uint64_t id;
};

template <class Side, class Cell, bool Random>
class Grower final : public LeanGrower {
  public:
    Grower(const Plan& plan, const Grid& grid, const Cells<Cell>& cells)
        : plan_(plan),
          grid_(grid),
          cells_(grid, cells),
          criterion_(make_criterion(plan.criterion)),
          n_classes_(Side::is_class ? plan.target.n_classes : 0),
          n_words_((grid.n_columns + 63) / 64),
          wanted_(plan.max_features > 0 ? static_cast<std::int32_t>(plan.max_features) : grid.n_columns),
          logs_(logs_for(plan)),
          search_(limits_for(plan),
                  Side(n_classes_, logs_.values.data(), Side::is_class ? logs_.unit : plan.target.unit), n_classes_),
          pool_(grid.n_columns) {
        for (std::int32_t c = 0; c < grid.n_columns; ++c) pool_[c] = c;
    }

    const LeanTree& grow(const std::vector<std::uint32_t>& times, std::uint64_t tree, const Stop& stop) override {
        tree_ = tree;
        out_.nodes.clear();
        out_.counts.clear();
        waiting_.clear();
        constant_.clear();
        plant(times);
        while (!waiting_.empty()) {
            if (stop.asked()) break;
            const Waiting next = waiting_.back();
            waiting_.pop_back();
            own_constant_.assign(constant_.end() - n_words_, constant_.end());
            constant_.resize(constant_.size() - n_words_);
            settle(next);
        }
        return out_;
    }

  private:
    static LogTable logs_for(const Plan& plan) {
        LogTable logs;
        logs.fill(plan.criterion == "entropy" ? most_weight(plan) : 1);
        return logs;
    }

    static CutLimits limits_for(const Plan& plan) {
        CutLimits limits;
        limits.rows = static_cast<std::int32_t>(std::max<std::int64_t>(plan.min_leaf, 1));
        limits.weight = static_cast<std::int64_t>(std::ceil(plan.min_leaf_weight / plan.target.weight_unit - 1e-9));
        return limits;
    }

    void plant(const std::vector<std::uint32_t>& times) {
        const std::int32_t n = bag_.fill(plan_.target, times);
        out_.nodes.emplace_back();
        out_.counts.resize(n_classes_, 0);
        bag_.sum_up(0, n, out_.nodes[0], out_.counts.data(), n_classes_);
        root_weight_ = static_cast<double>(out_.nodes[0].weight);
        constant_.resize(n_words_, 0);
        waiting_.push_back({0, 0, n, kRootId});
    }

    // The node becomes a leaf, or asks the best question about the columns drawn.
    void settle(const Waiting& at) {
        describe(at);
        LeanNode& node = out_.nodes[at.node];
        node.reason = early_reason(node);
        if (node.reason != Reason::none) return;
        ColumnCut<Cell> best;
        if (!search(at, best)) {
            node.reason = Reason::no_improvement;
            return;
        }
        node.reason = late_reason(node, best.gain);
        if (node.reason != Reason::none) return;
        split(at, best);
    }

    void describe(const Waiting& at) {
        LeanNode& node = out_.nodes[at.node];
        const Target& target = plan_.target;
        if constexpr (Side::is_class) {
            shares_.resize(n_classes_);
            const std::int64_t* counts = out_.counts.data() + static_cast<std::size_t>(at.node) * n_classes_;
            is_pure_ = false;
            largest_ = 0;
            for (int k = 0; k < n_classes_; ++k) {
                shares_[k] = static_cast<double>(counts[k]);
                largest_ = std::max(largest_, counts[k]);
            }
            is_pure_ = largest_ == node.weight;
            node.impurity = is_pure_ ? 0.0 : std::max(0.0, criterion_->impurity(shares_.data(), n_classes_));
        } else {
            double squares = 0.0;
            is_pure_ = bag_.spread(at.begin, at.end, static_cast<double>(node.sum) / static_cast<double>(node.weight),
                                   squares);
            node.spread = is_pure_ ? 0.0 : squares * target.unit * target.unit * target.weight_unit;
            node.impurity = node.spread / (static_cast<double>(node.weight) * target.weight_unit);
        }
    }

    Reason early_reason(const LeanNode& node) const {
        const double weight = static_cast<double>(node.weight) * plan_.target.weight_unit;
        if (is_pure_) return Reason::pure;
        if (node.rows <= plan_.eta) return Reason::eta;
        if (Side::is_class && static_cast<double>(largest_) / static_cast<double>(node.weight) >= plan_.purity - 1e-12)
            return Reason::purity;
        if (node.rows < plan_.min_split || weight < plan_.min_split_weight) return Reason::rows_to_split;
        if (plan_.max_depth >= 0 && node.depth >= plan_.max_depth) return Reason::depth;
        if (node.rows < 2 * plan_.min_leaf || weight < 2 * plan_.min_leaf_weight) return Reason::rows_in_leaf;
        return Reason::none;
    }

    Reason late_reason(const LeanNode& node, double gain) const {
        if (plan_.min_gain >= 0 && gain <= plan_.min_gain) return Reason::min_gain;
        // As in the general grower: one part in 10^12 for rounding.
        const double share = static_cast<double>(node.weight) / root_weight_;
        if (plan_.min_decrease > 0 && share * gain < plan_.min_decrease * (1 - 1e-12)) return Reason::min_decrease;
        return Reason::none;
    }

    // As many columns as wanted are drawn, and more until one of them varies; the first best by their order wins.
    bool search(const Waiting& at, ColumnCut<Cell>& best) {
        const LeanNode& node = out_.nodes[at.node];
        const std::int64_t* counts = out_.counts.data() + static_cast<std::size_t>(at.node) * n_classes_;
        search_.enter({node.weight, node.sum, counts}, node.impurity);
        found_.clear();
        cells_.enter(bag_.rows(at.begin), at.end - at.begin);
        if (wanted_ >= grid_.n_columns)
            look_at_all(at);
        else
            draw(at);
        std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
        if constexpr (Random) place_cuts(at);
        const double bar = 1e-10 * node.impurity;
        double top = 0.0;
        bool is_found = false;
        for (const ColumnCut<Cell>& cut : found_)
            if (cut.is_found && (!is_found || cut.gain - top > bar)) top = cut.gain, best = cut, is_found = true;
        return is_found;
    }

    void look_at_all(const Waiting& at) {
        asked_.clear();
        for (std::int32_t c = 0; c < grid_.n_columns; ++c) ask_about(c);
        look_at(at);
    }

    void draw(const Waiting& at) {
        Stream stream(key(plan_.seed, Purpose::features, tree_, at.id));
        const std::int32_t d = grid_.n_columns;
        swapped_.clear();
        asked_.clear();
        for (std::int32_t i = 0; i < d && (i < wanted_ || found_.empty()); ++i) {
            const std::int32_t j = i + static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(d - i)));
            std::swap(pool_[i], pool_[j]);
            swapped_.push_back(j);
            ask_about(pool_[i]);
            if (i + 1 >= wanted_) look_at(at);
        }
        for (std::size_t i = swapped_.size(); i-- > 0;) std::swap(pool_[i], pool_[swapped_[i]]);
    }

    // A column that was found constant above is constant here.
    void ask_about(std::int32_t column) {
        if (!(own_constant_[column / 64] >> (column % 64) & 1)) asked_.push_back(column);
    }

    // The columns asked about that vary here compete; those that do not are not looked at again below.
    void look_at(const Waiting& at) {
        std::size_t n_cells = 0;
        for (const std::int32_t column : asked_)
            if (grid_.bit[column] >= 0)
                look_at_bit(at, column);
            else
                asked_[n_cells++] = column;
        asked_.resize(n_cells);
        cells_.look_at(asked_, [&](std::int32_t column, const Cell* cells, std::int32_t slot) {
            compete(at, column, cells, slot);
        });
        asked_.clear();
    }

    void look_at_bit(const Waiting& at, std::int32_t column) {
        if (!cells_.bit_varies(column)) return make_constant(column);
        ColumnCut<Cell> cut;
        cut.column = column;
        cut.low = 0;
        cut.high = 1;
        if constexpr (!Random)
            search_.score_drawn(cut, cells_.of_cut(column, -1), bag_.data(at.begin), at.end - at.begin);
        found_.push_back(cut);
    }

    void make_constant(std::int32_t column) { own_constant_[column / 64] |= std::uint64_t{1} << (column % 64); }

    void compete(const Waiting& at, std::int32_t column, const Cell* cells, std::int32_t slot) {
        const std::int32_t n = at.end - at.begin;
        ColumnCut<Cell> cut;
        std::tie(cut.low, cut.high) = range_of(cells, n);
        if (cut.low == cut.high) return make_constant(column);
        cut.column = column;
        cut.slot = slot;
        if constexpr (!Random) search_.score(cut, cells, bag_.data(at.begin), n);
        found_.push_back(cut);
    }

    // One draw a column, in the order of columns.
    void place_cuts(const Waiting& at) {
        Stream stream(key(plan_.seed, Purpose::thresholds, tree_, at.id));
        const std::int32_t n = at.end - at.begin;
        for (ColumnCut<Cell>& cut : found_) {
            cut.draw(stream.uniform(), grid_.values);
            search_.score_drawn(cut, cells_.of_cut(cut.column, cut.slot), bag_.data(at.begin), n);
        }
    }

    void split(const Waiting& at, const ColumnCut<Cell>& best) {
        const Cell* cells = cells_.of_cut(best.column, best.slot);
        const std::int32_t left = bag_.part(at.begin, at.end, [&](std::int32_t i) { return best.is_right(cells[i]); });
        const auto first = static_cast<std::int32_t>(out_.nodes.size());
        out_.nodes.resize(first + 2);
        out_.counts.resize(out_.counts.size() + 2 * n_classes_);
        LeanNode& node = out_.nodes[at.node];
        node.first_child = first;
        node.column = best.column;
        node.gain = best.gain;
        node.cut = best.cut;
        node.below = static_cast<std::uint32_t>(best.low);
        node.above = static_cast<std::uint32_t>(best.high);
        LeanNode* child = out_.nodes.data() + first;
        std::int64_t* counts = out_.counts.data() + static_cast<std::size_t>(first) * n_classes_;
        const std::int64_t* whole = out_.counts.data() + static_cast<std::size_t>(at.node) * n_classes_;
        const std::int32_t middle = at.begin + left;
        const int small = left <= at.end - middle ? 0 : 1;
        if (small == 0)
            bag_.sum_up(at.begin, middle, child[0], counts, n_classes_);
        else
            bag_.sum_up(middle, at.end, child[1], counts + n_classes_, n_classes_);
        child[1 - small].rows = node.rows - child[small].rows;
        child[1 - small].weight = node.weight - child[small].weight;
        child[1 - small].sum = node.sum - child[small].sum;
        for (int k = 0; k < n_classes_; ++k)
            counts[(1 - small) * n_classes_ + k] = whole[k] - counts[small * n_classes_ + k];
        for (int b = 0; b < 2; ++b) child[b].parent = at.node, child[b].depth = node.depth + 1;
        if (!plan_.missing_stays) node.missing_branch = child[0].weight >= child[1].weight ? 0 : 1;
        for (int b = 1; b >= 0; --b) {
            if (closes_at_once(child[b], counts + b * n_classes_)) continue;
            waiting_.push_back({first + b, b ? middle : at.begin, b ? at.end : middle,
                                child_id(at.id, static_cast<std::uint64_t>(b))});
            constant_.insert(constant_.end(), own_constant_.begin(), own_constant_.end());
        }
    }

    // A child that is pure needs no look at its rows.
    bool closes_at_once(LeanNode& child, const std::int64_t* counts) const {
        bool is_pure = !Side::is_class && child.rows == 1;
        for (int k = 0; k < n_classes_; ++k) is_pure |= counts[k] == child.weight;
        if (is_pure) child.reason = Reason::pure;
        return is_pure;
    }

    const Plan& plan_;
    const Grid& grid_;
    NodeCells<Cell> cells_;
    std::unique_ptr<Criterion> criterion_;
    int n_classes_;
    std::int32_t n_words_, wanted_;
    LogTable logs_;
    ColumnScan<Side, Cell> search_;
    std::uint64_t tree_ = 0;
    double root_weight_ = 0.0;
    bool is_pure_ = false;
    std::int64_t largest_ = 0;
    LeanTree out_;
    Bag<Side> bag_;
    std::vector<Waiting> waiting_;
    std::vector<std::uint64_t> constant_, own_constant_;
    std::vector<std::int32_t> pool_, swapped_, asked_;
    std::vector<double> shares_;
    std::vector<ColumnCut<Cell>> found_;
};

template <class Cell, bool Random>
std::unique_ptr<LeanGrower> made_for(const Plan& plan, const Grid& grid, const Cells<Cell>& cells) {
    if (!plan.target.is_class()) return std::make_unique<Grower<Numbers, Cell, Random>>(plan, grid, cells);
    if (plan.criterion == "entropy")
        return std::make_unique<Grower<ManyClasses<true>, Cell, Random>>(plan, grid, cells);
    if (plan.target.n_classes == 2) return std::make_unique<Grower<TwoClasses, Cell, Random>>(plan, grid, cells);
    return std::make_unique<Grower<ManyClasses<false>, Cell, Random>>(plan, grid, cells);
}

template <class Cell>
std::unique_ptr<LeanGrower> made_for(const Plan& plan, const Grid& grid, const Cells<Cell>& cells) {
    if (plan.random_cuts) return made_for<Cell, true>(plan, grid, cells);
    return made_for<Cell, false>(plan, grid, cells);
}

}  // namespace

bool is_lean(const Plan& plan) {
    const bool serves = plan.target.is_class() ? plan.criterion == "gini" || plan.criterion == "entropy"
                                               : plan.criterion == "squared_error";
    if (!serves || !plan.target.class_scale.empty() || !plan.column_cost.empty() || plan.same_vectors) return false;
    if (plan.cut_at_data || plan.c45 || !plan.cuts || plan.intervals > 0 || plan.order == Order::best_first)
        return false;
    if (plan.max_leaves >= 0 || plan.max_nodes >= 0 || plan.surrogates >= 0 || plan.competitors > 0) return false;
    if (plan.fill != FillBy::nothing) return false;
    if (!plan.many.empty() || !plan.price.empty() || plan.asks_quantile()) return false;
    if (!plan.target.is_class() && !plan.target.weights.empty()) return false;
    const std::int64_t weight = most_weight(plan);
    if (weight >= WEIGHTS_FIT || (plan.criterion == "entropy" && weight > LARGEST_LOG_TABLE)) return false;
    for (const SourceColumn& column : plan.columns) {
        if (column.kind == Kind::nominal) return false;
        for (std::int64_t row = 0; row < plan.n_rows; ++row)
            if (column.reals ? std::isnan(column.reals[row]) : column.codes[row] < 0) return false;
    }
    return !plan.columns.empty();
}

std::unique_ptr<LeanGrower> make_lean(const Plan& plan, const Grid& grid) {
    if (grid.is_real) return made_for<double, true>(plan, grid, grid.reals);
    if (grid.is_narrow) return made_for(plan, grid, grid.narrow);
    return made_for(plan, grid, grid.wide);
}

}  // namespace hornbeam
