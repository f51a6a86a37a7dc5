#include "ensembles/lean.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "ensembles/asked_columns.hpp"
#include "ensembles/bag.hpp"
#include "ensembles/best_cuts.hpp"
#include "ensembles/drawn_cuts.hpp"
#include "nodes/growth_loop.hpp"
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

LogTable logs_for(const Plan& plan) {
    LogTable logs;
    if (plan.criterion.name == "entropy") logs.fill(most_weight(plan));
    return logs;
}

CutLimits limits_for(const Plan& plan) {
    CutLimits limits;
    limits.rows = static_cast<std::int32_t>(std::max<std::int64_t>(plan.stops.min_leaf, 1));
    limits.weight = whole_limit(plan.stops.min_leaf_weight / plan.target.weight_unit);
    limits.zero_gain = plan.criterion.zero_gain;
    return limits;
}

// A node that waits: its rows, and its place in the tree.
struct Waiting {
    std::int32_t node, depth;
    Range rows;
    std::size_t constant;  // the place of its set of constant columns
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
          n_classes_(Side::is_class ? plan.target.n_classes : 0),
          shares_(n_classes_),
          logs_(logs_for(plan)),
          judge_(limits_for(plan), Side(n_classes_, logs_.values.empty() ? nullptr : logs_.values.data(),
                                        Side::is_class ? logs_.unit : plan.target.unit)),
          cuts_(grid, cells, judge_, n_classes_),
          constant_(grid.n_columns),
          asked_(grid.n_columns, plan.max_features) {
        out_.n_classes = n_classes_;
    }

    const LeanTree& grow(const std::vector<std::uint32_t>& times, std::uint64_t tree, const Stop& stop) override {
        features_key_ = mix(mix(mix(plan_.seed) ^ static_cast<std::uint64_t>(Purpose::features)) ^ tree);
        thresholds_key_ = mix(mix(mix(plan_.seed) ^ static_cast<std::uint64_t>(Purpose::thresholds)) ^ tree);
        waiting_.open.clear();
        plant(times);
        grow_nodes(waiting_, [&](const Waiting& next) {
            if (stop.is_requested()) return false;
            constant_.enter(next.constant);
            settle(next);
            return true;
        });
        return out_;
    }

  private:
    void plant(const std::vector<std::uint32_t>& times) {
        const Range all = bag_.fill(plan_.target, order_, plan_.n_rows, times);
        out_.n_nodes = 0;
        out_.add(1);
        LeanNode& root = out_.nodes[0];
        root.rows = all.size();
        bag_.sum_up(all, root, out_.counts.data(), n_classes_);
        root_weight_ = static_cast<double>(root.weight);
        constant_.start_tree();
        waiting_.open.push_back({0, 0, all, 0, kRootId});
    }

    // The node becomes a leaf, or asks the best question about the columns drawn.
    void settle(const Waiting& at) {
        LeanNode& node = out_.nodes[at.node];
        std::int64_t largest = 0;
        const bool is_pure = describe(at, node, largest);
        const auto weight = static_cast<double>(node.weight);
        node.reason = plan_.stops.early(
            {node.rows, weight * plan_.target.weight_unit, at.depth, is_pure},
            [&] { return Side::is_class ? static_cast<double>(largest) / weight : 0.0; }, [] { return false; });
        if (node.reason != Reason::none) return;
        const Best best = search(at, node);
        node.reason = judge_.has_best() ? plan_.stops.late(judge_.gain(), [&] { return weight / root_weight_; })
                                        : Reason::no_improvement;
        if (node.reason == Reason::none) split(at, best);
    }

    // Its impurity, and the weight of its largest class; returns whether it is pure.
    bool describe(const Waiting& at, LeanNode& node, std::int64_t& largest) {
        const auto weight = static_cast<double>(node.weight);
        if constexpr (Side::is_class) {
            const std::int64_t* counts = out_.counts_of(node);
            for (int k = 0; k < n_classes_; ++k) {
                shares_[k] = static_cast<double>(counts[k]);
                largest = std::max(largest, counts[k]);
            }
            const bool is_pure = largest == node.weight;
            node.impurity = is_pure ? 0.0 : std::max(0.0, judge_.side().impurity(shares_.data(), weight));
            return is_pure;
        } else {
            const Target& target = plan_.target;
            double squares = 0.0;
            const bool is_pure = bag_.spread(at.rows, static_cast<double>(node.sum) / weight, squares);
            node.spread = is_pure ? 0.0 : squares * target.unit * target.unit * target.weight_unit;
            node.impurity = node.spread / (weight * target.weight_unit);
            return is_pure;
        }
    }

    // The first best by the order of the columns wins; those that do not vary are not looked at again below.
    Best search(const Waiting& at, const LeanNode& node) {
        judge_.enter({bag_.rows(at.rows),
                      bag_.data(at.rows),
                      node.rows,
                      bag_.weigh_one(),
                      {node.weight, node.sum, out_.counts_of(node)},
                      node.impurity,
                      at.few,
                      at.few == 0 || node.rows == at.rows.size()});
        const auto on_constant = [&](std::int32_t column) { constant_.add(column); };
        cuts_.enter(on_constant);
        asked_.each(
            mix(features_key_ ^ at.id), constant_,
            [&](const std::int32_t* columns, std::int32_t n) { cuts_.look_at(columns, n, on_constant); },
            [&] { return cuts_.has_found(); });
        return cuts_.best(mix(thresholds_key_ ^ at.id));
    }

    void split(const Waiting& at, const Best& best) {
        const std::int32_t first = out_.add(2);
        LeanNode& node = out_.nodes[at.node];
        node.first_child = first;
        node.column = best.column;
        node.gain = judge_.gain();
        node.cut = cuts_.threshold(best);
        if constexpr (Cuts::counts_rows)
            if (at.few) return part_few(at, best);
        cuts_.with_sides(best, [&](const auto& is_right) { part(at, best, is_right); });
    }

    // What the children are; the rows of those that wait are put in order.
    template <class IsRight>
    void part(const Waiting& at, const Best& best, const IsRight& is_right) {
        LeanNode* child = out_.children(out_.nodes[at.node]);
        const bool is_known = cuts_.sums_below(best, child[0], out_.counts_of(child[0]));
        const std::int32_t left = is_known && bag_.weigh_one() ? static_cast<std::int32_t>(child[0].weight)
                                                               : bag_.count_left(at.rows, is_right);
        const std::int32_t middle = at.rows.begin + left;
        const Range rows[2] = {{at.rows.begin, middle, 1 - at.rows.list}, {middle, at.rows.end, 1 - at.rows.list}};
        int small = 0;
        if (!is_known) {
            bag_.part(at.rows, left, is_right);
            small = rows[0].size() <= rows[1].size() ? 0 : 1;
            bag_.sum_up(rows[small], child[small], out_.counts_of(child[small]), n_classes_);
        }
        out_.set_other_child(out_.nodes[at.node], small);
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
        LeanNode* child = out_.children(out_.nodes[at.node]);
        cuts_.sums_below(best, child[0], out_.counts_of(child[0]));
        out_.set_other_child(out_.nodes[at.node], 0);
        const std::uint64_t below = cuts_.set_below(best), sets[2] = {below, at.few & ~below};
        for (int b = 1; b >= 0; --b) {
            child[b].rows = static_cast<std::int32_t>(child[b].weight);
            let_wait(at, b, at.rows, sets[b]);
        }
    }

    // Returns whether a child waits: one that is pure is closed at once.
    bool let_wait(const Waiting& at, int branch, const Range& rows, std::uint64_t few) {
        const std::int32_t i = out_.nodes[at.node].first_child + branch;
        if (out_.is_plainly_pure(out_.nodes[i])) {
            out_.nodes[i].reason = Reason::pure;
            return false;
        }
        waiting_.open.push_back(
            {i, at.depth + 1, rows, constant_.place(), child_id(at.id, static_cast<std::uint64_t>(branch)), few});
        return true;
    }

    const Plan& plan_;
    const std::vector<std::uint32_t>& order_;
    int n_classes_;
    std::vector<double> shares_;
    LogTable logs_;
    BestOfNode<Side> judge_;
    Cuts cuts_;
    std::uint64_t features_key_ = 0, thresholds_key_ = 0;
    double root_weight_ = 0.0;
    LeanTree out_;
    Bag<Side, Cuts::counts_rows> bag_;
    Stack<Waiting> waiting_;
    ConstantColumns constant_;
    AskedColumns asked_;
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
    if (plan.cuts.at_data || plan.cuts.c45_size || plan.criterion.c45 || !plan.cuts.is_used ||
        plan.cuts.intervals > 0 || plan.order == Order::best_first)
        return false;
    if (plan.missing.surrogates >= 0 || plan.competitors > 0) return false;
    if (plan.missing.fill != FillBy::nothing || !plan.many.empty() || !plan.given.first.empty() ||
        !plan.price.empty() || plan.criterion.asks_quantile())
        return false;
    if (!plan.target.is_class() && !plan.target.weights.empty()) return false;
    const std::int64_t weight = most_weight(plan);
    if (weight >= WEIGHTS_FIT || (plan.criterion.name == "entropy" && weight > LARGEST_LOG_TABLE)) return false;
    for (const SourceColumn& column : plan.columns) {
        if (column.kind == Kind::nominal) return false;
        for (std::int64_t row = 0; row < plan.n_rows; ++row)
            if (column.is_missing(row)) return false;
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
