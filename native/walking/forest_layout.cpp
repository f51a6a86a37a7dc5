// See forest.hpp. This file lays the trees out; forest.cpp walks them.
#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "walking/forest.hpp"

namespace hornbeam {
namespace {

constexpr std::size_t kMostCuts = 65534;
constexpr std::size_t kMostNarrowColumns = 1 << 14;

// The longest path of a tree if rows take half of it or more on average, else 0.
std::int32_t even_steps(const TreeArrays& tree) {
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

// The class that has all of the shares, or -1.
std::int32_t only_class(const double* shares, std::int64_t width) {
    const double* const one = std::find_if(shares, shares + width, [](double share) { return share != 0.0; });
    if (one == shares + width || *one != 1.0) return -1;
    const bool is_only = std::all_of(one + 1, shares + width, [](double share) { return share == 0.0; });
    return is_only ? static_cast<std::int32_t>(one - shares) : -1;
}

}  // namespace

void ForestWalker::expect(std::int64_t n_nodes) { lean_.reserve(static_cast<std::size_t>(n_nodes)); }

// A leaf of one class says what all others of that class say, so these rows of values are kept once. A tree that has a
// branch for everything is never left at an inner node.
void ForestWalker::keep_values(Member& member, const TreeArrays& tree, std::span<const double> values) {
    member.values_at = std::ssize(values_);
    if (member.per_node == 1) {
        for (const double value : values) values_.push_back(member.weight * value);
        return;
    }
    member.said_at = std::ssize(said_);
    std::vector<std::int32_t> row_of(static_cast<std::size_t>(width_), -1);
    std::int32_t rows = 0;
    for (std::int64_t node = 0; node < member.size; ++node) {
        const bool is_told = !member.takes_missing || tree.first_child[static_cast<std::size_t>(node)] < 0;
        const double* const shares = values.data() + node * width_;
        const std::int32_t only = is_told ? only_class(shares, width_) : -1;
        const std::int32_t known = only < 0 ? -1 : row_of[static_cast<std::size_t>(only)];
        said_.push_back(is_told ? (known < 0 ? rows : known) : 0);
        if (!is_told || known >= 0) continue;
        if (only >= 0) row_of[static_cast<std::size_t>(only)] = rows;
        for (std::int64_t k = 0; k < width_; ++k) values_.push_back(member.weight * shares[k]);
        ++rows;
    }
}

void ForestWalker::add(const TreeArrays& tree, std::span<const double> values, std::span<const double> answer,
                       bool is_vote, std::int32_t output, double weight) {
    auto walker = std::make_unique<Walker>(tree);
    Member member;
    member.size = static_cast<std::int64_t>(walker->size());
    member.per_node = static_cast<std::int64_t>(values.size()) / member.size;
    if (member.per_node != width_ && member.per_node != 1) throw std::invalid_argument("values do not fit the width");
    if (output < 0 || output >= width_) throw std::invalid_argument("the output lies outside");
    if (is_vote && std::ssize(answer) != member.size) throw std::invalid_argument("one answer a node is needed");
    member.output = output;
    member.weight = weight;
    member.is_vote = is_vote;
    member.is_coded = !walker->lean_.empty() || member.size == 1;
    member.takes_missing = member.is_coded && walker->lean_takes_missing_;
    member.has_masks = walker->lean_has_masks_;
    member.steps = even_steps(tree);
    has_masks_ |= member.has_masks;
    used_.insert(used_.end(), walker->used_.begin(), walker->used_.end());
    if (is_vote) {
        member.values_at = std::ssize(labels_);
        for (const double label : answer) {
            if (!(label >= 0 && label < static_cast<double>(width_)))
                throw std::invalid_argument("a label lies outside");
            labels_.push_back(static_cast<std::int32_t>(label));
        }
    } else {
        keep_values(member, tree, values);
    }
    if (!member.takes_missing) member.values.assign(values.begin(), values.end());
    member.first = std::ssize(lean_);
    if (member.is_coded) {
        for (Walker::LeanNode node : walker->lean_) {
            const bool is_mask = node.column < 0;
            const std::int32_t twice = is_mask ? ~node.column : node.column;
            const std::int32_t column = 2 * walker->used_[static_cast<std::size_t>(twice >> 1)] + (twice & 1);
            node.column = is_mask ? ~column : column;
            lean_.push_back(node);
        }
        if (member.has_masks) {
            unseen_.resize(static_cast<std::size_t>(member.first), 0);
            unseen_.insert(unseen_.end(), walker->lean_unseen_.begin(), walker->lean_unseen_.end());
        }
    }
    if (!member.takes_missing) member.walker = std::move(walker);
    members_.push_back(std::move(member));
}

std::int32_t ForestWalker::place_of(std::int32_t column) const {
    return static_cast<std::int32_t>(std::lower_bound(used_.begin(), used_.end(), column) - used_.begin());
}

void ForestWalker::finish() {
    std::sort(used_.begin(), used_.end());
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    cuts_.resize(used_.size());
    for (const Walker::LeanNode& node : lean_) {
        if (node.column < 0) continue;
        const double cut = std::bit_cast<double>(node.test);
        if (cut < std::numeric_limits<double>::infinity())
            cuts_[static_cast<std::size_t>(place_of(node.column >> 1))].push_back(cut);
    }
    is_wide_ = used_.size() >= kMostNarrowColumns;
    for (std::vector<double>& cuts : cuts_) {
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        cuts.shrink_to_fit();
        is_wide_ |= cuts.size() > kMostCuts;
    }
    if (has_masks_) masks_.assign(lean_.size(), 0), unseen_.resize(lean_.size(), 0);
    if (is_wide_)
        wide_ = coded_nodes<WideNode>();
    else
        nodes_ = coded_nodes<Node>();
    lean_ = {};
    values_.shrink_to_fit(), said_.shrink_to_fit();
}

template <class To>
std::vector<To> ForestWalker::coded_nodes() {
    using Code = decltype(To::code);
    std::vector<To> out(lean_.size());
    for (std::size_t at = 0; at < lean_.size(); ++at) {
        const Walker::LeanNode& from = lean_[at];
        To& to = out[at];
        to.child = from.child;
        const std::int32_t twice = from.column < 0 ? ~from.column : from.column;
        const std::int32_t place = place_of(twice >> 1);
        to.column = static_cast<Code>(2 * place + (twice & 1));
        if (from.column < 0) {
            to.column = static_cast<Code>(to.column | MASK_BIT<Code>);
            masks_[at] = from.test;
            continue;
        }
        // A cut beyond all numbers stands after all others: missing values alone may go right of it.
        const double cut = std::bit_cast<double>(from.test);
        const std::vector<double>& cuts = cuts_[static_cast<std::size_t>(place)];
        to.code = static_cast<Code>(std::lower_bound(cuts.begin(), cuts.end(), cut) - cuts.begin());
    }
    for (const Member& member : members_) {
        for (std::int64_t node = 0; node < (member.is_coded && member.size > 1 ? member.size : 0); ++node) {
            To& to = out[static_cast<std::size_t>(member.first + node)];
            if (to.child == node) to.code = NEVER<Code>;
        }
    }
    return out;
}

}  // namespace hornbeam
