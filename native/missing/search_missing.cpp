// The best question about a column where missing values count: cuts with them on either side, and "is it missing?".
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "growing/search_kernels.hpp"
#include "missing/both_ways.hpp"

namespace hornbeam {

// The second kernel is a copy of the first with counts of its own; `use(above, below)` is called with them.
template <class Use>
Cut ColumnSearch::with_two_kernels(const AnyBlock& block, const Totals& totals, Scratch& scratch, double& to_gain,
                                   const Use& use) const {
    return with_kernel(block, totals, 0.0, scratch, to_gain, [&](auto& above) {
        auto below = above;
        below.count_in(scratch.second_counts);
        return use(above, below);
    });
}

// The statistics of missing values, then those of all other rows of the node.
void ColumnSearch::set_side(const Holes& holes, double* stats, const Totals& totals) const {
    const bool is_class = plan_.target.is_class();
    const std::vector<std::int64_t> missing =
        is_class ? holes.counts : std::vector<std::int64_t>{holes.weight, holes.sum};
    std::vector<std::int64_t> known = is_class ? totals.counts : std::vector<std::int64_t>{totals.weight, totals.sum};
    for (std::size_t k = 0; k < known.size(); ++k) known[k] -= missing[k];
    std::fill_n(stats, 2 * known.size(), 0.0);
    add_stats(missing.data(), totals, stats);
    add_stats(known.data(), totals, stats + known.size());
}

void ColumnSearch::set_holes(const AnyBlock& block, const std::vector<std::uint32_t>& rows, Holes& holes) const {
    holes = Holes{};
    holes.rows = static_cast<std::int64_t>(rows.size());
    holes.counts.assign(plan_.target.n_classes, 0);
    for (const std::uint32_t row : rows) {
        const std::int64_t w = block.weights.empty() ? 1 : block.weights[row];
        holes.weight += w;
        if (plan_.target.is_class())
            holes.counts[block.classes[row]] += w;
        else
            holes.sum += block.sums[row];
    }
}

void ColumnSearch::set_holes(const std::int64_t* counts, std::int64_t rows, Holes& holes) const {
    holes = Holes{};
    holes.rows = rows;
    const bool is_class = plan_.target.is_class();
    if (!is_class) holes.weight = counts[0], holes.sum = counts[1];
    for (int k = 0; is_class && k < plan_.target.n_classes; ++k) {
        holes.counts.push_back(counts[k]);
        holes.weight += counts[k];
    }
}

// Whether missing values are enough for a branch of their own.
bool ColumnSearch::are_own_branch(const Holes& holes) const {
    const Least low = least(0, false);
    return plan_.missing_counted == HoleRule::branch && holes.rows > 0 && holes.rows >= low.rows &&
           holes.weight >= low.weight;
}

// Whether cuts are scored with the branch of missing values: where the score is no sum of two. Says what they are then.
bool ColumnSearch::are_scored_apart(Holes& holes) const {
    if (criterion_->is_impurity() || !are_own_branch(holes)) return false;
    for (std::size_t k = 0; k < holes.counts.size(); ++k)
        holes.own.push_back(static_cast<double>(holes.counts[k]) * factor_[k]);
    return holes.is_scored = true;
}

// Levels are grouped with missing values on either side, or beside them: the table holds their statistics too.
void ColumnSearch::add_holes_to_levels(const Totals& totals, Scratch& scratch) const {
    LevelTable& table = scratch.levels;
    table.holes.clear();
    table.own.clear();
    const bool is_own = are_own_branch(scratch.holes);
    if ((plan_.missing_counted != HoleRule::either && !is_own) || scratch.holes.rows == 0) return;
    std::vector<double> sides(2 * table.width);
    set_side(scratch.holes, sides.data(), totals);
    scratch.holes.is_scored = is_own;
    (is_own ? table.own : table.holes).assign(sides.begin(), sides.begin() + table.width);
    table.holes_rows = scratch.holes.rows;
    table.holes_weight = scratch.holes.weight;
    table.unknown = 0.0;
}

template <class Entry>
void ColumnSearch::best_both_in_list(Block<Entry>& block, const Entry* list, std::int32_t known, std::int32_t n,
                                     const Totals& totals, double impurity, Scratch& scratch, Candidate& out) const {
    const std::int64_t* weights = block.weights.empty() ? nullptr : block.weights.data();
    const Reals reals = plan_.columns[out.column].reals;
    const Least low = least(totals.weight, true);
    double to_gain = 1.0;
    const Cut cut = with_two_kernels(block, totals, scratch, to_gain, [&](auto& above, auto& below) {
        using Kernel = std::remove_reference_t<decltype(above)>;
        for (std::int32_t i = known; i < n; ++i) below.add(row_of(list[i]));
        BothWays<Kernel> offers(above, below, n, n - known, totals.weight - scratch.holes.weight, low,
                                tolerance(impurity) / to_gain, scratch.cuts);
        return best_cut_both(list, known, above, below, weights, std::move(offers), [&](Entry a, Entry b) {
            return !plan_.c45 || are_apart(reals[block.row_of[row_of(a)]], reals[block.row_of[row_of(b)]]);
        });
    });
    if (cut.at < 0) return;
    out.type = Candidate::Type::cut;
    out.below = cut.at / 2;
    out.missing_branch = cut.at % 2;
    out.score = cut.score * to_gain;
    if (is_ratio_ || plan_.c45) {
        double sides[2] = {0, 0};
        for (std::int32_t i = 0; i < n; ++i) {
            const std::uint32_t row = row_of(list[i]);
            const int side = i < out.below ? 0 : i < known ? 1 : out.missing_branch;
            sides[side] += static_cast<double>(weights ? weights[row] : 1) * factor_[block.classes[row]];
        }
        out.information = split_information({nullptr, sides, 2, 1, 0.0}, true);
    }
    finish(out, 1.0, cut.tried, totals);
}

template void ColumnSearch::best_both_in_list<std::uint32_t>(Block<std::uint32_t>&, const std::uint32_t*, std::int32_t,
                                                             std::int32_t, const Totals&, double, Scratch&,
                                                             Candidate&) const;
template void ColumnSearch::best_both_in_list<std::uint64_t>(Block<std::uint64_t>&, const std::uint64_t*, std::int32_t,
                                                             std::int32_t, const Totals&, double, Scratch&,
                                                             Candidate&) const;

void ColumnSearch::best_both_of_codes(const AnyBlock& block, const Totals& totals, double impurity, Scratch& scratch,
                                      Candidate& out) const {
    const ReadyColumn& ready = columns_[out.column];
    const CodeTable& table = scratch.codes;
    const bool is_class = plan_.target.is_class();
    const Least low = least(totals.weight, true);
    double to_gain = 1.0;
    const Cut cut = with_two_kernels(block, totals, scratch, to_gain, [&](auto& above, auto& below) {
        using Kernel = std::remove_reference_t<decltype(above)>;
        below.add_counts(table.of(ready.n_codes));
        BothWays<Kernel> offers(above, below, totals.rows, scratch.holes.rows, totals.weight - scratch.holes.weight,
                                low, tolerance(impurity) / to_gain, scratch.cuts);
        const bool must_differ = plan_.c45 && ready.kind == Kind::numeric;
        return best_code_cut_both(table, above, below, is_class, std::move(offers),
                                  [&](std::uint32_t a, std::uint32_t b) {
                                      return !must_differ || are_apart(ready.high_of(a), ready.low_of(b));
                                  });
    });
    if (cut.at < 0) return;
    const std::uint32_t last = table.present[cut.at / 2], next = table.present[cut.at / 2 + 1];
    out.type = Candidate::Type::cut;
    out.missing_branch = cut.at % 2;
    out.score = cut.score * to_gain;
    out.code = last;
    out.low = ready.high_of(last);
    out.high = ready.low_of(next);
    if (plan_.c45 || is_ratio_) {
        double sides[2] = {0, 0};
        const auto add = [&](std::uint32_t code, int side) {
            for (int k = 0; k < table.width; ++k) sides[side] += static_cast<double>(table.of(code)[k]) * factor_[k];
        };
        for (const std::uint32_t code : table.present) add(code, code > last);
        add(ready.n_codes, out.missing_branch);
        out.information = split_information({nullptr, sides, 2, 1, 0.0}, true);
    }
    finish(out, 1.0, cut.tried, totals);
}

// "Is it missing?" competes with the column's other question; where missing values are a branch of their own that was
// not scored yet the decrease by that question is added: a decrease of impurity in three parts is the sum of both.
void ColumnSearch::consider_missing(const Totals& totals, double impurity, const Holes& holes, Candidate& out) const {
    const std::int64_t known = totals.rows - holes.rows;
    if (holes.rows == 0 || known == 0) return;
    if (out.type == Candidate::Type::constant) out.type = Candidate::Type::none;
    const Least low = least(0, false);
    const std::int64_t known_weight = totals.weight - holes.weight;
    if (holes.rows < low.rows || known < low.rows || holes.weight < low.weight || known_weight < low.weight) return;
    const bool is_class = plan_.target.is_class();
    const int width = is_class ? plan_.target.n_classes : 2;
    std::vector<double> sides(2 * width), parent(width);
    set_side(holes, sides.data(), totals);
    for (int k = 0; k < width; ++k) parent[k] = sides[k] + sides[width + k];
    const SplitStats split{parent.data(), sides.data(), 2, width, 0.0, nullptr, is_class ? 0.0 : mean_target(totals)};
    const double score = criterion_->score(split);
    const bool own = plan_.missing_counted == HoleRule::branch;
    if (own && out.found() && !holes.is_scored && criterion_->forbids(split)) out.type = Candidate::Type::none;
    if (!plan_.zero_gain && !(score > tolerance(impurity)) && !(out.found() && own)) return;
    const double gain = is_class && !criterion_->is_impurity() ? criterion_->decrease(split) : score;
    if (out.found() && own && !holes.is_scored) out.gain += gain, out.score += score;
    if (out.found() && own && out.score - score > tolerance(impurity)) {
        out.missing_branch = out.n_branches++;
        return;
    }
    const double bar = out.found() ? out.score : least(0, true).start(0.0);
    if (!own && !(score - bar > tolerance(impurity))) return;
    out.type = Candidate::Type::missing;
    out.n_branches = 2;
    out.missing_branch = 0;
    out.is_free = false;
    out.gain = gain;
    out.score = score;
    double weights[2] = {0, 0};
    for (int b = 0; b < 2; ++b) weights[b] = is_class ? total(sides.data() + b * width, width) : sides[b * width];
    out.information = split_information({nullptr, weights, 2, 1, 0.0}, true);
}

}  // namespace hornbeam
