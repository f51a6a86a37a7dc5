#include "binned/binned_worker.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/partition.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t MOST_HELD = std::int64_t{1} << 26;  // numbers in histograms kept for later: half a gigabyte

CellSource source_of(const Plan& plan, const AnyBlock& block) {
    const Target& target = plan.target;
    const bool is_weighed = !target.weights.empty();
    CellSource out;
    out.n_classes = target.n_classes;
    out.two_classes = block.two_classes.data();
    out.classes = block.classes.data();
    out.sums = block.sums.data();
    out.weights = block.weights.data();
    if (target.is_class())
        out.kind = is_weighed              ? CellKind::weighed_classes
                   : target.n_classes == 2 ? CellKind::two_classes
                                           : CellKind::classes;
    else
        out.kind = is_weighed ? CellKind::weighed_numbers : CellKind::numbers;
    return out;
}

CellPlan local_plan(const BinnedTable& table, int width) {
    CellPlan out(table, width);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const std::size_t codes = table.columns[c].is_wide() ? 0 : table.columns[c].shift / 8 * (MOST_NARROW + 1);
        out.start[c] = codes * static_cast<std::size_t>(width);
    }
    std::size_t most = COLUMNS_A_WORD * (MOST_NARROW + 1);
    for (const BinnedColumn& column : table.columns) most = std::max<std::size_t>(most, column.n_bins + 1);
    out.size = most * static_cast<std::size_t>(width);
    return out;
}

}  // namespace

struct Histogram {
    Histogram(std::size_t size, std::atomic<std::int64_t>& held) : cells(size), held_(held) {
        held_ += static_cast<std::int64_t>(size);
    }
    ~Histogram() { held_ -= static_cast<std::int64_t>(cells.size()); }
    std::vector<std::int64_t> cells;

  private:
    std::atomic<std::int64_t>& held_;
};

BinnedJob::BinnedJob(const Plan& plan, const BinnedTable& binned, const ColumnSearch& columns, const AnyBlock& block)
    : table(binned),
      source(source_of(plan, block)),
      cells(binned, source.width()),
      local(local_plan(binned, source.width())),
      search(plan, binned, columns, source),
      large(384 * (1 + source.width() / 4)) {}

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
    if (plan.asks_quantile()) out->target_rank.resize(plan.n_rows);
    out->has_list.assign(plan.columns.size(), false);
    out->is_sparse.assign(plan.columns.size(), false);
    if (plan.target.n_classes == 2) out->two_classes.assign(out->classes.begin(), out->classes.end());
    return out;
}

// ---- how rows fall -------------------------------------------------------------------------------------------------

std::int32_t BinnedWorker::missing_branch(const Open& open, const std::vector<std::uint16_t>& branch_of) const {
    const AnyBlock& block = *open.block;
    const BinnedColumn& column = binned_.table.columns[open.best.column];
    std::vector<std::int64_t> weight(open.best.n_branches, 0);
    for (std::int32_t i = open.begin; i < open.end; ++i) {
        const std::uint32_t row = block.order[i], code = binned_.table.code(open.best.column, row);
        if (code < column.n_bins) weight[branch_of[code]] += block.weights.empty() ? 1 : block.weights[row];
    }
    return larger_branch(open, weight);
}

Worker::Parting BinnedWorker::part_rows(Open& open) {
    const Candidate& best = open.best;
    const BinnedColumn& column = binned_.table.columns[best.column];
    std::vector<std::uint16_t> branch_of(column.n_bins + 1, 0);
    for (std::uint32_t code = 0; code < column.n_bins; ++code) {
        const bool is_cut = best.type == Candidate::Type::cut;
        const std::int32_t branch = is_cut ? code > best.code : std::max(best.groups->branch_of[code], 0);
        branch_of[code] = static_cast<std::uint16_t>(branch);
    }
    Parting out;
    const std::int32_t missing = missing_branch(open, branch_of);
    branch_of[column.n_bins] = static_cast<std::uint16_t>(missing);
    out.missing_branch = missing < best.n_branches ? missing : -1;
    out.in_two = best.n_branches == 2 && missing < 2;
    if (column.word < 0) {
        divide(open, branch_of, [&](std::uint32_t row) { return column.wide[row]; }, out);
    } else {
        const std::uint32_t* words = binned_.table.words[column.word].get();
        const int shift = column.shift;
        divide(open, branch_of, [=](std::uint32_t row) { return words[row] >> shift & 0xFF; }, out);
    }
    return out;
}

template <class Code>
void BinnedWorker::divide(Open& open, const std::vector<std::uint16_t>& branch_of, const Code& code, Parting& out) {
    std::uint32_t* order = open.block->order.data() + open.begin;
    const std::int32_t n = open.rows(), n_branches = open.best.n_branches;
    auto* spare = scratch_.spare_for<std::uint32_t>(n);
    const auto branch = [&code, of = branch_of.data()](std::uint32_t row) { return of[code(row)]; };
    out.starts.assign(n_branches + 1, 0);
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
}

// ---- the search ----------------------------------------------------------------------------------------------------

struct BinnedWorker::Family {
    enum class Way { small, build, rest };
    std::vector<Way> way;                  // of every node to search
    std::int32_t taken = -1, n_taken = 0;  // rest: the sibling's rows, taken from the parent's histogram
    int built = -1;                        // or the sibling whose histogram is
};

void BinnedWorker::add(std::int64_t task, const std::uint32_t* rows, std::int64_t n, std::int64_t* cells,
                       bool take_away) const {
    const auto words = static_cast<std::int64_t>(binned_.table.words.size());
    if (task < words)
        add_word(binned_.table, binned_.source, binned_.cells, static_cast<std::size_t>(task), rows, n, cells,
                 take_away);
    else
        add_wide(binned_.table, binned_.source, binned_.cells, binned_.table.wide_columns[task - words], rows, n, cells,
                 take_away);
}

void BinnedWorker::search_columns(std::vector<Open>&, std::vector<Open*>& searched,
                                  const std::vector<std::int32_t>& active, const Open* parent, const Parting* parting,
                                  std::vector<std::vector<Candidate>>& found, std::vector<std::vector<Span>>&) {
    using Way = Family::Way;
    Family family;
    for (Open* node : searched) family.way.push_back(node->rows() < binned_.large ? Way::small : Way::build);
    // What is left of the parent: when it was divided in two and no row ended there.
    if (parent && parent->cells && parting->in_two) {
        const std::int32_t left = parting->starts[1], right = parent->rows() - left;
        for (std::size_t s = 0; s < searched.size(); ++s) {
            const bool is_left = searched[s]->begin == parent->begin && left > 0;
            if (family.way[s] != Way::build || (is_left ? left < right : right <= left)) continue;
            family.way[s] = Way::rest;
            family.taken = is_left ? parent->begin + left : parent->begin;
            family.n_taken = is_left ? right : left;
            for (std::size_t o = 0; o < searched.size(); ++o)
                if (o != s && family.way[o] == Way::build) family.built = static_cast<int>(o);
            searched[s]->cells = parent->cells;
            break;
        }
    }
    for (std::size_t s = 0; s < searched.size(); ++s)
        if (family.way[s] == Way::build)
            searched[s]->cells = std::make_shared<Histogram>(binned_.cells.size, binned_.held);
    std::vector<std::int32_t> at(binned_.table.columns.size(), -1);
    for (std::size_t i = 0; i < active.size(); ++i) at[active[i]] = static_cast<std::int32_t>(i);
    const auto n_words = static_cast<std::int64_t>(binned_.table.words.size());
    std::vector<std::int64_t> tasks;
    for (std::int64_t t = 0; t < n_words + static_cast<std::int64_t>(binned_.table.wide_columns.size()); ++t) {
        bool is_asked = false;
        if (t >= n_words) is_asked = at[binned_.table.wide_columns[t - n_words]] >= 0;
        for (std::size_t i = 0; t < n_words && i < binned_.table.columns_of[t].size(); ++i)
            is_asked |= at[binned_.table.columns_of[t][i]] >= 0;
        if (is_asked) tasks.push_back(t);
    }
    each_column(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t i, Scratch& scratch) {
        const std::int64_t task = tasks[i];
        const std::vector<std::int32_t> alone =
            task < n_words ? std::vector<std::int32_t>{}
                           : std::vector<std::int32_t>{binned_.table.wide_columns[task - n_words]};
        const std::vector<std::int32_t>& columns = task < n_words ? binned_.table.columns_of[task] : alone;
        const std::uint32_t* order = searched[0]->block->order.data();
        for (std::size_t s = 0; s < searched.size(); ++s)
            if (family.way[s] == Way::build)
                add(task, order + searched[s]->begin, searched[s]->rows(), searched[s]->cells->cells.data(), false);
        for (std::size_t s = 0; s < searched.size(); ++s) {
            const Open& node = *searched[s];
            if (family.way[s] == Way::small) {
                search_small(node, task, at, found[s], scratch);
                continue;
            }
            if (family.way[s] == Way::rest && family.built < 0)
                add(task, order + family.taken, family.n_taken, node.cells->cells.data(), true);
            if (family.way[s] == Way::rest && family.built >= 0)
                for (const std::int32_t c : columns) {
                    const std::size_t start = binned_.cells.start[c];
                    const std::size_t codes = binned_.table.columns[c].n_bins + 1;
                    subtract(node.cells->cells.data() + start, searched[family.built]->cells->cells.data() + start,
                             codes * static_cast<std::size_t>(binned_.cells.width));
                }
            search_large(node, columns, at, found[s], scratch);
        }
    });
    for (Open* node : searched)
        if (node->cells && binned_.held > MOST_HELD) node->cells.reset();
}

void BinnedWorker::search_large(const Open& node, const std::vector<std::int32_t>& columns,
                                const std::vector<std::int32_t>& at, std::vector<Candidate>& found,
                                Scratch& scratch) const {
    for (const std::int32_t c : columns) {
        if (at[c] < 0) continue;
        const std::int64_t* cells = node.cells->cells.data() + binned_.cells.start[c];
        const std::uint32_t n_bins = binned_.table.columns[c].n_bins;
        scratch.present.resize(n_bins + 1);
        int count = 0;
        for (std::uint32_t code = 0; code < n_bins; ++code) {
            scratch.present[count] = static_cast<std::uint16_t>(code);
            count += binned_.source.rows_in(cells + static_cast<std::size_t>(code) * binned_.cells.width) > 0;
        }
        found[at[c]] =
            binned_.search.best(cells, scratch.present.data(), count, c, node.totals, node.impurity, scratch);
    }
}

void BinnedWorker::search_small(const Open& node, std::int64_t task, const std::vector<std::int32_t>& at,
                                std::vector<Candidate>& found, Scratch& scratch) const {
    const BinnedTable& table = binned_.table;
    const CellPlan& local = binned_.local;
    if (scratch.cells.size() < local.size) scratch.cells.resize(local.size, 0);
    const auto n_words = static_cast<std::int64_t>(table.words.size());
    if (task >= n_words) {
        const std::int32_t column = table.wide_columns[task - n_words];
        return search_small_wide(node, column, found[at[column]], scratch);
    }
    const std::uint32_t* rows = node.block->order.data() + node.begin;
    PresentBits present;
    mark_word(table.words[task].get(), rows, node.rows(), present);
    add_word(table, binned_.source, local, static_cast<std::size_t>(task), rows, node.rows(), scratch.cells.data());
    scratch.present.resize(MOST_NARROW + 1);
    for (std::size_t i = 0; i < table.columns_of[task].size(); ++i) {
        const std::int32_t c = table.columns_of[task][i];
        std::int64_t* cells = scratch.cells.data() + local.start[c];
        int count = 0;
        for (int part = 0; part < 4; ++part)
            for (std::uint64_t bits = present.bits[i][part]; bits; bits &= bits - 1)
                scratch.present[count++] = static_cast<std::uint16_t>(64 * part + std::countr_zero(bits));
        const int all = count;
        if (count > 0 && scratch.present[count - 1] == table.columns[c].n_bins) --count;
        if (at[c] >= 0)
            found[at[c]] =
                binned_.search.best(cells, scratch.present.data(), count, c, node.totals, node.impurity, scratch);
        for (int p = 0; p < all; ++p)
            std::fill_n(cells + static_cast<std::size_t>(scratch.present[p]) * local.width, local.width, 0);
    }
}

void BinnedWorker::search_small_wide(const Open& node, std::int32_t column, Candidate& found, Scratch& scratch) const {
    const BinnedTable& table = binned_.table;
    const CellPlan& local = binned_.local;
    const std::uint32_t* rows = node.block->order.data() + node.begin;
    scratch.present.resize(node.rows());
    for (std::int32_t i = 0; i < node.rows(); ++i) scratch.present[i] = table.columns[column].wide[rows[i]];
    std::sort(scratch.present.begin(), scratch.present.end());
    const auto end = std::unique(scratch.present.begin(), scratch.present.end());
    const int all = static_cast<int>(end - scratch.present.begin());
    add_wide(table, binned_.source, local, column, rows, node.rows(), scratch.cells.data());
    const int count = all - (scratch.present[all - 1] == table.columns[column].n_bins);
    found = binned_.search.best(scratch.cells.data(), scratch.present.data(), count, column, node.totals, node.impurity,
                                scratch);
    for (int p = 0; p < all; ++p)
        std::fill_n(scratch.cells.data() + static_cast<std::size_t>(scratch.present[p]) * local.width, local.width, 0);
}

}  // namespace hornbeam
