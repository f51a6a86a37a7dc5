#include "pieces/tree_from_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pieces/boosted_piece.hpp"

namespace hornbeam {
namespace {

// The leaves of a tree, by their numbers among the nodes that were tried.
std::vector<std::int32_t> leaves_of(const GradientTree& tree) {
    std::vector<std::int32_t> out;
    for (const GradientNode& node : tree.nodes)
        if (node.first_child < 0) out.push_back(node.cells);
    return out;
}

void append_children(const GradientTree& tried, GradientTree& tree, std::int32_t at, bool search_children) {
    const std::int32_t first = tried.nodes[tree.nodes[at].cells].first_child;
    tree.nodes[at].first_child = static_cast<std::int32_t>(tree.nodes.size());
    for (std::int32_t b = 0; b < 2; ++b) {
        GradientNode child = tried.nodes[first + b];
        child.parent = at;
        child.first_child = -1;
        child.cells = first + b;
        child.is_searched = search_children && child.reason == Reason::none;
        if (!child.is_searched) {
            child.gain = 0.0;
            child.split = {};
        }
        tree.nodes.push_back(std::move(child));
    }
}

// The open nodes that may still be split and whose children were not tried: with r leaves left, of the first r.
std::vector<std::int32_t> open_nodes(const GradientTree& tried, const GradientTree& tree, const TreeLimits& limits,
                                     std::int32_t next) {
    std::vector<std::int32_t> open;
    std::int64_t leaves = 0;
    for (std::int32_t at = 0; at < static_cast<std::int32_t>(tree.nodes.size()); ++at) {
        if (tree.nodes[at].first_child >= 0) continue;
        ++leaves;
        if (tree.nodes[at].gain > 0 && at != next) open.push_back(at);
    }
    if (limits.best_first)
        std::stable_sort(open.begin(), open.end(),
                         [&](std::int32_t a, std::int32_t b) { return tree.nodes[a].gain > tree.nodes[b].gain; });
    open.insert(open.begin(), next);
    const std::int64_t left = limits.stops.max_leaves - leaves, count = std::max<std::int64_t>(1, left);
    std::vector<std::int32_t> out;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(count, static_cast<std::int64_t>(open.size())); ++i)
        if (const std::int32_t node = tree.nodes[open[i]].cells; tried.nodes[node].first_child < 0) out.push_back(node);
    return out;
}

// The step of every node that was tried: that of the leaf at or above it. Sets the levels of the tree.
std::vector<double> steps_of(const GradientTree& tried, GradientTree& tree, double rate) {
    std::vector<double> steps(tried.nodes.size(), std::numeric_limits<double>::quiet_NaN());
    tree.levels.resize(tree.nodes.size());
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
        const GradientNode& node = tree.nodes[at];
        if (node.first_child < 0)
            steps[node.cells] = rate * node.value;
        else if (node.split.is_by_levels())
            tree.levels[at] = tried.levels[node.cells];
    }
    for (std::size_t at = 1; at < steps.size(); ++at)
        if (const double above = steps[tried.nodes[at].parent]; !std::isnan(above)) steps[at] = above;
    return steps;
}

}  // namespace

TreeFromSums::TreeFromSums(BoostSettings settings, PieceColumns columns, bool is_weighted, const SumsLimits& limits)
    : settings_(std::move(settings)),
      columns_(std::move(columns)),
      limits_(limits),
      of_class_(columns_.table, settings_.regular, settings_.limits),
      of_all_(columns_.table, settings_.joint.regular, settings_.limits),
      refitting_(columns_.table, settings_.joint.regular),
      test_(settings_.min_f, settings_.f_slope, is_weighted),
      writer_{columns_.table, columns_.n_levels, settings_.rate},
      sums_(columns_) {}

void TreeFromSums::start(const Units& units, std::uint64_t number, bool is_joint) {
    decisions_ = is_joint ? &of_all_ : &of_class_;
    has_leaves_ = !is_joint;
    units_ = units;
    decisions_->start_tree(units, number);
    request_ = {};
    for (std::size_t c = 0; c < columns_.table.columns.size(); ++c)
        if (decisions_->columns_of_tree()[c]) request_.columns.push_back(static_cast<std::int32_t>(c));
    sums_.start(request_.columns);
    request_.cells_per_node = sums_.cells_per_node();
    tried_ = tree_ = GradientTree();
    needed_.clear();
    steps_.clear();
    has_root_ = false;
}

const SumsRequest& TreeFromSums::next() {
    using Wanted = SumsRequest::Wanted;
    request_.nodes.clear();
    request_.wanted = Wanted::nothing;
    if (!steps_.empty()) {
        if (has_leaves_) return request_;
        has_leaves_ = true;
        request_.wanted = Wanted::leaves;
        request_.nodes = leaves_of(tree_);
        return request_;
    }
    if (!has_root_) {
        request_.nodes = {0};
        request_.wanted = Wanted::root;
        return request_;
    }
    while (replay()) {
        expand();
        if (request_.nodes.empty()) continue;
        request_.wanted = Wanted::cells;
        return request_;
    }
    if (!test_.is_used() || tree_.nodes.size() == 1) {
        finish();
        return has_leaves_ ? request_ : next();
    }
    request_.nodes = leaves_of(tree_);
    request_.wanted = Wanted::moments;
    return request_;
}

// Splits nodes in their order; whether the children of a node are needed that were not tried yet.
bool TreeFromSums::replay() {
    needed_.clear();
    tree_ = GradientTree();
    tree_.nodes.push_back(tried_.nodes[0]);
    tree_.nodes[0].first_child = -1;
    tree_.nodes[0].cells = 0;
    decisions_->run(tree_, [&](const std::vector<std::int32_t>& which, bool search_children) {
        for (const std::int32_t at : which) {
            const std::int32_t node = tree_.nodes[at].cells;
            if (tried_.nodes[node].first_child >= 0) continue;
            if (search_children)
                needed_.push_back(node);
            else
                decisions_->add_children(tried_, node, true);
        }
        if (!needed_.empty()) {
            if (decisions_->is_limited()) needed_ = open_nodes(tried_, tree_, settings_.limits, which[0]);
            return false;
        }
        for (const std::int32_t at : which) append_children(tried_, tree_, at, search_children);
        return true;
    });
    return !needed_.empty();
}

// Adds the children of the needed nodes and requests the sums of the smaller one of each pair, or of both if those of
// their parent are not held.
void TreeFromSums::expand() {
    for (const std::int32_t at : needed_) {
        if (static_cast<std::int64_t>(request_.nodes.size()) >= limits_.round_nodes) break;
        decisions_->add_children(tried_, at, true);
        const std::int32_t left = tried_.nodes[at].first_child, right = left + 1;
        const GradientNode &a = tried_.nodes[left], &b = tried_.nodes[right];
        if (!a.is_searched && !b.is_searched) continue;
        const std::int32_t smaller = a.rows() <= b.rows() ? left : right, larger = left + right - smaller;
        if (sums_.holds(at)) {
            request_.nodes.push_back(smaller);
            continue;
        }
        if (tried_.nodes[smaller].is_searched) request_.nodes.push_back(smaller);
        if (tried_.nodes[larger].is_searched) request_.nodes.push_back(larger);
    }
}

void TreeFromSums::answer_root(const Sums& sums, const std::int64_t* cells) {
    has_root_ = true;
    tried_.nodes.push_back(decisions_->root(sums));
    if (!tried_.nodes[0].is_searched) return;
    sums_.take(0, cells);
    search_node(0);
}

void TreeFromSums::answer_cells(const std::int64_t* cells) {
    for (const std::int32_t at : request_.nodes) sums_.take(at, cells);
    for (const std::int32_t at : request_.nodes) {
        const std::int32_t parent = tried_.nodes[at].parent;
        const std::int32_t other = 2 * tried_.nodes[parent].first_child + 1 - at;
        if (!sums_.holds(parent)) continue;
        if (tried_.nodes[other].is_searched) {
            sums_.pass_on(parent, other, at);
            search_node(other);
        }
        sums_.release(parent);
    }
    for (const std::int32_t at : request_.nodes)
        if (tried_.nodes[at].is_searched)
            search_node(at);
        else
            sums_.release(at);
    sums_.keep_largest(tried_, limits_.held_nodes);
}

void TreeFromSums::search_node(std::int32_t at) {
    GradientNode& node = tried_.nodes[at];
    const GradientSearch& search = decisions_->search();
    const std::vector<std::uint8_t> is_searched = decisions_->columns_at(node);
    const std::int64_t least = search.min_child_hessian(node.sums);
    std::vector<GradientSplit> found;
    SearchScratch scratch;
    for (const std::int32_t c : request_.columns)
        if (is_searched[c]) found.push_back(search.best(sums_.of(at, c), c, node.sums, node.bound, least, scratch));
    decisions_->choose_split(node, found);
    if (node.gain > 0)
        decisions_->set_branches(tried_, at, sums_.of(at, node.split.column));
    else
        sums_.release(at);
}

void TreeFromSums::answer_moments(const std::int64_t* moments) {
    std::vector<TestMoments> of(tree_.nodes.size());
    tree_.levels.clear();
    for (std::size_t at = 0; at < tree_.nodes.size(); ++at) {
        if (tree_.nodes[at].first_child >= 0) continue;
        Wide squares = 0;
        for (int i = BoostedPiece::SQUARE_LIMBS; i-- > 0;) squares = (squares << 32) + moments[i];
        of[at] = {squares, moments[BoostedPiece::SQUARE_LIMBS], true};
        moments += BoostedPiece::MOMENTS;
    }
    test_.prune(tree_, columns_.table, of, [](std::int32_t) { return TestMoments(); });
    finish();
}

void TreeFromSums::finish() {
    // A tree without a split changes nothing: a step of -G / H would have no bound.
    if (tree_.nodes.size() == 1) tree_.nodes[0].value = 0.0;
    if (settings_.loss == Loss::poisson) shorten_steps(tree_);
    steps_ = steps_of(tried_, tree_, settings_.rate);
}

void TreeFromSums::refit(const Units& units, const std::int64_t* sums) {
    for (GradientNode& node : tree_.nodes)
        if (node.first_child < 0) node.sums = {sums[0], sums[1]}, sums += 2;
    units_ = units;
    refitting_.set_units(units);
    hornbeam::refit(tree_, refitting_, settings_.joint.regular);
    steps_ = steps_of(tried_, tree_, settings_.rate);
}

CodedTreeArrays TreeFromSums::coded() const {
    CodedTreeArrays out;
    out.step = steps_;
    if (tried_.nodes.empty())
        out.first_child = {-1}, out.column = {0}, out.cut = {-1}, out.map_start = {0}, out.missing = {0};
    for (const GradientNode& node : tried_.nodes) {
        const std::int32_t column = std::max(node.split.column, 0);
        out.first_child.push_back(node.first_child);
        out.column.push_back(column);
        out.cut.push_back(-1);
        out.map_start.push_back(static_cast<std::int32_t>(out.maps.size()));
        out.missing.push_back(0);
        if (node.first_child < 0) continue;
        const std::uint8_t* branch = tried_.branch_pool.data() + node.branches;
        const std::vector<std::uint32_t>& bins = columns_.bin_of[column];
        out.missing.back() = branch[bins.back()];
        if (!node.split.is_cut()) {
            for (const std::uint32_t bin : bins) out.maps.push_back(branch[bin]);
            continue;
        }
        std::int32_t cut = 0;
        for (std::int32_t code = 0; code + 1 < static_cast<std::int32_t>(bins.size()); ++code)
            if (static_cast<std::int32_t>(bins[code]) <= node.split.length) cut = code;
        out.cut.back() = cut;
    }
    return out;
}

}  // namespace hornbeam
