#include "binned/bin_source.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/partition.hpp"
#include "missing/missing_branch.hpp"

namespace hornbeam {
namespace {

constexpr std::int32_t MAX_CODES = 65'535;                        // that fit in two bytes, with that of missing values
constexpr std::int64_t MAX_STORED_CELLS = std::int64_t{1} << 26;  // integers in stored histograms: 512 MiB

CellSource source_of(const Scoring& scoring, const AnyBlock& block) {
    const Target& target = scoring.plan.target;
    const bool is_weighted = !target.weights.empty();
    CellSource out;
    out.n_classes = target.n_classes;
    out.two_classes = block.two_classes.data();
    out.classes = block.classes.data();
    out.sums = block.sums.data();
    out.weights = is_weighted ? block.weights.data() : nullptr;
    out.statistic = &scoring.statistic;
    if (!target.several.empty())
        out.kind = CellKind::others;
    else if (target.is_class())
        out.kind = is_weighted             ? CellKind::weighted_classes
                   : target.n_classes == 2 ? CellKind::two_classes
                                           : CellKind::classes;
    else
        out.kind = is_weighted ? CellKind::weighted_numbers : CellKind::numbers;
    return out;
}

CellPlan local_plan(const BinnedTable& table, int width) {
    CellPlan out(table, width);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const std::size_t codes = table.columns[c].is_wide() ? 0 : table.columns[c].shift / 8 * (MAX_NARROW_BINS + 1);
        out.start[c] = codes * static_cast<std::size_t>(width);
    }
    std::size_t max_codes = COLUMNS_PER_WORD * (MAX_NARROW_BINS + 1);
    for (const BinnedColumn& column : table.columns) max_codes = std::max<std::size_t>(max_codes, column.n_bins + 1);
    out.size = max_codes * static_cast<std::size_t>(width);
    return out;
}

std::span<const std::uint32_t> rows_of(const Open& node) {
    return {node.block->order.data() + node.begin, static_cast<std::size_t>(node.rows())};
}

// The codes that rows of a node have, ascending; returns their number.
int read_codes(const std::uint64_t (&bits)[4], std::vector<std::uint16_t>& out) {
    int count = 0;
    out.resize(MAX_NARROW_BINS + 1);
    for (int word = 0; word < 4; ++word)
        for (std::uint64_t left = bits[word]; left; left &= left - 1)
            out[count++] = static_cast<std::uint16_t>(64 * word + std::countr_zero(left));
    return count;
}
int sorted_codes(const BinnedColumn& column, std::span<const std::uint32_t> rows, std::vector<std::uint16_t>& out) {
    out.clear();
    for (const std::uint32_t row : rows) out.push_back(column.wide[row]);
    std::sort(out.begin(), out.end());
    return static_cast<int>(std::unique(out.begin(), out.end()) - out.begin());
}

}  // namespace

struct Histogram {
    Histogram(std::size_t size, std::atomic<std::int64_t>& n_stored) : cells(size), n_stored_(n_stored) {
        n_stored_ += static_cast<std::int64_t>(size);
    }
    ~Histogram() { n_stored_ -= static_cast<std::int64_t>(cells.size()); }
    std::vector<std::int64_t> cells;

  private:
    std::atomic<std::int64_t>& n_stored_;
};

BinSource::BinSource(const BinnedTable& table, const Scoring& scoring, const AnyBlock& block)
    : table_(table),
      source_(source_of(scoring, block)),
      cells_(table, source_.width()),
      local_(local_plan(table, source_.width())),
      search_(table, scoring, source_, block),
      large_(384 * (1 + source_.width() / 4)) {}

bool serves_histograms(const Plan& plan) {
    const MissingPlan& missing = plan.missing;
    const bool are_excluded = missing.mode == MissingMode::apart && missing.impute == ImputeBy::nothing &&
                              !missing.is_fractional && missing.surrogates < 0;
    const auto fits = [&](const SourceColumn& column) {
        return has_bins(column, plan.cuts.bins) || column.n_levels <= MAX_CODES;
    };
    return plan.cuts.bins > 0 && !plan.reads_values(Kind::numeric) && plan.many.empty() && plan.given.first.empty() &&
           plan.criterion.quantile < 0 && !plan.criterion.c45 && are_excluded &&
           std::all_of(plan.columns.begin(), plan.columns.end(), fits);
}

std::vector<ReadyColumn> columns_on_bins(const BinnedTable& table) {
    std::vector<ReadyColumn> out(table.columns.size());
    for (std::size_t c = 0; c < out.size(); ++c) {
        out[c].kind = table.columns[c].kind;
        out[c].n_codes = table.columns[c].n_bins;
        out[c].has_missing = table.columns[c].has_missing;
        out[c].values = table.columns[c].high;
    }
    return out;
}

std::shared_ptr<AnyBlock> block_on_bins(const Plan& plan) {
    auto out = std::make_shared<Block<std::uint32_t>>();
    out->n_rows = static_cast<std::int32_t>(plan.n_rows);
    out->row_of.resize(plan.n_rows);
    std::iota(out->row_of.begin(), out->row_of.end(), 0u);
    out->order = out->row_of;
    out->classes = plan.target.classes;
    out->sums = plan.target.sums;
    out->weights = plan.target.weights;
    if (plan.criterion.uses_quantile()) out->target_rank.resize(plan.n_rows);
    out->has_list.assign(plan.columns.size(), false);
    out->is_sparse.assign(plan.columns.size(), false);
    if (plan.target.n_classes == 2) out->two_classes.assign(out->classes.begin(), out->classes.end());
    return out;
}

RowPartition BinSource::partition_rows(Open& open, Work& work) const {
    const AnyBlock& block = *open.block;
    const Candidate& best = open.best;
    const BinnedColumn& column = table_.columns[best.column];
    const std::int32_t n = open.rows(), n_branches = best.n_branches;
    std::uint32_t* order = open.block->order.data() + open.begin;
    std::vector<std::uint16_t> branch_of(column.n_bins + 1, 0);
    for (std::uint32_t code = 0; code < column.n_bins; ++code) {
        const bool is_cut = best.type == Candidate::Type::cut;
        const std::int32_t branch = is_cut ? code > best.code : std::max(best.groups->branch_of[code], 0);
        branch_of[code] = static_cast<std::uint16_t>(branch);
    }
    std::vector<std::int64_t> weight(n_branches, 0);
    for (std::int32_t i = 0; i < n; ++i)
        if (const std::uint32_t code = table_.code(best.column, order[i]); code < column.n_bins)
            weight[branch_of[code]] += block.weight_of(order[i]);
    const std::int32_t missing = missing_branch(work.job.plan, best, weight);
    branch_of[column.n_bins] = static_cast<std::uint16_t>(missing);
    RowPartition out;
    out.missing_branch = missing < n_branches ? missing : -1;
    out.in_two = n_branches == 2 && missing < 2;
    out.starts.assign(n_branches + 1, 0);
    const auto partition = [&](const auto& code) {
        auto* spare = work.scratch.spare_for<std::uint32_t>(n + 1);
        const auto branch = [&code, of = branch_of.data()](std::uint32_t row) { return of[code(row)]; };
        if (out.in_two) {
            out.starts[1] = partition_in_two(order, n, spare, branch);
            out.starts[2] = n;
            return;
        }
        std::vector<std::int32_t> at(n_branches + 2, 0);
        for (std::int32_t i = 0; i < n; ++i) ++at[branch(order[i]) + 1];
        for (std::int32_t b = 0; b <= n_branches; ++b) at[b + 1] += at[b];
        std::copy(at.begin(), at.begin() + n_branches + 1, out.starts.begin());
        partition_in_many(order, n, at, spare, branch);
    };
    table_.with_codes_of(best.column, partition);
    return out;
}

struct BinSource::Sums {
    enum class From { small, rows, rest };  // without a histogram; a new histogram; the difference to the parent's
    std::vector<From> from;                 // per searched node
    // The rows of the other child, which are subtracted from the parent's histogram,
    std::int32_t subtracted = -1, n_subtracted = 0;
    int built = -1;  // or the other child, if it has a histogram
};

BinSource::Sums BinSource::plan_sums(Family& family) const {
    using From = Sums::From;
    Sums out;
    std::vector<Open*>& searched = family.searched;
    const Open* parent = family.parent;
    for (const Open* node : searched) out.from.push_back(node->rows() < large_ ? From::small : From::rows);
    // The difference to the parent's histogram is used if the parent has two branches and no row ended in it.
    if (parent && parent->cells && family.partition->in_two) {
        const std::int32_t left = family.partition->starts[1], right = parent->rows() - left;
        for (std::size_t s = 0; s < searched.size(); ++s) {
            const bool is_left = searched[s]->begin == parent->begin && left > 0;
            if (out.from[s] != From::rows || (is_left ? left < right : right <= left)) continue;
            out.from[s] = From::rest;
            out.subtracted = is_left ? parent->begin + left : parent->begin;
            out.n_subtracted = is_left ? right : left;
            for (std::size_t o = 0; o < searched.size(); ++o)
                if (o != s && out.from[o] == From::rows) out.built = static_cast<int>(o);
            searched[s]->cells = parent->cells;
            break;
        }
    }
    for (std::size_t s = 0; s < searched.size(); ++s)
        if (out.from[s] == From::rows) searched[s]->cells = std::make_shared<Histogram>(cells_.size, n_stored_);
    return out;
}

// Builds the histograms of all nodes that have one.
void BinSource::add_up(const Family& family, const Sums& sums, std::size_t group) const {
    using From = Sums::From;
    const std::vector<Open*>& searched = family.searched;
    const std::uint32_t* order = searched[0]->block->order.data();
    const BinSums whole{table_, source_, cells_};
    for (std::size_t s = 0; s < searched.size(); ++s)
        if (sums.from[s] == From::rows) add_rows(whole, group, rows_of(*searched[s]), searched[s]->cells->cells.data());
    for (std::size_t s = 0; s < searched.size(); ++s) {
        if (sums.from[s] != From::rest) continue;
        std::int64_t* cells = searched[s]->cells->cells.data();
        if (sums.built < 0) {
            add_rows(whole, group, {order + sums.subtracted, static_cast<std::size_t>(sums.n_subtracted)}, cells, true);
            continue;
        }
        const std::int64_t* other = searched[sums.built]->cells->cells.data();
        for (const std::int32_t c : table_.groups[group]) {
            const std::size_t codes = table_.columns[c].n_bins + 1;
            subtract(cells + cells_.start[c], other + cells_.start[c], codes * static_cast<std::size_t>(cells_.width));
        }
    }
}

void BinSource::search(Family& family, Work& work) const {
    const Sums sums = plan_sums(family);
    std::vector<std::int32_t> active_index(table_.columns.size(), -1);
    for (std::size_t i = 0; i < family.active.size(); ++i)
        active_index[family.active[i]] = static_cast<std::int32_t>(i);
    std::vector<std::size_t> groups;
    for (std::size_t g = 0; g < table_.groups.size(); ++g)
        if (std::ranges::any_of(table_.groups[g], [&](std::int32_t c) { return active_index[c] >= 0; }))
            groups.push_back(g);
    work.each_column(groups.size(), [&](std::int64_t i, Scratch& scratch) {
        const std::size_t group = groups[i];
        add_up(family, sums, group);
        for (std::size_t s = 0; s < family.searched.size(); ++s) {
            const Searched node{*family.searched[s], group, active_index, family.found[s]};
            if (sums.from[s] == Sums::From::small)
                search_small(node, scratch);
            else
                search_large(node, scratch);
        }
    });
    for (Open* node : family.searched)
        if (node->cells && n_stored_ > MAX_STORED_CELLS) node->cells.reset();
}

void BinSource::search_large(const Searched& searched, Scratch& scratch) const {
    const auto& [node, group, active_index, found] = searched;
    for (const std::int32_t c : table_.groups[group]) {
        if (active_index[c] < 0) continue;
        const std::int64_t* cells = node.cells->cells.data() + cells_.start[c];
        const std::uint32_t n_bins = table_.columns[c].n_bins;
        scratch.bins.present.resize(n_bins + 1);
        int count = 0;
        for (std::uint32_t code = 0; code < n_bins; ++code) {
            scratch.bins.present[count] = static_cast<std::uint16_t>(code);
            count += source_.rows_in(cells + static_cast<std::size_t>(code) * cells_.width) > 0;
        }
        found[active_index[c]] =
            search_.best({cells, scratch.bins.present.data(), count}, c, node.totals, node.impurity, scratch);
    }
}

void BinSource::search_small(const Searched& searched, Scratch& scratch) const {
    const auto& [node, group, active_index, found] = searched;
    if (scratch.bins.cells.size() < local_.size) scratch.bins.cells.resize(local_.size, 0);
    const std::span<const std::uint32_t> rows = rows_of(node);
    const bool is_word = group < table_.words.size();
    PresentBits bits;
    if (is_word) mark_word(table_.words[group].get(), rows, bits);
    add_rows({table_, source_, local_}, group, rows, scratch.bins.cells.data());
    std::vector<std::uint16_t>& present = scratch.bins.present;
    for (std::size_t i = 0; i < table_.groups[group].size(); ++i) {
        const std::int32_t c = table_.groups[group][i];
        std::int64_t* cells = scratch.bins.cells.data() + local_.start[c];
        const int all = is_word ? read_codes(bits.bits[i], present) : sorted_codes(table_.columns[c], rows, present);
        const int count = all - (all > 0 && present[all - 1] == table_.columns[c].n_bins);
        if (active_index[c] >= 0)
            found[active_index[c]] =
                search_.best({cells, present.data(), count}, c, node.totals, node.impurity, scratch);
        for (int p = 0; p < all; ++p)
            std::fill_n(cells + static_cast<std::size_t>(present[p]) * local_.width, local_.width, 0);
    }
}

}  // namespace hornbeam
