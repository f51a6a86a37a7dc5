#include "nodes/block.hpp"

#include <algorithm>
#include <numeric>

namespace hornbeam {
namespace {

template <class T>
std::vector<T> selected(const std::vector<T>& from, const std::uint32_t* rows, std::int32_t n) {
    std::vector<T> out;
    if (from.empty()) return out;
    out.resize(n);
    for (std::int32_t i = 0; i < n; ++i) out[i] = from[rows[i]];
    return out;
}

// The same for arrays with `each` numbers per row.
std::vector<std::int64_t> selected(const std::vector<std::int64_t>& from, std::size_t each, const std::uint32_t* rows,
                                   std::int32_t n) {
    if (each <= 1) return selected(from, rows, n);
    std::vector<std::int64_t> out;
    out.reserve(n * each);
    for (std::int32_t i = 0; i < n; ++i)
        out.insert(out.end(), from.begin() + rows[i] * each, from.begin() + (rows[i] + 1) * each);
    return out;
}

template <class Entry>
std::shared_ptr<AnyBlock> whole_block_of(const Plan& plan, std::vector<ReadyColumn>& columns) {
    auto block = std::make_shared<Block<Entry>>();
    const auto n = static_cast<std::int32_t>(plan.n_rows);
    block->n_rows = n;
    block->is_wide = sizeof(Entry) == 8;
    block->has_list.assign(columns.size(), false);
    block->lists.resize(columns.size());
    block->codes.resize(columns.size());
    block->is_sparse.assign(columns.size(), false);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        ReadyColumn& column = columns[c];
        block->has_list[c] = column.is_listed;
        block->is_sparse[c] = column.is_sparse;
        block->codes[c] = std::move(column.codes);
        if constexpr (sizeof(Entry) == 8) {
            block->lists[c] = std::move(column.sorted);
        } else {
            block->lists[c].resize(column.sorted.size());
            std::transform(column.sorted.begin(), column.sorted.end(), block->lists[c].begin(), [](std::uint64_t item) {
                return static_cast<Entry>(((item >> 32) & NO_RANK<Entry>) << HALF<Entry>) |
                       static_cast<Entry>(item & NO_RANK<Entry>);
            });
            std::vector<std::uint64_t>().swap(column.sorted);
        }
    }
    return block;
}

// Copies the list of one column of a node to its new block. `span` is the node's range if the column is sparse.
template <class Entry>
void move_list(Block<Entry>& from, Block<std::uint32_t>& to, std::int32_t begin,
               const std::vector<std::uint32_t>& local, std::int32_t column, Span* span) {
    if (to.is_sparse[column]) {
        const Entry* source = from.list(column) + span->begin;
        to.lists[column].resize(span->size());
        for (std::int32_t i = 0; i < span->size(); ++i)
            to.lists[column][i] = static_cast<std::uint32_t>(rank_of(source[i]) << 16) | local[row_of(source[i])];
        *span = {0, span->size()};
    }
    if (!to.has_list[column]) return;
    to.lists[column].resize(to.n_rows);
    const Entry* source = from.list(column) + begin;
    std::uint32_t* list = to.list(column);
    std::uint32_t rank = 0;
    for (std::int32_t i = 0; i < to.n_rows; ++i) {
        if (i > 0) rank += rank_of(source[i]) != rank_of(source[i - 1]);
        const bool missing = rank_of(source[i]) == NO_RANK<Entry>;
        list[i] = ((missing ? 0xFFFFu : rank) << 16) | local[row_of(source[i])];
    }
}

template <class Entry>
void move_lists(Block<Entry>& from, Block<std::uint32_t>& to, std::int32_t begin,
                const std::vector<std::uint32_t>& local, const std::vector<std::int32_t>& active,
                std::vector<Span>& spans) {
    for (std::size_t at = 0; at < active.size(); ++at)
        move_list(from, to, begin, local, active[at], spans.empty() ? nullptr : &spans[at]);
}

// Returns a block of 16-bit rows for a node, still without rows. `local` is set to the new index of each row.
std::shared_ptr<Block<std::uint32_t>> block_for(const AnyBlock& from, std::int32_t begin, std::int32_t end,
                                                const std::vector<std::int32_t>& active,
                                                std::vector<std::uint32_t>& local) {
    auto to = std::make_shared<Block<std::uint32_t>>();
    to->n_rows = end - begin;
    to->has_list.assign(from.has_list.size(), false);
    for (const std::int32_t c : active) to->has_list[c] = from.has_list[c];
    to->is_sparse = from.is_sparse;
    to->lists.resize(from.has_list.size());
    if (local.size() < static_cast<std::size_t>(from.n_rows)) local.resize(from.n_rows);
    for (std::int32_t i = begin; i < end; ++i) local[from.order[i]] = static_cast<std::uint32_t>(i - begin);
    return to;
}

// Copies everything that is stored per row: all but the lists.
void take_rows(const AnyBlock& from, std::int32_t begin, const std::vector<std::int32_t>& active, AnyBlock& to) {
    const std::int32_t n = to.n_rows;
    const std::uint32_t* rows = from.order.data() + begin;
    to.row_of = selected(from.row_of, rows, n);
    to.order.resize(n);
    std::iota(to.order.begin(), to.order.end(), 0u);
    to.two_classes = selected(from.two_classes, rows, n);
    to.classes = selected(from.classes, rows, n);
    to.sums = selected(from.sums, from.sums.size() / from.n_rows, rows, n);
    to.weights = selected(from.weights, rows, n);
    to.right.resize(n);
    if (!from.branch.empty()) to.branch.resize(n);
    if (!from.target_rank.empty()) to.target_rank.resize(n);
    to.codes.resize(from.codes.size());
    for (const std::int32_t c : active)
        to.codes[c] = codes_of_rows(from.codes[c], n, [&](std::int64_t i) { return rows[i]; });
}

}  // namespace

std::shared_ptr<AnyBlock> whole_block(const Plan& plan, std::vector<ReadyColumn>& columns) {
    auto block = plan.n_rows <= SMALL_BLOCK ? whole_block_of<std::uint32_t>(plan, columns)
                                            : whole_block_of<std::uint64_t>(plan, columns);
    const auto n = block->n_rows;
    block->row_of.resize(n);
    std::iota(block->row_of.begin(), block->row_of.end(), 0u);
    block->order = block->row_of;
    const Target& target = plan.target;
    block->classes = target.classes;
    if (target.n_classes == 2) block->two_classes.assign(target.classes.begin(), target.classes.end());
    block->sums = target.sums;
    block->weights = target.weights;
    block->right.resize(n);
    if (plan.criterion.uses_quantile()) block->target_rank.resize(n);
    if (plan.is_multiway() || plan.cuts.intervals > 0 || plan.missing.stays ||
        plan.missing.mode == MissingMode::branch || plan.missing.surrogates >= 0 || plan.missing.is_fractional)
        block->branch.resize(n);
    return block;
}

std::shared_ptr<AnyBlock> own_block(const NodeSlice& node, const std::vector<std::int32_t>& active,
                                    std::vector<Span>& spans) {
    AnyBlock& from = node.block;
    const std::int32_t n = node.rows();
    const bool narrows = from.is_wide && n <= SMALL_BLOCK;
    const bool shrinks = n <= TINY_BLOCK && from.n_rows > 4 * TINY_BLOCK;
    if (!narrows && !shrinks) return nullptr;
    static thread_local std::vector<std::uint32_t> local;
    auto to = block_for(from, node.begin, node.end, active, local);
    take_rows(from, node.begin, active, *to);
    with_entries(from, [&](auto& typed) { move_lists(typed, *to, node.begin, local, active, spans); });
    return to;
}

BlockSplitter::BlockSplitter(std::vector<Open*> nodes) : nodes_(std::move(nodes)), from_(nodes_[0]->block) {
    for (const Open* node : nodes_) made_.push_back(block_for(*from_, node->begin, node->end, node->active, local_));
}

void BlockSplitter::move_column(std::int32_t column) {
    auto& from = static_cast<Block<std::uint64_t>&>(*from_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        Open& node = *nodes_[i];
        const auto at = std::find(node.active.begin(), node.active.end(), column) - node.active.begin();
        if (at == static_cast<std::ptrdiff_t>(node.active.size())) continue;
        Span* span = node.spans.empty() ? nullptr : &node.spans[at];
        move_list(from, *made_[i], node.begin, local_, column, span);
    }
    std::vector<std::uint64_t>().swap(from.lists[column]);
}

void BlockSplitter::finish() {
    std::vector<std::uint32_t>().swap(local_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        take_rows(*from_, nodes_[i]->begin, nodes_[i]->active, *made_[i]);
        nodes_[i]->block = std::move(made_[i]);
        nodes_[i]->end -= nodes_[i]->begin;
        nodes_[i]->begin = 0;
    }
    from_.reset();
}

}  // namespace hornbeam
