// Searches by quantile: the impurity depends on the order of the targets, not on moments. Two scans of a column remove
// its rows from the order one by one (searches/peel.hpp). Groupings of levels use the distribution per level.
#include "growing/quantile_search.hpp"

#include <cmath>
#include <limits>

#include "core/ranks.hpp"
#include "core/stop.hpp"
#include "growing/marked_cuts.hpp"
#include "missing/impute.hpp"
#include "missing/missing_counts.hpp"
#include "nodes/level_groups.hpp"
#include "searches/cut_marks.hpp"

namespace hornbeam {

namespace {

// The risks of both sides of all cuts of a list whose first `known` entries have a value.
template <class Entry>
class CutRisks {
  public:
    CutRisks(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known, PeelBuffers& buffers)
        : rule_{s.plan.criterion.quantile, s.plan.criterion.scale},
          node_(node),
          list_(list),
          known_(known),
          buffers_(buffers) {}

    bool differs(std::int32_t i) const { return rank_of(list_[i - 1]) != rank_of(list_[i]); }
    // The risk of all rows, or of the known ones.
    double whole(bool with_missing) {
        double out = 0;
        start(with_missing, [&](auto& rows) { out = rows.risk(); });
        return out;
    }
    // Adds the risk of the rows below or above each cut to `out`, at the number of known rows below the cut.
    void add(bool is_below, bool with_missing, double* out, int step) {
        start(with_missing, [&](auto& rows) {
            for (std::int32_t i = 1; i < known_; ++i) {
                check_stop(4);
                const std::int32_t cut = is_below ? known_ - i : i;
                rows.remove(rank(is_below ? cut : cut - 1));
                if (differs(cut)) out[static_cast<std::ptrdiff_t>(cut) * step] += rows.risk();
            }
        });
    }

  private:
    std::uint32_t rank(std::int32_t i) const { return node_.block.target_rank[row_of(list_[i])]; }
    template <class Use>
    void start(bool with_missing, const Use& use) {
        const TargetOrder& order = *node_.totals.order;
        const bool is_whole = with_missing || known_ == node_.rows();
        buffers_.is_included.assign(is_whole ? 0 : order.values.size(), 0);
        for (std::int32_t i = 0; !is_whole && i < known_; ++i) buffers_.is_included[rank(i)] = 1;
        with_peel(!node_.block.weights.empty(), [&](auto weighted) {
            Peel<decltype(weighted)::value> rows(rule_, order.values, order.weights, buffers_.is_included,
                                                 buffers_.links);
            use(rows);
        });
    }

    QuantileRule rule_;
    const NodeView& node_;
    const Entry* list_;
    std::int32_t known_;
    PeelBuffers& buffers_;
};

}  // namespace

template <class Entry>
Cut quantile_cut(const Scoring& s, const NodeView& node, const Entry* list, std::int32_t known, const ListScan& scan,
                 Scratch& scratch) {
    constexpr double EXCLUDED = -std::numeric_limits<double>::infinity();
    CutRisks<Entry> risks(s, node, list, known, scratch.peel);
    const bool is_column = scan.column >= 0;
    const bool either = is_column && s.plan.missing.mode == MissingMode::either && scratch.missing.rows > 0;
    const RowSums missing = either ? RowSums{scratch.missing.rows, scratch.missing.weight} : RowSums{};
    const double unit = node.block.weights.empty() ? s.plan.target.unit : s.targets.fine_unit;
    std::vector<double>& score = scratch.peel.score;
    score.assign(2 * static_cast<std::size_t>(known), 0.0);
    for (int side = 0; side < (either ? 2 : 1); ++side) {
        risks.add(true, either && side == 0, score.data() + side, 2);
        risks.add(false, either && side == 1, score.data() + side, 2);
    }
    std::int64_t known_weight = 0, below = 0;
    for (std::int32_t i = 0; i < known; ++i) known_weight += node.block.weight_of(row_of(list[i]));
    const std::int64_t rows = known + missing.rows, weight = known_weight + missing.weight;
    const double whole = risks.whole(either), scale = unit / static_cast<double>(weight);
    MinSize low = s.min_size(weight, is_column && s.plan.cuts.c45_size);
    low.zero_gain |= !is_column;
    const bool some = is_column && has_marked_cuts(s);
    if (some) mark_cuts(s, node.block, list, known, known_weight, scratch);
    const bool needs_gap = is_column && s.plan.cuts.c45_size && s.columns[scan.column].kind == Kind::numeric;
    const auto value = [&](std::int32_t i) {
        if (scan.values) return scan.values[rank_of(list[i])];
        return s.plan.columns[scan.column].reals[node.block.row_of[row_of(list[i])]];
    };
    Cut best;
    best.score = low.start(0.0);
    for (std::int32_t i = 1; i < known; ++i) {
        below += node.block.weight_of(row_of(list[i - 1]));
        if (!risks.differs(i) || (needs_gap && !are_apart(value(i - 1), value(i)))) continue;
        const int first = 2 * below >= known_weight || !either ? 0 : 1;
        double ordered[2] = {EXCLUDED, EXCLUDED};
        for (int k = 0; k < (either ? 2 : 1); ++k) {
            const int side = k == 0 ? first : 1 - first;
            const std::int64_t left = i + (side == 0 ? missing.rows : 0);
            const std::int64_t left_weight = below + (side == 0 ? missing.weight : 0);
            if ((some && !(scratch.is_marked[row_of(list[i - 1])] >> side & 1)) || left < low.rows ||
                rows - left < low.rows || left_weight < low.weight || weight - left_weight < low.weight)
                continue;
            ++best.tried;
            ordered[k] = (whole - score[2 * static_cast<std::size_t>(i) + side]) * scale;
        }
        for (int k = 0; k < 2; ++k)
            if (ordered[k] - best.score > scan.tolerance)
                best.score = ordered[k], best.at = 2 * i + (k == 0 ? first : 1 - first);
    }
    return best;
}

template Cut quantile_cut<std::uint64_t>(const Scoring&, const NodeView&, const std::uint64_t*, std::int32_t,
                                         const ListScan&, Scratch&);

namespace {

// Fills the distribution of each level over the target values of the node; returns whether there are two levels or
// more. `level_of(i)` is the level of the i-th row in the order of the block.
template <class LevelOf>
bool fill_distributions(const Scoring& s, const NodeView& node, std::int32_t n_levels, const LevelOf& level_of,
                        Scratch& scratch) {
    const TargetOrder& order = *node.totals.order;
    LevelTable& table = scratch.levels;
    table = LevelTable();
    s.set_target_scale(node.totals, table);
    std::vector<std::int32_t> index(n_levels, 0);
    for (std::int32_t i = node.begin; i < node.end; ++i)
        if (const std::int32_t level = level_of(i); level >= 0) index[level] = 1;
    for (std::int32_t level = 0; level < n_levels; ++level) {
        if (index[level] == 0) continue;
        index[level] = table.size();
        table.present.push_back(static_cast<std::uint32_t>(level));
    }
    table.width = static_cast<int>(order.numbers.size());
    const auto m = static_cast<std::size_t>(table.size()), width = static_cast<std::size_t>(table.width);
    table.targets = order.rounded;
    table.rows.assign(m, 0);
    table.weight.assign(m, 0);
    table.sums.assign(m, 0.0);
    table.stats.assign(m * width, 0.0);
    table.parent.assign(width, 0.0);
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const std::uint32_t row = node.block.order[i];
        const std::int64_t w = node.block.weight_of(row);
        const double weight = static_cast<double>(w) * s.plan.target.weight_unit;
        const std::int32_t level = level_of(i);
        if (level < 0) {
            table.unknown += weight;
            continue;
        }
        const std::uint32_t at = order.value_index[node.block.target_rank[row]];
        table.stats[index[level] * width + at] += weight;
        table.parent[at] += weight;
        table.sums[index[level]] += weight * (order.numbers[at] - table.mean);
        ++table.rows[index[level]];
        table.weight[index[level]] += w;
        ++table.total_rows;
        table.total_weight += w;
    }
    return m > 1;
}

}  // namespace

bool fill_side_distributions(const Scoring& s, const NodeView& node, const RowSides& sides, Scratch& scratch) {
    return fill_distributions(s, node, 2, [&](std::int32_t i) { return sides[i - node.begin]; }, scratch);
}

bool fill_piece_distributions(const Scoring& s, const NodeView& node, const std::vector<std::int32_t>& piece_of_row,
                              std::int32_t n_pieces, Scratch& scratch) {
    const auto piece = [&](std::int32_t i) { return piece_of_row[node.block.order[i]]; };
    return fill_distributions(s, node, n_pieces, piece, scratch);
}

bool fill_code_distributions(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    const auto n_codes = static_cast<std::int32_t>(s.columns[column].n_codes);
    const std::int32_t imputed = imputes(s, column) ? static_cast<std::int32_t>(imputed_value(s, node, column)) : -1;
    bool varies = false;
    with_codes(node.block.codes[column], [&](const auto* codes) {
        const auto level = [&](std::int32_t i) {
            const std::uint32_t row = node.block.order[i];
            return codes[row] < s.columns[column].n_codes ? static_cast<std::int32_t>(codes[row]) : imputed;
        };
        varies = fill_distributions(s, node, n_codes, level, scratch);
    });
    return varies;
}

Candidate best_by_quantile(const Scoring& s, const NodeView& node, std::int32_t column, Scratch& scratch) {
    Candidate out;
    out.column = column;
    out.type = Candidate::Type::constant;
    const ReadyColumn& ready = s.columns[column];
    const std::int32_t n = node.rows();
    set_missing(s, node, column, scratch);
    if (ready.kind == Kind::nominal) {
        if (!fill_code_distributions(s, node, column, scratch)) return out;
        out.type = Candidate::Type::none;
        add_missing_to_levels(s, node.totals, scratch);
        score_groups(s, scratch.levels, node.totals, node.impurity, out);
        return out;
    }
    const auto set_cut = [&](const auto* list, std::int32_t at) {
        out.type = Candidate::Type::cut;
        out.below = at;
        if (ready.is_listed) return;
        const auto below = static_cast<std::uint32_t>(rank_of(list[at - 1]));
        const auto above = static_cast<std::uint32_t>(rank_of(list[at]));
        out.code = below;
        out.low = ready.high_of(below);
        out.high = ready.low_of(above);
    };
    const auto search = [&](const auto* list) {
        const std::int32_t known = known_entries(list, n);
        if (known < 2 || rank_of(list[0]) == rank_of(list[known - 1])) return;
        out.type = Candidate::Type::none;
        if (s.plan.missing.impute != ImputeBy::nothing && known < n) {
            impute_list(s, node, column, list, known, scratch.imputed);
            const ImputedList& imputed = scratch.imputed;
            const ListScan scan{node.totals, 0.0, s.tolerance(node.impurity), column, imputed.values.data()};
            const Cut cut = quantile_cut(s, node, imputed.list.data(), n, scan, scratch);
            if (cut.at < 0) return;
            out.missing_branch = imputed.branch(cut.at / 2);
            set_cut(list, imputed.known_below(cut.at / 2));
            out.score = cut.score;
            if (!ready.is_listed && !ready.is_binned()) include_value(imputed.value, out);
            s.finish(out, 1.0, cut.tried, node.totals);
            return;
        }
        const bool either = s.plan.missing.mode == MissingMode::either;
        std::int64_t weight = known < n && !either ? 0 : node.totals.weight;
        for (std::int32_t i = 0; known < n && !either && i < known; ++i)
            weight += node.block.weight_of(row_of(list[i]));
        const double fraction = static_cast<double>(weight) / static_cast<double>(node.totals.weight);
        const ListScan scan{node.totals, 0.0, s.tolerance(node.impurity) / fraction, column};
        const Cut cut = quantile_cut(s, node, list, known, scan, scratch);
        if (cut.at < 0) return;
        set_cut(list, cut.at / 2);
        if (either && known < n) out.missing_branch = cut.at % 2;
        out.score = cut.score;
        s.finish(out, fraction, cut.tried, node.totals);
    };
    if (ready.is_listed) {
        with_entries(node.block, [&](const auto& typed) { search(typed.list(column) + node.begin); });
    } else {
        scratch.peel.by_code.resize(n);
        with_codes(node.block.codes[column], [&](const auto* codes) {
            for (std::int32_t i = 0; i < n; ++i) {
                const std::uint32_t row = node.block.order[node.begin + i];
                const std::uint64_t code = codes[row] < ready.n_codes ? codes[row] : NO_RANK<std::uint64_t>;
                scratch.peel.by_code[i] = code << 32 | row;
            }
        });
        sort_words(scratch.peel.by_code.data(), n);
        search(static_cast<const std::uint64_t*>(scratch.peel.by_code.data()));
    }
    return out;
}

}  // namespace hornbeam
