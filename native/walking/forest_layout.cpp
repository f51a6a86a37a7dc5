// Builds the layout of the trees of forest.hpp; forest.cpp walks them.
#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "walking/forest.hpp"

namespace hornbeam {
namespace {

constexpr std::size_t MAX_CUTS = 65534;
constexpr std::size_t MAX_NARROW_COLUMNS = 1 << 14;

// The length of the longest path of a tree if rows take at least half of it on average, else 0.
std::int32_t fixed_steps(const TreeArrays& tree) {
    std::vector<std::int32_t> depth(tree.first_child.size(), 0);
    std::int32_t longest = 0;
    double taken = 0.0;
    for (std::size_t node = 0; node < depth.size(); ++node) {
        longest = std::max(longest, depth[node]);
        if (tree.first_child[node] < 0) continue;
        taken += tree.weight[node];
        for (std::int32_t b = 0; b < tree.n_branches[node]; ++b)
            depth[static_cast<std::size_t>(tree.first_child[node] + b)] = depth[node] + 1;
    }
    return taken >= 0.5 * longest * tree.weight[0] ? longest : 0;
}

// The class with probability 1, or -1.
std::int32_t only_class(const double* probabilities, std::int64_t width) {
    const double* const one =
        std::find_if(probabilities, probabilities + width, [](double probability) { return probability != 0.0; });
    if (one == probabilities + width || *one != 1.0) return -1;
    const bool is_only =
        std::all_of(one + 1, probabilities + width, [](double probability) { return probability == 0.0; });
    return is_only ? static_cast<std::int32_t>(one - probabilities) : -1;
}

// Leaves of one class have the same values, so these are stored once per class. In a tree with a branch for all missing
// and unseen values no row ends at an inner node, so inner nodes have no values.
void store_values(ForestLayout& layout, ForestTree& entry, const TreeArrays& tree, std::span<const double> values) {
    entry.values_at = std::ssize(layout.values);
    if (entry.per_node == 1) {
        for (const double value : values) layout.values.push_back(entry.weight * value);
        return;
    }
    entry.value_row_at = std::ssize(layout.value_row);
    std::vector<std::int32_t> row_of(static_cast<std::size_t>(layout.width), -1);
    std::int32_t rows = 0;
    for (std::int64_t node = 0; node < entry.size; ++node) {
        const bool is_end = !entry.takes_missing || tree.first_child[static_cast<std::size_t>(node)] < 0;
        const double* const probabilities = values.data() + node * layout.width;
        const std::int32_t only = is_end ? only_class(probabilities, layout.width) : -1;
        const std::int32_t known = only < 0 ? -1 : row_of[static_cast<std::size_t>(only)];
        layout.value_row.push_back(is_end ? (known < 0 ? rows : known) : 0);
        if (!is_end || known >= 0) continue;
        if (only >= 0) row_of[static_cast<std::size_t>(only)] = rows;
        for (std::int64_t k = 0; k < layout.width; ++k) layout.values.push_back(entry.weight * probabilities[k]);
        ++rows;
    }
}

std::int32_t index_of(const std::vector<std::int32_t>& used, std::int32_t column) {
    return static_cast<std::int32_t>(std::lower_bound(used.begin(), used.end(), column) - used.begin());
}

template <class To>
std::vector<To> coded_nodes(const std::vector<CompactNode>& compact, ForestLayout& layout) {
    using Code = decltype(To::code);
    std::vector<To> out(compact.size());
    for (std::size_t at = 0; at < compact.size(); ++at) {
        const CompactNode& from = compact[at];
        To& to = out[at];
        to.child = from.child;
        const std::int32_t twice = from.column < 0 ? ~from.column : from.column;
        const std::int32_t index = index_of(layout.used, twice >> 1);
        to.column = static_cast<Code>(2 * index + (twice & 1));
        if (from.column < 0) {
            to.column = static_cast<Code>(to.column | MASK_BIT<Code>);
            layout.masks[at] = from.test;
            continue;
        }
        // An infinite cut comes after all others: only missing values may go right of it.
        const double cut = std::bit_cast<double>(from.test);
        const std::vector<double>& cuts = layout.cuts[static_cast<std::size_t>(index)];
        to.code = static_cast<Code>(std::lower_bound(cuts.begin(), cuts.end(), cut) - cuts.begin());
    }
    for (const ForestTree& entry : layout.trees) {
        for (std::int64_t node = 0; node < (entry.is_coded && entry.size > 1 ? entry.size : 0); ++node) {
            To& to = out[static_cast<std::size_t>(entry.first + node)];
            if (to.child == node) to.code = NEVER<Code>;
        }
    }
    return out;
}

}  // namespace

void ForestWalker::expect(std::int64_t n_nodes) { compact_.reserve(static_cast<std::size_t>(n_nodes)); }

void ForestWalker::add(const TreeArrays& tree, const TreeValues& given) {
    const auto& [values, labels, output, weight] = given;
    const bool is_vote = !labels.empty();
    auto walker = std::make_unique<Walker>(tree);
    ForestTree entry;
    entry.size = static_cast<std::int64_t>(walker->size());
    entry.per_node = static_cast<std::int64_t>(values.size()) / entry.size;
    if (entry.per_node != layout_.width && entry.per_node != 1)
        throw std::invalid_argument("values must have one or width entries per node");
    if (output < 0 || output >= layout_.width) throw std::invalid_argument("output must be between 0 and width - 1");
    if (is_vote && std::ssize(labels) != entry.size) throw std::invalid_argument("labels must have one entry per node");
    entry.output = output;
    entry.weight = weight;
    entry.is_vote = is_vote;
    entry.is_coded = !walker->compact().empty() || entry.size == 1;
    entry.takes_missing = entry.is_coded && walker->compact().takes_missing();
    entry.has_masks = walker->compact().has_masks();
    entry.steps = fixed_steps(tree);
    layout_.has_masks |= entry.has_masks;
    layout_.used.insert(layout_.used.end(), walker->columns().begin(), walker->columns().end());
    if (is_vote) {
        entry.values_at = std::ssize(layout_.labels);
        for (const double label : labels) {
            if (!(label >= 0 && label < static_cast<double>(layout_.width)))
                throw std::invalid_argument("labels must be between 0 and width - 1");
            layout_.labels.push_back(static_cast<std::int32_t>(label));
        }
    } else {
        store_values(layout_, entry, tree, values);
    }
    if (!entry.takes_missing) entry.own_values.assign(values.begin(), values.end());
    entry.first = std::ssize(compact_);
    if (entry.is_coded) {
        for (CompactNode node : walker->compact().nodes()) {
            const bool is_mask = node.column < 0;
            const std::int32_t twice = is_mask ? ~node.column : node.column;
            const std::int32_t column = 2 * walker->columns()[static_cast<std::size_t>(twice >> 1)] + (twice & 1);
            node.column = is_mask ? ~column : column;
            compact_.push_back(node);
        }
        if (entry.has_masks) {
            layout_.unseen.resize(static_cast<std::size_t>(entry.first), 0);
            layout_.unseen.insert(layout_.unseen.end(), walker->compact().unseen().begin(),
                                  walker->compact().unseen().end());
        }
    }
    if (!entry.takes_missing) entry.walker = std::move(walker);
    layout_.trees.push_back(std::move(entry));
}

void ForestWalker::finish() {
    std::sort(layout_.used.begin(), layout_.used.end());
    layout_.used.erase(std::unique(layout_.used.begin(), layout_.used.end()), layout_.used.end());
    layout_.cuts.resize(layout_.used.size());
    for (const CompactNode& node : compact_) {
        if (node.column < 0) continue;
        const double cut = std::bit_cast<double>(node.test);
        if (cut < std::numeric_limits<double>::infinity())
            layout_.cuts[static_cast<std::size_t>(index_of(layout_.used, node.column >> 1))].push_back(cut);
    }
    layout_.is_wide = layout_.used.size() >= MAX_NARROW_COLUMNS;
    for (std::vector<double>& cuts : layout_.cuts) {
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        cuts.shrink_to_fit();
        layout_.is_wide |= cuts.size() > MAX_CUTS;
    }
    if (layout_.has_masks) layout_.masks.assign(compact_.size(), 0), layout_.unseen.resize(compact_.size(), 0);
    if (layout_.is_wide)
        layout_.wide = coded_nodes<WideCodedNode>(compact_, layout_);
    else
        layout_.nodes = coded_nodes<CodedNode>(compact_, layout_);
    compact_ = {};
    layout_.values.shrink_to_fit(), layout_.value_row.shrink_to_fit();
}

}  // namespace hornbeam
