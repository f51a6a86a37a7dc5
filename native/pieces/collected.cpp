// Subtrees finished from rows that were gathered: the same decisions from the same tables, added up from row lists.
#include <algorithm>

#include "core/pool.hpp"
#include "core/random.hpp"
#include "pieces/piece_grower.hpp"
#include "pieces/route.hpp"
#include "pieces/total.hpp"

namespace hornbeam {
namespace {

// The gathered rows: their codes, and their targets in integers.
struct Gathered {
    const PieceRequest& request;
    const PieceRows& rows;
    std::vector<std::int64_t> weight, sum;  // weight: empty without weights

    Gathered(const PieceRequest& from, const PieceRows& with) : request(from), rows(with) {
        const CellShape& shape = request.shape;
        for (std::int64_t row = 0; row < rows.n_rows; ++row) {
            const std::int64_t w = shape.is_weighted ? whole_weight(request, rows, row) : 1;
            if (shape.is_weighted) weight.push_back(w);
            if (shape.n_classes == 0) sum.push_back(whole_sum(request.units, rows.numbers[row], w));
        }
    }
    std::int64_t weight_of(std::uint32_t row) const { return weight.empty() ? 1 : weight[row]; }
};

class RowGrower {
  public:
    RowGrower(const Gathered& gathered, const NodeSearch& search, Scratch& scratch, Fragment& fragment)
        : gathered_(gathered),
          plan_(search.job().plan),
          columns_(search.job().columns),
          units_(gathered.request.units),
          shape_(gathered.request.shape),
          search_(search),
          scratch_(scratch),
          fragment_(fragment) {}

    void run(PieceNode&& root, std::vector<std::uint32_t>&& rows) {
        order_ = std::move(rows);
        spare_.resize(order_.size());
        std::vector<Span> spans = {{0, static_cast<std::int32_t>(order_.size())}};
        std::vector<PieceNode> stack;
        stack.push_back(std::move(root));
        while (!stack.empty()) {
            PieceNode node = std::move(stack.back());
            const Span span = spans.back();
            stack.pop_back(), spans.pop_back();
            check_stop(span.size());
            split(node, span, stack, spans);
        }
    }

  private:
    void split(PieceNode& node, Span span, std::vector<PieceNode>& stack, std::vector<Span>& spans) {
        if (plan_.missing.surrogates >= 0)
            search_.choose_surrogates(node, [&](std::int32_t column, std::vector<std::int64_t>& cells) {
                fill_sides(node, span, column, cells);
            });
        auto [children, active] = PieceChildren(node, search_.job(), fragment_);
        const std::vector<std::int32_t> starts = part(node, span);
        for (std::size_t b = 0; b < children.size(); ++b) {
            PieceNode& child = children[b];
            const Span own{starts[b], starts[b + 1]};
            set_totals(own, node.undecided > 0, child.totals);
            const Reason reason = settle(child, own, active);
            fragment_.records[child.record].reason = reason;
            if (reason != Reason::none) continue;
            stack.push_back(std::move(child));
            spans.push_back(own);
        }
    }

    Reason settle(PieceNode& node, Span span, const std::vector<std::int32_t>& active) {
        record_node(fragment_, node, search_.scoring());
        const Reason reason = early_reason(search_.job(), node, active.size());
        if (reason != Reason::none) return reason;
        return search_.decide(
            node, active, [&](std::int32_t column, CodeTable& table) { fill(span, column, table); }, scratch_);
    }

    // Where the branches begin in `order_`, and where the last ends; rows that stay follow them.
    std::vector<std::int32_t> part(const PieceNode& node, Span span) {
        const std::size_t n = node.branches.size();
        std::vector<std::int32_t> starts(n + 2, 0), to(span.size());
        for (std::int32_t i = 0; i < span.size(); ++i) {
            to[i] = branch_of(node, order_[span.begin + i]);
            ++starts[to[i] + 1];
        }
        starts[0] = span.begin;
        for (std::size_t b = 1; b < starts.size(); ++b) starts[b] += starts[b - 1];
        std::vector<std::int32_t> next(starts.begin(), starts.end() - 1);
        for (std::int32_t i = 0; i < span.size(); ++i) spare_[next[to[i]]++] = order_[span.begin + i];
        std::copy(spare_.begin() + span.begin, spare_.begin() + span.end, order_.begin() + span.begin);
        return starts;
    }

    // The branch of a row; behind the last one if it stays.
    std::int32_t branch_of(const PieceNode& node, std::uint32_t row) const {
        for (const RouteQuestion& question : node.questions)
            if (const std::int32_t b = question.branch_of[gathered_.rows.codes[question.column][row]]; b >= 0) return b;
        return node.missing_branch >= 0 ? node.missing_branch : static_cast<std::int32_t>(node.branches.size());
    }

    void set_totals(Span span, bool is_open, Totals& totals) const {
        if (shape_.n_classes > 0 && !is_open) return search_.finish_totals(totals);
        PieceSums sums;
        sums.totals.assign(total_width(shape_), 0);
        sums.low = {std::numeric_limits<double>::infinity()}, sums.high = {-sums.low[0]};
        std::int64_t* cell = sums.totals.data();
        for (std::int32_t i = span.begin; i < span.end; ++i) {
            const std::uint32_t row = order_[i];
            if (shape_.n_classes > 0) {
                cell[gathered_.rows.classes[row]] += gathered_.weight_of(row);
                continue;
            }
            const double number = gathered_.rows.numbers[row];
            add_number(shape_, units_, number, gathered_.weight_of(row), gathered_.sum[row], cell);
            sums.low[0] = std::min(sums.low[0], number), sums.high[0] = std::max(sums.high[0], number);
        }
        if (shape_.n_classes > 0 && shape_.is_weighted) cell[shape_.sums()] = span.size();
        read_total(plan_.target, units_, sums, 0, shape_, totals);
        search_.finish_totals(totals);
    }

    template <class Code>
    void add_rows(Span span, const Code* codes, bool marks, CodeTable& table) const {
        const std::uint32_t* order = order_.data();
        std::int64_t *counts = table.counts.data(), *rows = table.rows.data();
        const auto width = static_cast<std::size_t>(table.width);
        const auto each = [&](const auto& add) {
            for (std::int32_t i = span.begin; i < span.end; ++i) {
                const std::uint32_t row = order[i], code = codes[row];
                ++rows[code];
                add(row, counts + code * width);
                if (marks) table.seen[code / 64] |= std::uint64_t{1} << (code % 64);
            }
        };
        const std::uint16_t* classes = gathered_.rows.classes;
        const std::int64_t *weights = gathered_.weight.data(), *numbers = gathered_.sum.data();
        if (shape_.n_classes > 0 && shape_.is_weighted)
            each([=](std::uint32_t row, std::int64_t* cell) { cell[classes[row]] += weights[row]; });
        else if (shape_.n_classes > 0)
            each([=](std::uint32_t row, std::int64_t* cell) { ++cell[classes[row]]; });
        else if (shape_.is_weighted)
            each([=](std::uint32_t row, std::int64_t* cell) { cell[0] += weights[row], cell[1] += numbers[row]; });
        else
            each([=](std::uint32_t row, std::int64_t* cell) { ++cell[0], cell[1] += numbers[row]; });
    }

    void fill(Span span, std::int32_t column, CodeTable& table) const {
        const std::uint32_t n_codes = columns_[column].n_codes;
        const bool marks = static_cast<std::uint32_t>(span.size()) < n_codes;
        table.reserve(n_codes, shape_.sums());
        const PieceCodes& codes = gathered_.rows.codes[column];
        if (codes.narrow)
            add_rows(span, codes.narrow, marks, table);
        else
            add_rows(span, codes.wide, marks, table);
        if (marks)
            table.list_seen(n_codes);
        else
            for (std::uint32_t code = 0; code < n_codes; ++code)
                if (table.rows[code] > 0) table.present.push_back(code);
        table.known = span.size() - table.rows[n_codes];
    }

    void fill_sides(const PieceNode& node, Span span, std::int32_t column, std::vector<std::int64_t>& cells) const {
        const std::size_t width = 3 + shape_.is_weighted;
        cells.assign((columns_[column].n_codes + 1) * width, 0);
        const RouteQuestion& question = node.questions[0];
        for (std::int32_t i = span.begin; i < span.end; ++i) {
            const std::uint32_t row = order_[i];
            const std::int32_t side = question.branch_of[gathered_.rows.codes[question.column][row]];
            std::int64_t* cell = cells.data() + gathered_.rows.codes[column][row] * width;
            cell[side < 0 ? 2 : side] += gathered_.weight_of(row);
            if (shape_.is_weighted) cell[3] += side >= 0;
        }
    }

    const Gathered& gathered_;
    const Plan& plan_;
    const std::vector<ReadyColumn>& columns_;
    const TargetUnits& units_;
    CellShape shape_;
    const NodeSearch& search_;
    Scratch& scratch_;
    Fragment& fragment_;
    std::vector<std::uint32_t> order_, spare_;
};

}  // namespace

void PieceGrower::finish(const PieceRequest& request, const PieceRows& rows, Stop& stop) {
    const Gathered gathered(request, rows);
    std::vector<std::vector<std::uint32_t>> of(finished_.size());
    for (std::size_t i = 0; i < of.size(); ++i) of[i].reserve(finished_[i].totals.rows);
    for (std::int64_t row = 0; row < rows.n_rows; ++row)
        if (const auto local = static_cast<std::uint32_t>(row); gathered.weight_of(local) > 0)
            of[request.slot[rows.node[row]]].push_back(local);
    const std::size_t first = fragments_.size();
    fragments_.resize(first + finished_.size());
    const auto grow_one = [&](std::int64_t i, int worker) {
        PieceNode& node = finished_[i];
        const std::size_t at = first + static_cast<std::size_t>(i);
        Fragment& fragment = fragments_[at];
        Record& stem = fragments_[0].records[node.record];
        fragment.records.push_back(stem);
        fragment.records[0].stats_at = 0;
        fragment.cells = node.totals.cell;
        stem.moved_to = static_cast<std::int32_t>(at);
        node.record = 0;
        RowGrower(gathered, search_, scratch_[worker], fragment).run(std::move(node), std::move(of[i]));
    };
    parallel_for(static_cast<std::int64_t>(finished_.size()), static_cast<int>(scratch_.size()), stop, grow_one);
    finished_.clear();
    check_stop();
}

}  // namespace hornbeam
