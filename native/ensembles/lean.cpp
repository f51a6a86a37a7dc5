#include "ensembles/lean.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/column_sampler.hpp"
#include "core/random.hpp"
#include "ensembles/bag.hpp"
#include "ensembles/best_cuts.hpp"
#include "ensembles/drawn_cuts.hpp"
#include "nodes/scoring.hpp"

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
    std::int32_t node, depth;
    Range rows;
    std::size_t constant;  // where the columns known to be constant are noted
    std::uint64_t id;
    std::uint64_t few = 0;  // which of few rows are the node's (few_lanes.hpp); 0: all rows are
};

// `Cuts` finds the cuts of the columns drawn at a node: best_cuts.hpp, drawn_cuts.hpp.
template <class Side, class Cuts>
class Grower final : public LeanGrower {
  public:
    using Best = typename Cuts::Best;

    template <class Cells>
    Grower(const Plan& plan, const Grid& grid, const Cells& cells)
        : plan_(plan),
          order_(grid.order),
          n_columns_(grid.n_columns),
          n_classes_(Side::is_class ? plan.target.n_classes : 0),
          shares_(n_classes_),
          n_words_((grid.n_columns + 63) / 64),
          wanted_(plan.max_features > 0 ? static_cast<std::int32_t>(plan.max_features) : grid.n_columns),
          logs_(logs_for(plan)),
          judge_(limits_for(plan), Side(n_classes_, logs_.values.empty() ? nullptr : logs_.values.data(),
                                        Side::is_class ? logs_.unit : plan.target.unit)),
          cuts_(grid, cells, judge_, n_classes_),
          all_(n_words_),
          asked_(n_words_),
          sampler_(grid.n_columns),
          columns_(grid.n_columns) {
        for (std::int32_t c = 0; c < grid.n_columns; ++c) all_[c / 64] |= std::uint64_t{1} << (c % 64);
    }

    const LeanTree& grow(const std::vector<std::uint32_t>& times, std::uint64_t tree, const Stop& stop) override {
        features_key_ = mix(mix(mix(plan_.seed) ^ static_cast<std::uint64_t>(Purpose::features)) ^ tree);
        thresholds_key_ = mix(mix(mix(plan_.seed) ^ static_cast<std::uint64_t>(Purpose::thresholds)) ^ tree);
        out_.n_nodes = 0;
        waiting_.clear();
        constant_.clear();
        plant(times);
        while (!waiting_.empty()) {
            if (stop.is_requested()) break;
            const Waiting next = waiting_.back();
            waiting_.pop_back();
            // What nodes below the last one have learnt is of no use here.
            own_ = next.constant;
            constant_.resize(own_ + n_words_);
            owns_ = false;
            settle(next);
        }
        return out_;
    }

  private:
    static LogTable logs_for(const Plan& plan) {
        LogTable logs;
        if (plan.criterion.name == "entropy") logs.fill(most_weight(plan));
        return logs;
    }

    static CutLimits limits_for(const Plan& plan) {
        CutLimits limits;
        limits.rows = static_cast<std::int32_t>(std::max<std::int64_t>(plan.stops.min_leaf, 1));
        limits.weight = whole_limit(plan.stops.min_leaf_weight / plan.target.weight_unit);
        limits.zero_gain = plan.criterion.zero_gain;
        return limits;
    }

    void plant(const std::vector<std::uint32_t>& times) {
        const Range all = bag_.fill(plan_.target, order_, plan_.n_rows, times);
        add_nodes(1);
        out_.nodes[0].rows = all.size();
        bag_.sum_up(all, out_.nodes[0], out_.counts.data(), n_classes_);
        root_weight_ = static_cast<double>(out_.nodes[0].weight);
        constant_.resize(n_words_, 0);
        waiting_.push_back({0, 0, all, 0, kRootId});
    }

    // Returns the first of so many new nodes. There is room for as many again, so that room is seldom made.
    std::int32_t add_nodes(std::int32_t n) {
        const std::size_t first = out_.n_nodes;
        out_.n_nodes += n;
        if (out_.n_nodes > out_.nodes.size()) {
            out_.nodes.resize(2 * out_.n_nodes);
            out_.counts.resize(out_.nodes.size() * n_classes_);
        }
        std::fill_n(out_.nodes.begin() + first, n, LeanNode{});
        std::fill_n(out_.counts.begin() + first * n_classes_, static_cast<std::size_t>(n) * n_classes_, 0);
        return static_cast<std::int32_t>(first);
    }

    // The node becomes a leaf, or asks the best question about the columns drawn.
    void settle(const Waiting& at) {
        describe(at);
        LeanNode& node = out_.nodes[at.node];
        const auto weight = static_cast<double>(node.weight);
        node.reason = plan_.stops.early(
            {node.rows, weight * plan_.target.weight_unit, at.depth, is_pure_},
            [&] { return Side::is_class ? static_cast<double>(largest_) / weight : 0.0; }, [] { return false; });
        if (node.reason != Reason::none) return;
        const Best best = search(at);
        node.reason = judge_.has_best() ? plan_.stops.late(judge_.gain(), [&] { return weight / root_weight_; })
                                        : Reason::no_improvement;
        if (node.reason == Reason::none) split(at, best);
    }

    void describe(const Waiting& at) {
        LeanNode& node = out_.nodes[at.node];
        const Target& target = plan_.target;
        if constexpr (Side::is_class) {
            const std::int64_t* counts = counts_of(node);
            largest_ = 0;
            for (int k = 0; k < n_classes_; ++k) {
                shares_[k] = static_cast<double>(counts[k]);
                largest_ = std::max(largest_, counts[k]);
            }
            is_pure_ = largest_ == node.weight;
            const auto weight = static_cast<double>(node.weight);
            node.impurity = is_pure_ ? 0.0 : std::max(0.0, judge_.side().impurity(shares_.data(), weight));
        } else {
            double squares = 0.0;
            is_pure_ = bag_.spread(at.rows, static_cast<double>(node.sum) / static_cast<double>(node.weight), squares);
            node.spread = is_pure_ ? 0.0 : squares * target.unit * target.unit * target.weight_unit;
            node.impurity = node.spread / (static_cast<double>(node.weight) * target.weight_unit);
        }
    }

    // As many columns as wanted are sampled, and more until one of them varies; the first best by their order wins.
    Best search(const Waiting& at) {
        const LeanNode& node = out_.nodes[at.node];
        judge_.enter({bag_.rows(at.rows),
                      bag_.data(at.rows),
                      node.rows,
                      bag_.weigh_one(),
                      {node.weight, node.sum, counts_of(node)},
                      node.impurity,
                      at.few,
                      at.few == 0 || node.rows == at.rows.size()});
        cuts_.enter([&](std::int32_t column) { make_constant(column); });
        if (wanted_ >= n_columns_) {
            asked_ = all_;
            look_at_asked();
        } else {
            sample(at);
        }
        return cuts_.best(keyed(Purpose::thresholds, at.id));
    }

    void sample(const Waiting& at) {
        sampler_.start();
        Stream stream(keyed(Purpose::features, at.id));
        for (std::int32_t i = 0; i < wanted_; ++i) {
            const std::int32_t column = sampler_.next(stream);
            asked_[column / 64] |= std::uint64_t{1} << (column % 64);
        }
        look_at_asked();
        while (sampler_.has_next() && !cuts_.has_found()) {
            const std::int32_t column = sampler_.next(stream);
            if (!is_constant(column)) look_at(&column, 1);
        }
    }

    // A column that was found constant above is constant here.
    bool is_constant(std::int32_t column) const { return constant_[own_ + column / 64] >> (column % 64) & 1; }

    void look_at_asked() {
        std::int32_t n = 0;
        for (std::int32_t word = 0; word < n_words_; ++word)
            for (std::uint64_t left = std::exchange(asked_[word], 0) & ~constant_[own_ + word]; left; left &= left - 1)
                columns_[n++] = 64 * word + std::countr_zero(left);
        look_at(columns_.data(), n);
    }

    // The columns asked about, in ascending order; those that do not vary here are not looked at again below.
    void look_at(const std::int32_t* columns, std::int32_t n) {
        cuts_.look_at(columns, n, [&](std::int32_t column) { make_constant(column); });
    }

    // A node shares what it knows of constant columns with the nodes above until it knows more.
    void make_constant(std::int32_t column) {
        if (!owns_) {
            const std::size_t from = std::exchange(own_, constant_.size());
            constant_.resize(own_ + n_words_);
            std::copy_n(constant_.data() + from, n_words_, constant_.data() + own_);
            owns_ = true;
        }
        constant_[own_ + column / 64] |= std::uint64_t{1} << (column % 64);
    }

    std::uint64_t keyed(Purpose purpose, std::uint64_t node) const {
        return mix((purpose == Purpose::features ? features_key_ : thresholds_key_) ^ node);
    }

    void split(const Waiting& at, const Best& best) {
        const std::int32_t first = add_nodes(2);
        LeanNode& node = out_.nodes[at.node];
        node.first_child = first;
        node.column = best.column;
        node.gain = judge_.gain();
        Cuts::write(best, node);
        if constexpr (Cuts::counts_rows)
            if (at.few) return part_few(at, best);
        cuts_.with_sides(best, [&](const auto& is_right) { part(at, best, is_right); });
    }

    // What the children are; the rows of those that wait are put in order.
    template <class IsRight>
    void part(const Waiting& at, const Best& best, const IsRight& is_right) {
        LeanNode* child = out_.nodes.data() + out_.nodes[at.node].first_child;
        const bool is_known = cuts_.sums_below(best, child[0], counts_of(child[0]));
        const std::int32_t left = is_known && bag_.weigh_one() ? static_cast<std::int32_t>(child[0].weight)
                                                               : bag_.count_left(at.rows, is_right);
        const std::int32_t middle = at.rows.begin + left;
        const Range rows[2] = {{at.rows.begin, middle, 1 - at.rows.list}, {middle, at.rows.end, 1 - at.rows.list}};
        int small = 0;
        if (!is_known) {
            bag_.part(at.rows, left, is_right);
            small = rows[0].size() <= rows[1].size() ? 0 : 1;
            bag_.sum_up(rows[small], child[small], counts_of(child[small]), n_classes_);
        }
        give_rest(at, small);
        bool any_waits = false;
        for (int b = 1; b >= 0; --b) {
            child[b].rows = rows[b].size();
            const bool is_few = bag_.is_by_class() && child[b].rows <= FEW;
            any_waits |= let_wait(at, b, rows[b], is_few ? first_bits(child[b].rows) : 0);
        }
        if (is_known && any_waits) bag_.part(at.rows, left, is_right);
    }

    // Few rows stay where they are.
    void part_few(const Waiting& at, const Best& best) {
        LeanNode* child = out_.nodes.data() + out_.nodes[at.node].first_child;
        cuts_.sums_below(best, child[0], counts_of(child[0]));
        give_rest(at, 0);
        const std::uint64_t below = cuts_.set_below(best), sets[2] = {below, at.few & ~below};
        for (int b = 1; b >= 0; --b) {
            child[b].rows = static_cast<std::int32_t>(child[b].weight);
            let_wait(at, b, at.rows, sets[b]);
        }
    }

    std::int64_t* counts_of(const LeanNode& node) {
        return out_.counts.data() + (&node - out_.nodes.data()) * n_classes_;
    }

    // What one child does not have the other has.
    void give_rest(const Waiting& at, int known) {
        const LeanNode& node = out_.nodes[at.node];
        LeanNode* child = out_.nodes.data() + node.first_child;
        child[1 - known].weight = node.weight - child[known].weight;
        child[1 - known].sum = node.sum - child[known].sum;
        const std::int64_t *whole = counts_of(node), *counts = counts_of(child[known]);
        std::int64_t* rest = counts_of(child[1 - known]);
        for (int k = 0; k < n_classes_; ++k) rest[k] = whole[k] - counts[k];
    }

    // Returns whether a child waits: one that is pure is closed at once.
    bool let_wait(const Waiting& at, int branch, const Range& rows, std::uint64_t few) {
        const std::int32_t i = out_.nodes[at.node].first_child + branch;
        LeanNode& child = out_.nodes[i];
        if (closes_at_once(child, counts_of(child))) return false;
        waiting_.push_back({i, at.depth + 1, rows, own_, child_id(at.id, static_cast<std::uint64_t>(branch)), few});
        return true;
    }

    // A child that is pure needs no look at its rows.
    bool closes_at_once(LeanNode& child, const std::int64_t* counts) const {
        bool is_pure = !Side::is_class && child.rows == 1;
        for (int k = 0; k < n_classes_; ++k) is_pure |= counts[k] == child.weight;
        if (is_pure) child.reason = Reason::pure;
        return is_pure;
    }

    const Plan& plan_;
    const std::vector<std::uint32_t>& order_;
    std::int32_t n_columns_;
    int n_classes_;
    std::vector<double> shares_;
    std::int32_t n_words_, wanted_;
    LogTable logs_;
    BestOfNode<Side> judge_;
    Cuts cuts_;
    std::uint64_t features_key_ = 0, thresholds_key_ = 0;
    double root_weight_ = 0.0;
    bool is_pure_ = false;
    std::int64_t largest_ = 0;
    LeanTree out_;
    Bag<Side, Cuts::counts_rows> bag_;
    std::vector<Waiting> waiting_;
    std::vector<std::uint64_t> constant_;     // sets of columns, as bits of n_words_ words
    std::size_t own_ = 0;                     // where the node's set begins
    bool owns_ = false;                       // whether that set is the node's alone
    std::vector<std::uint64_t> all_, asked_;  // columns as bits
    ColumnSampler sampler_;
    std::vector<std::int32_t> columns_;
};

template <template <class> class Cuts, class Cells>
[[gnu::cold]] std::unique_ptr<LeanGrower> made_for(const Plan& plan, const Grid& grid, const Cells& cells) {
    const auto made = [&]<class Side>() { return std::make_unique<Grower<Side, Cuts<Side>>>(plan, grid, cells); };
    if (!plan.target.is_class()) return made.template operator()<Numbers>();
    if (plan.criterion.name == "gini" && plan.target.n_classes == 2) return made.template operator()<TwoClasses>();
    return made.template operator()<ManyClasses>();
}

template <class Side>
using NarrowCuts = BestCuts<Side, std::uint16_t>;
template <class Side>
using WideCuts = BestCuts<Side, std::uint32_t>;
template <class Side>
using SingleCuts = DrawnCuts<Side, float>;
template <class Side>
using DoubleCuts = DrawnCuts<Side, double>;

}  // namespace

bool is_lean(const Plan& plan) {
    const bool serves = plan.target.is_class() ? plan.criterion.name == "gini" || plan.criterion.name == "entropy"
                                               : plan.criterion.name == "squared_error";
    if (!serves || !plan.target.class_scale.empty() || !plan.column_cost.empty()) return false;
    if (plan.stops.same_vectors || plan.stops.splits_pure || plan.stops.limits_size()) return false;
    if (plan.cuts.at_data || plan.criterion.c45 || !plan.cuts.is_used || plan.cuts.intervals > 0 ||
        plan.order == Order::best_first)
        return false;
    if (plan.missing.surrogates >= 0 || plan.competitors > 0) return false;
    if (plan.missing.fill != FillBy::nothing || !plan.many.empty() || !plan.price.empty() ||
        plan.criterion.asks_quantile())
        return false;
    if (!plan.target.is_class() && !plan.target.weights.empty()) return false;
    const std::int64_t weight = most_weight(plan);
    if (weight >= WEIGHTS_FIT || (plan.criterion.name == "entropy" && weight > LARGEST_LOG_TABLE)) return false;
    for (const SourceColumn& column : plan.columns) {
        if (column.kind == Kind::nominal) return false;
        for (std::int64_t row = 0; row < plan.n_rows; ++row)
            if (column.reals ? std::isnan(column.reals[row]) : column.codes[row] < 0) return false;
    }
    return !plan.columns.empty();
}

[[gnu::cold]] std::unique_ptr<LeanGrower> make_lean(const Plan& plan, const Grid& grid) {
    if (grid.is_single) return made_for<SingleCuts>(plan, grid, grid.singles);
    if (grid.is_real) return made_for<DoubleCuts>(plan, grid, grid.reals);
    if (grid.is_narrow) return made_for<NarrowCuts>(plan, grid, grid.narrow);
    return made_for<WideCuts>(plan, grid, grid.wide);
}

}  // namespace hornbeam
