#include "growing/grower.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "binned/bin_source.hpp"
#include "core/kept_column.hpp"
#include "core/ranks.hpp"
#include "growing/assemble.hpp"
#include "growing/list_source.hpp"
#include "growing/node_grower.hpp"
#include "nodes/growth_loop.hpp"
#include "nodes/scoring.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t INLINE_CELLS = 100'000;  // smaller jobs run on the calling thread: waking another takes longer

bool is_small(const Plan& plan) { return plan.n_rows * static_cast<std::int64_t>(plan.columns.size()) <= INLINE_CELLS; }

// Ranks a column; values that are not contiguous are copied temporarily.
ReadyColumn ranked_source(const Reals& reals, std::int64_t n_rows, bool keep_values) {
    std::unique_ptr<double[]> buffer;
    return ranked(reals.in_a_row(n_rows, buffer), n_rows, keep_values);
}

std::vector<ReadyColumn> ready_columns(const Plan& plan, int threads, Stop& stop) {
    std::vector<ReadyColumn> out(plan.columns.size());
    const auto make = [&](std::int64_t c) {
        const SourceColumn& from = plan.columns[c];
        // Sampled columns, random cuts and quantiles read single columns of a node by codes.
        const bool may_be_sparse =
            !plan.cuts.random && plan.max_features <= 0 && !plan.missing.is_fractional && plan.criterion.quantile < 0;
        if (plan.cuts.bins > 0 && has_bins(from, plan.cuts.bins)) {
            out[c] = coded_bins(from, plan.n_rows, plan.target.weights, plan.cuts.bins);
            return;
        }
        if (from.kind == Kind::numeric && plan.cuts.random)
            out[c].is_plain = out[c].has_missing = true;  // each node tests for missing values
        else if (from.kept && !from.chosen)
            out[c] = from.kept->ready(plan.cuts.at_data, may_be_sparse);
        else if (from.kept)
            out[c] = from.kept->ready(*from.chosen, plan.cuts.at_data);
        else if (from.kind == Kind::numeric)
            out[c] = ranked_source(from.reals, plan.n_rows, plan.cuts.at_data);
        else
            out[c] = coded(from, plan.n_rows);
        if (may_be_sparse && (!from.kept || from.chosen)) make_sparse(out[c], plan.n_rows);
    };
    const auto count = static_cast<std::int64_t>(out.size());
    if (is_small(plan))
        for (std::int64_t c = 0; c < count; ++c) make(c);
    else
        parallel_for(count, threads, stop, [&](std::int64_t c, int) { make(c); });
    return out;
}

class Growth {
  public:
    Growth(const Plan& plan, Stop& stop)
        : plan_(plan),
          stop_(stop),
          is_small_(is_small(plan)),
          threads_(is_small_ ? 1 : usable_threads(plan.threads)),
          has_histograms_(serves_histograms(plan)),
          binned_(has_histograms_
                      ? binned_table(plan.columns, plan.n_rows, plan.target.weights, plan.cuts.bins, threads_, stop)
                      : BinnedTable()),
          columns_(has_histograms_ ? columns_on_bins(binned_) : ready_columns(plan, threads_, stop)),
          scoring_(plan_, columns_),
          scratch_(threads_),
          fragments_(1) {}

    Grown run() {
        if (!std::all_of(plan_.many.begin(), plan_.many.end(), [](const ManyPlan& each) { return each.is_list(); }))
            cells_ = row_table(plan_.columns, plan_.n_rows);
        Open root;
        root.block = has_histograms_ ? block_on_bins(plan_) : whole_block(plan_, columns_);
        root.end = root.block->n_rows;
        if (has_histograms_)
            source_ = std::make_unique<BinSource>(binned_, scoring_, *root.block);
        else
            source_ = std::make_unique<ListSource>();
        NodeGrower grower(*source_, {job_, scratch_[0], is_small_ ? EachColumn{} : on_all_threads()}, fragments_[0]);
        Stack<Open> open;
        grower.add_root(std::move(root), open.open);
        split_first(grower, open);
        if (plan_.order == Order::best_first || plan_.stops.limits_size())
            grow_in_order(grower, std::move(open));
        else
            grow_subtrees(grower, open);
        check_stop();
        return assembled(plan_, fragments_, columns_);
    }

  private:
    EachColumn on_all_threads() {
        return [this](std::int64_t count, const std::function<void(std::int64_t, Scratch&)>& body) {
            parallel_for(count, threads_, stop_, [&](std::int64_t i, int worker) { body(i, scratch_[worker]); });
        };
    }

    // Splits the nodes with a question of the user first, in the order of their records.
    void split_first(NodeGrower& grower, Stack<Open>& stack) {
        const auto is_first = [](const Open& open) { return open.first >= 0; };
        const auto is_older = [](const Open& a, const Open& b) {
            return std::pair(a.first < 0, a.record) < std::pair(b.first < 0, b.record);
        };
        std::vector<Open> children;
        while (std::any_of(stack.open.begin(), stack.open.end(), is_first)) {
            const auto next = std::min_element(stack.open.begin(), stack.open.end(), is_older);
            Open open = std::move(*next);
            stack.open.erase(next);
            size_.add(open.best.n_branches);
            children.clear();
            grower.expand(open, children);
            std::move(children.rbegin(), children.rend(), std::back_inserter(stack.open));
            check_stop();
        }
    }

    // For stops of single nodes, where every order gives the same tree: large nodes on all threads, then one subtree
    // per thread.
    void grow_subtrees(NodeGrower& grower, Stack<Open>& stack) {
        const std::int64_t per_thread = plan_.n_rows / (8 * static_cast<std::int64_t>(threads_));
        const std::int64_t large =
            threads_ == 1 ? SMALL_BLOCK : std::clamp<std::int64_t>(per_thread, 2048, SMALL_BLOCK);
        std::vector<Open> small;
        grow_nodes(stack, [&](Open& open) {
            if (open.rows() > large)
                grower.expand(open, stack.open);
            else
                small.push_back(std::move(open));
            check_stop();
            return true;
        });
        std::stable_sort(small.begin(), small.end(), [](const Open& a, const Open& b) { return a.rows() > b.rows(); });
        if (!has_histograms_ && !plan_.missing.is_fractional) split_blocks(small);
        const std::size_t first = fragments_.size();
        fragments_.resize(first + small.size());
        const auto grow_one = [&](std::int64_t i, int at) {
            grow_subtree(small[i], static_cast<std::int32_t>(first + i), scratch_[at]);
        };
        if (is_small_)
            for (std::size_t i = 0; i < small.size(); ++i) grow_one(static_cast<std::int64_t>(i), 0);
        else
            parallel_for(static_cast<std::int64_t>(small.size()), threads_, stop_, grow_one);
    }

    // Moves all remaining nodes of the block of the whole table to new blocks, and releases it.
    void split_blocks(std::vector<Open>& nodes) {
        std::vector<Open*> inside;
        for (Open& node : nodes)
            if (node.block->is_wide) inside.push_back(&node);
        if (inside.empty()) return;
        for (Scratch& scratch : scratch_) std::vector<std::uint64_t>().swap(scratch.spare);
        BlockSplitter splitter(std::move(inside));
        parallel_for(static_cast<std::int64_t>(columns_.size()), threads_, stop_,
                     [&](std::int64_t c, int) { splitter.move_column(static_cast<std::int32_t>(c)); });
        splitter.finish();
    }

    void grow_subtree(Open& open, std::int32_t at, Scratch& scratch) {
        Fragment& fragment = fragments_[at];
        Record& stem = fragments_[0].records[open.record];
        stem.moved_to = at;
        fragment.records.push_back(stem);
        fragment.records[0].moved_to = -1;
        fragment.records[0].stats_at = 0;
        fragment.cells = open.totals.cell;
        open.record = 0;
        NodeGrower grower(*source_, {job_, scratch}, fragment);
        Stack<Open> stack;
        stack.open.push_back(std::move(open));
        grow_nodes(stack, [&](Open& next) {
            grower.expand(next, stack.open);
            return !stop_.is_requested();
        });
        fragment.records.shrink_to_fit();
        fragment.cells.shrink_to_fit();
    }

    // Best first, or with a limit of leaves or nodes: one node at a time, in the order of the plan.
    void grow_in_order(NodeGrower& grower, Stack<Open> stack) {
        const auto later = [&](const Open& a, const Open& b) {
            const double first = priority(a), second = priority(b);
            return first != second ? first < second : a.record > b.record;
        };
        std::vector<Open> children;
        const auto expand = [&](Open& open) {
            children.clear();
            const Reason reason = size_.add_split(plan_.stops, open.best.n_branches);
            if (reason == Reason::none)
                grower.expand(open, children);
            else
                grower.close(open, reason);
            check_stop();
        };
        if (plan_.order == Order::depth_first)
            return grow_nodes(stack, [&](Open& open) {
                expand(open);
                std::move(children.rbegin(), children.rend(), std::back_inserter(stack.open));
                return true;
            });
        RankedNodes<Open, decltype(later)> ranked(later);
        for (Open& root : stack.open) ranked.push(std::move(root));
        grow_nodes(ranked, [&](Open& open) {
            expand(open);
            for (Open& child : children) ranked.push(std::move(child));
            return true;
        });
    }

    // Level-wise: equal for all nodes, so the first record is next. Best first: the first 36 bits of the decrease.
    double priority(const Open& open) const {
        if (plan_.order != Order::best_first) return 0.0;
        int exponent = 0;
        const double part = std::frexp(scoring_.mass(open.totals) * open.best.gain, &exponent);
        return std::ldexp(std::nearbyint(std::ldexp(part, 36)), exponent - 36);
    }

    const Plan& plan_;
    Stop& stop_;
    bool is_small_;
    int threads_;
    bool has_histograms_;
    BinnedTable binned_;
    std::vector<ReadyColumn> columns_;
    Scoring scoring_;
    std::vector<Scratch> scratch_;
    std::vector<Fragment> fragments_;
    TreeSize size_;
    RowTable cells_;
    Job job_{plan_, columns_, scoring_,
             std::any_of(columns_.begin(), columns_.end(), [](const ReadyColumn& c) { return c.is_sparse; }), cells_};
    std::unique_ptr<Source> source_;
};

}  // namespace

Grown grow(const Plan& plan, Stop& stop) {
    Growth growth(plan, stop);
    return growth.run();
}

}  // namespace hornbeam
