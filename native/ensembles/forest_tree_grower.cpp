#include "ensembles/forest_tree_grower.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "core/random.hpp"
#include "ensembles/bag.hpp"
#include "ensembles/best_cuts.hpp"
#include "ensembles/candidate_columns.hpp"
#include "ensembles/random_cuts.hpp"
#include "nodes/growth_loop.hpp"
#include "nodes/scoring.hpp"

namespace hornbeam {
namespace {

// Sums of squares and packed sums are exact below this weight.
constexpr std::int64_t WEIGHT_LIMIT = std::int64_t{1} << 31;
constexpr std::int64_t LARGEST_LOG_TABLE = std::int64_t{1} << 22;

// An upper bound of the weight of the sampled rows of a tree.
std::int64_t max_weight(const Plan& plan) {
    std::int64_t largest = 1;
    for (const std::int64_t w : plan.target.weights) largest = std::max(largest, w);
    return largest < WEIGHT_LIMIT ? largest * plan.n_rows : WEIGHT_LIMIT;
}

LogTable logs_for(const Plan& plan) {
    LogTable logs;
    if (plan.criterion.name == "entropy") logs.fill(max_weight(plan));
    return logs;
}

CutLimits limits_for(const Plan& plan) {
    CutLimits limits;
    limits.rows = static_cast<std::int32_t>(std::max<std::int64_t>(plan.stops.min_leaf, 1));
    limits.weight = whole_limit(plan.stops.min_leaf_weight / plan.target.weight_unit);
    limits.zero_gain = plan.criterion.zero_gain;
    return limits;
}

// A node that will be processed: its rows and its index in the tree.
struct OpenNode {
    std::int32_t node, depth;
    Range rows;
    std::size_t constant;  // offset of its set of constant columns
    std::uint64_t id;
    std::uint64_t row_set = 0;  // bit set of its rows (bitset_lanes.hpp); 0: all rows of the range
};

// `Cuts` finds the best cut of the candidate columns of a node: BestCuts or RandomCuts.
template <class Side, class Cuts>
class Grower final : public ForestTreeGrower {
  public:
    using Best = typename Cuts::Best;

    template <class Cells>
    Grower(const Plan& plan, const Grid& grid, const Cells& cells)
        : plan_(plan),
          order_(grid.order),
          n_classes_(Side::is_class ? plan.target.n_classes : 0),
          class_weights_(n_classes_),
          logs_(logs_for(plan)),
          scorer_(limits_for(plan), Side(n_classes_, logs_.values.empty() ? nullptr : logs_.values.data(),
                                         Side::is_class ? logs_.unit : plan.target.unit)),
          cuts_(grid, cells, scorer_, n_classes_),
          constant_(grid.n_columns),
          candidates_(grid.n_columns, plan.max_features) {
        out_.n_classes = n_classes_;
    }

    const TreeRecords& grow(const std::vector<std::uint32_t>& times, std::uint64_t tree, const Stop& stop) override {
        features_key_ = mix(mix(mix(plan_.seed) ^ static_cast<std::uint64_t>(Purpose::features)) ^ tree);
        thresholds_key_ = mix(mix(mix(plan_.seed) ^ static_cast<std::uint64_t>(Purpose::thresholds)) ^ tree);
        open_nodes_.open.clear();
        add_root(times);
        grow_nodes(open_nodes_, [&](const OpenNode& next) {
            if (stop.is_requested()) return false;
            constant_.start_node(next.constant);
            process(next);
            return true;
        });
        return out_;
    }

  private:
    void add_root(const std::vector<std::uint32_t>& times) {
        const Range all = bag_.fill(plan_.target, order_, plan_.n_rows, times);
        out_.n_nodes = 0;
        out_.add(1);
        NodeRecord& root = out_.nodes[0];
        root.rows = all.size();
        bag_.sum_up(all, root, out_.counts.data(), n_classes_);
        root_weight_ = static_cast<double>(root.weight);
        constant_.start_tree();
        open_nodes_.open.push_back({0, 0, all, 0, kRootId});
    }

    // Splits a node at the best cut of its candidate columns, unless a stopping rule makes it a leaf.
    void process(const OpenNode& at) {
        NodeRecord& node = out_.nodes[at.node];
        std::int64_t largest = 0;
        const bool is_pure = set_impurity(at, node, largest);
        const auto weight = static_cast<double>(node.weight);
        node.reason = plan_.stops.early(
            {node.rows, weight * plan_.target.weight_unit, at.depth, is_pure},
            [&] { return Side::is_class ? static_cast<double>(largest) / weight : 0.0; }, [] { return false; });
        if (node.reason != Reason::none) return;
        const Best best = search(at, node);
        node.reason = scorer_.has_best() ? plan_.stops.late(scorer_.gain(), [&] { return weight / root_weight_; })
                                         : Reason::no_improvement;
        if (node.reason == Reason::none) split(at, best);
    }

    // Sets the impurity of a node and the weight of its largest class; returns whether the node is pure.
    bool set_impurity(const OpenNode& at, NodeRecord& node, std::int64_t& largest) {
        const auto weight = static_cast<double>(node.weight);
        if constexpr (Side::is_class) {
            const std::int64_t* counts = out_.counts_of(node);
            for (int k = 0; k < n_classes_; ++k) {
                class_weights_[k] = static_cast<double>(counts[k]);
                largest = std::max(largest, counts[k]);
            }
            const bool is_pure = largest == node.weight;
            node.impurity = is_pure ? 0.0 : std::max(0.0, scorer_.side().impurity(class_weights_.data(), weight));
            return is_pure;
        } else {
            const Target& target = plan_.target;
            double squares = 0.0;
            const bool is_pure = bag_.add_squared_deviations(at.rows, static_cast<double>(node.sum) / weight, squares);
            node.spread = is_pure ? 0.0 : squares * target.unit * target.unit * target.weight_unit;
            node.impurity = node.spread / (weight * target.weight_unit);
            return is_pure;
        }
    }

    // Finds the first best cut in the order of columns. Constant columns are not searched again below this node.
    Best search(const OpenNode& at, const NodeRecord& node) {
        scorer_.start_node({bag_.rows(at.rows),
                            bag_.data(at.rows),
                            static_cast<std::int32_t>(node.rows),
                            bag_.unit_weights(),
                            {node.weight, node.sum, out_.counts_of(node)},
                            node.impurity,
                            at.row_set,
                            at.row_set == 0 || node.rows == at.rows.size()});
        const auto on_constant = [&](std::int32_t column) { constant_.add(column); };
        cuts_.start_node(on_constant);
        candidates_.for_each(
            mix(features_key_ ^ at.id), constant_,
            [&](const std::int32_t* columns, std::int32_t n) { cuts_.search(columns, n, on_constant); },
            [&] { return cuts_.has_found(); });
        return cuts_.best(mix(thresholds_key_ ^ at.id));
    }

    void split(const OpenNode& at, const Best& best) {
        const std::int32_t first = out_.add(2);
        NodeRecord& node = out_.nodes[at.node];
        node.first_child = first;
        node.column = best.column;
        node.gain = scorer_.gain();
        node.cut = cuts_.threshold(best);
        if constexpr (Cuts::counts_rows)
            if (at.row_set) return partition_set(at, best);
        cuts_.with_is_right(best, [&](const auto& is_right) { partition(at, best, is_right); });
    }

    // Sets the children of a node; partitions the rows unless both children are leaves.
    template <class IsRight>
    void partition(const OpenNode& at, const Best& best, const IsRight& is_right) {
        NodeRecord* child = out_.children(out_.nodes[at.node]);
        const bool is_known = cuts_.sums_below(best, child[0], out_.counts_of(child[0]));
        const std::int32_t left = is_known && bag_.unit_weights() ? static_cast<std::int32_t>(child[0].weight)
                                                                  : bag_.count_left(at.rows, is_right);
        const std::int32_t middle = at.rows.begin + left;
        const Range rows[2] = {{at.rows.begin, middle, 1 - at.rows.list}, {middle, at.rows.end, 1 - at.rows.list}};
        int small = 0;
        if (!is_known) {
            bag_.partition(at.rows, left, is_right);
            small = rows[0].size() <= rows[1].size() ? 0 : 1;
            bag_.sum_up(rows[small], child[small], out_.counts_of(child[small]), n_classes_);
        }
        out_.set_other_child(out_.nodes[at.node], small);
        bool any_open = false;
        for (int b = 1; b >= 0; --b) {
            child[b].rows = rows[b].size();
            const bool is_small = bag_.is_by_class() && rows[b].size() <= BITSET_ROWS;
            any_open |= open_child(at, b, rows[b], is_small ? first_bits(rows[b].size()) : 0);
        }
        if (is_known && any_open) bag_.partition(at.rows, left, is_right);
    }

    // The same for a bit set of rows: the rows stay in place.
    void partition_set(const OpenNode& at, const Best& best) {
        NodeRecord* child = out_.children(out_.nodes[at.node]);
        cuts_.sums_below(best, child[0], out_.counts_of(child[0]));
        out_.set_other_child(out_.nodes[at.node], 0);
        const std::uint64_t below = cuts_.set_below(best), sets[2] = {below, at.row_set & ~below};
        for (int b = 1; b >= 0; --b) {
            child[b].rows = static_cast<std::int32_t>(child[b].weight);
            open_child(at, b, at.rows, sets[b]);
        }
    }

    // Adds a child to the open nodes, or makes it a leaf if it is pure; returns whether it is open.
    bool open_child(const OpenNode& at, int branch, const Range& rows, std::uint64_t row_set) {
        const std::int32_t i = out_.nodes[at.node].first_child + branch;
        if (out_.is_known_pure(out_.nodes[i])) {
            out_.nodes[i].reason = Reason::pure;
            return false;
        }
        open_nodes_.open.push_back(
            {i, at.depth + 1, rows, constant_.offset(), child_id(at.id, static_cast<std::uint64_t>(branch)), row_set});
        return true;
    }

    const Plan& plan_;
    const std::vector<std::uint32_t>& order_;
    int n_classes_;
    std::vector<double> class_weights_;
    LogTable logs_;
    CutScorer<Side> scorer_;
    Cuts cuts_;
    std::uint64_t features_key_ = 0, thresholds_key_ = 0;
    double root_weight_ = 0.0;
    TreeRecords out_;
    Bag<Side, Cuts::counts_rows> bag_;
    Stack<OpenNode> open_nodes_;
    ConstantColumns constant_;
    CandidateColumns candidates_;
};

template <template <class, class> class Cuts, class Cell>
[[gnu::cold]] std::unique_ptr<ForestTreeGrower> grower_for(const Plan& plan, const Grid& grid,
                                                           const Cells<Cell>& cells) {
    const auto make = [&]<class Side>() { return std::make_unique<Grower<Side, Cuts<Side, Cell>>>(plan, grid, cells); };
    if (!plan.target.is_class()) return make.template operator()<Numbers>();
    if (plan.criterion.name == "gini" && plan.target.n_classes == 2) return make.template operator()<TwoClasses>();
    return make.template operator()<ManyClasses>();
}

}  // namespace

bool has_forest_grower(const Plan& plan) {
    const bool supports_criterion = plan.target.is_class()
                                        ? plan.criterion.name == "gini" || plan.criterion.name == "entropy"
                                        : plan.criterion.name == "squared_error";
    if (!supports_criterion || !plan.target.class_scale.empty() || !plan.column_cost.empty()) return false;
    if (plan.stops.same_vectors || plan.stops.splits_pure || plan.stops.limits_size()) return false;
    if (plan.cuts.at_data || plan.cuts.c45_size || plan.criterion.c45 || !plan.cuts.is_used ||
        plan.cuts.intervals > 0 || plan.order == Order::best_first)
        return false;
    if (plan.missing.surrogates >= 0 || plan.competitors > 0) return false;
    if (plan.missing.impute != ImputeBy::nothing || !plan.many.empty() || !plan.given.first.empty() ||
        !plan.split_penalty.empty() || plan.criterion.uses_quantile())
        return false;
    if (!plan.target.is_class() && !plan.target.weights.empty()) return false;
    const std::int64_t weight = max_weight(plan);
    if (weight >= WEIGHT_LIMIT || (plan.criterion.name == "entropy" && weight > LARGEST_LOG_TABLE)) return false;
    for (const SourceColumn& column : plan.columns) {
        if (column.kind == Kind::nominal) return false;
        for (std::int64_t row = 0; row < plan.n_rows; ++row)
            if (column.is_missing(row)) return false;
    }
    return !plan.columns.empty();
}

[[gnu::cold]] std::unique_ptr<ForestTreeGrower> make_forest_tree_grower(const Plan& plan, const Grid& grid) {
    const auto make = [&]<class Cell>(const Cells<Cell>& cells) {
        if constexpr (std::is_floating_point_v<Cell>)
            return grower_for<RandomCuts>(plan, grid, cells);
        else
            return grower_for<BestCuts>(plan, grid, cells);
    };
    return std::visit(make, grid.cells);
}

}  // namespace hornbeam
