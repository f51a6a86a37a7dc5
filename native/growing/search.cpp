#include "growing/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/portable.hpp"
#include "criteria/poisson.hpp"
#include "growing/search_kernels.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t LARGEST_LOG_TABLE = std::int64_t{1} << 22;
constexpr std::int64_t SQUARES_FIT = std::int64_t{1} << 31;  // totals below this have squares below 2^62

std::int64_t whole_weight(const Plan& plan) {
    if (plan.target.weights.empty()) return plan.n_rows;
    std::int64_t sum = 0;
    for (const std::int64_t w : plan.target.weights) sum += w;
    return sum;
}

std::unique_ptr<Criterion> criterion_for(const Plan& plan) {
    if (plan.quantile < 0) return make_criterion(plan.criterion);
    return std::make_unique<QuantileRisk>(QuantileRule{plan.quantile, plan.quantile_scale});
}

}  // namespace

void LogTable::fill(std::int64_t largest) {
    values.resize(largest + 1);
    const double most = largest > 1 ? static_cast<double>(largest) * std::log2(static_cast<double>(largest)) : 1.0;
    const int bits = 60 - static_cast<int>(std::ceil(std::log2(most + 1.0)));
    unit = std::ldexp(1.0, -bits);
    for (std::int64_t x = 0; x <= largest; ++x) {
        const auto real = static_cast<double>(x);
        values[x] = x < 2 ? 0 : std::llround(std::ldexp(real * std::log2(real), bits));
    }
}

ColumnSearch::ColumnSearch(const Plan& plan, const std::vector<ReadyColumn>& columns)
    : plan_(plan), columns_(columns), criterion_(criterion_for(plan)) {
    if (plan.asks_quantile()) rank_targets();
    const Target& target = plan.target;
    const bool plain = target.class_scale.empty();
    const std::int64_t weight = whole_weight(plan);
    root_weight_ = static_cast<double>(weight);
    is_gini_ = plan.criterion == "gini";
    is_ratio_ = plan.criterion == "gain_ratio";
    is_poisson_ = plan.criterion == "poisson";
    const std::string& name = plan.criterion;
    if (name == "squared_error") kernel_ = Kernel::moments;
    if (plain && weight < SQUARES_FIT) {
        const bool gini = name == "gini" || name == "two_class_variance";
        if (gini) kernel_ = target.n_classes == 2 && target.weights.empty() ? Kernel::two_classes : Kernel::squares;
        if ((name == "entropy" || name == "c45") && weight <= LARGEST_LOG_TABLE) kernel_ = Kernel::logs;
    }
    if (kernel_ == Kernel::logs || (plan.intervals > 0 && is_ratio_ && weight <= LARGEST_LOG_TABLE)) {
        small_logs_.fill(std::min<std::int64_t>(weight, SMALL_BLOCK));
        if (weight > SMALL_BLOCK) large_logs_.fill(weight);
    }
    if (target.is_class()) {
        factor_.assign(target.n_classes, target.weight_unit);
        for (std::size_t k = 0; k < target.class_scale.size(); ++k) factor_[k] *= target.class_scale[k];
    } else {
        factor_ = {target.weight_unit, target.unit * target.weight_unit};
    }
    plain_least_ = computed_least(0, false);
    root_mass_ = root_weight_ * target.weight_unit;
    if (!plain) {
        root_mass_ = 0;
        std::vector<std::int64_t> counts = target.class_totals;
        counts.resize(target.n_classes, 0);
        for (std::size_t i = 0; i < target.classes.size(); ++i)
            counts[target.classes[i]] += target.weights.empty() ? 1 : target.weights[i];
        for (int k = 0; k < target.n_classes; ++k) root_mass_ += static_cast<double>(counts[k]) * factor_[k];
    }
}

Totals ColumnSearch::totals(const AnyBlock& block, const std::uint32_t* rows, std::int32_t n) const {
    Totals out;
    out.rows = n;
    const Target& target = plan_.target;
    check_stop(n + target.n_classes);
    const std::int64_t* weights = block.weights.empty() ? nullptr : block.weights.data();
    if (target.is_class()) {
        out.counts.assign(target.n_classes, 0);
        if (weights)
            for (std::int32_t i = 0; i < n; ++i) out.counts[block.classes[rows[i]]] += weights[rows[i]];
        else
            for (std::int32_t i = 0; i < n; ++i) ++out.counts[block.classes[rows[i]]];
        for (const std::int64_t c : out.counts) out.weight += c;
        set_squares(out);
        return out;
    }
    if (n == 0) return out;
    for (std::int32_t i = 0; i < n; ++i) {
        out.sum += block.sums[rows[i]];
        out.weight += weights ? weights[rows[i]] : 1;
    }
    // Rows of one unit: exact in integers. Others: doubles in row order, from the target itself, because the sum of a
    // light row is a small integer that has lost its digits.
    if (!weights) {
        const std::int64_t centre = out.sum / n;
        Wide squares = 0;
        for (std::int32_t i = 0; i < n; ++i) {
            const std::int64_t off = block.sums[rows[i]] - centre;
            squares += static_cast<Wide>(off) * off;
        }
        const double rest = static_cast<double>(out.sum - centre * n);
        out.spread = (static_cast<double>(squares) - rest * rest / n) * target.unit * target.unit * target.weight_unit;
        out.mean = mean_target(out.center());
    } else {
        double sum = 0;
        for (std::int32_t i = 0; i < n; ++i)
            sum += static_cast<double>(weights[rows[i]]) * (target.numbers[block.row_of[rows[i]]] - target.origin);
        const double mean = sum / static_cast<double>(out.weight);
        for (std::int32_t i = 0; i < n; ++i) {
            const double off = target.numbers[block.row_of[rows[i]]] - target.origin - mean;
            out.spread += static_cast<double>(weights[rows[i]]) * off * off;
        }
        out.spread *= target.weight_unit;
        out.mean = target.origin + mean;
    }
    out.is_one_number = true;
    for (std::int32_t i = 1; i < n && out.is_one_number; ++i)
        out.is_one_number = target.numbers[block.row_of[rows[i]]] == target.numbers[block.row_of[rows[0]]];
    out.spread = out.is_one_number ? 0.0 : std::max(out.spread, 0.0);
    if (out.is_one_number) out.mean = target.numbers[block.row_of[rows[0]]];
    const double centre = is_poisson_ ? out.mean : 0.0;
    if (centre > 0)
        for (std::int32_t i = 0; i < n; ++i) {
            const double y = target.numbers[block.row_of[rows[i]]];
            const double w = weights ? static_cast<double>(weights[rows[i]]) : 1.0;
            out.deviance += w * rate_divergence((y - centre) / centre);
        }
    return out;
}

double ColumnSearch::mean_target(const Center& rows) const {
    return plan_.target.origin + static_cast<double>(rows.sum) / static_cast<double>(rows.weight) * plan_.target.unit;
}

void ColumnSearch::set_target_scale(const Totals& totals, LevelTable& table) const {
    table.mean = table.deviation = 0.0;
    if (plan_.target.is_class() || totals.weight == 0) return;
    table.mean = mean_target(totals);
    table.deviation = std::sqrt(totals.spread / (static_cast<double>(totals.weight) * plan_.target.weight_unit));
}

double ColumnSearch::impurity(const Totals& totals) const {
    if (totals.weight == 0) return 0.0;
    const double weight = static_cast<double>(totals.weight) * plan_.target.weight_unit;
    if (plan_.quantile >= 0) return totals.risk;
    if (is_poisson_) return 2 * totals.mean * totals.deviance / static_cast<double>(totals.weight);
    if (!plan_.target.is_class()) return totals.spread / weight;
    std::vector<double> stats(totals.counts.size());
    for (std::size_t k = 0; k < stats.size(); ++k) stats[k] = static_cast<double>(totals.counts[k]) * factor_[k];
    return std::max(0.0, criterion_->impurity(stats.data(), static_cast<int>(stats.size())));
}

double ColumnSearch::mass(const Totals& totals) const {
    if (!plan_.target.is_class()) return static_cast<double>(totals.weight) * plan_.target.weight_unit;
    double sum = 0;
    for (std::size_t k = 0; k < totals.counts.size(); ++k) sum += static_cast<double>(totals.counts[k]) * factor_[k];
    return sum;
}

bool ColumnSearch::is_pure(const Totals& totals) const {
    if (!plan_.target.is_class()) return totals.is_one_number;
    return std::any_of(totals.counts.begin(), totals.counts.end(), [&](auto c) { return c == totals.weight; });
}

double ColumnSearch::largest_share(const Totals& totals) const {
    if (!plan_.target.is_class()) return 0.0;
    double most = 0, all = 0;
    for (std::size_t k = 0; k < totals.counts.size(); ++k) {
        const double w = static_cast<double>(totals.counts[k]) * factor_[k];
        most = std::max(most, w);
        all += w;
    }
    return all > 0 ? most / all : 1.0;
}

Least ColumnSearch::least(std::int64_t known_weight, bool is_cut) const {
    return plan_.c45 && is_cut ? computed_least(known_weight, true) : plain_least_;
}

Least ColumnSearch::computed_least(std::int64_t known_weight, bool is_cut) const {
    Least out;
    out.zero_gain = plan_.zero_gain;
    out.rows = std::max<std::int64_t>(plan_.min_leaf, 1);
    double weight = plan_.min_leaf_weight / plan_.target.weight_unit;
    if (plan_.c45 && is_cut) {
        const double known = static_cast<double>(known_weight) * plan_.target.weight_unit;
        const double share = std::min(std::max(0.1 * known / plan_.target.n_classes, plan_.min_leaf_weight), 25.0);
        weight = std::max(share, plan_.min_leaf_weight) / plan_.target.weight_unit;
    }
    // Shares of rows do not add up to the last bit: what is enough but for one part in 10^10 is enough.
    out.weight = static_cast<std::int64_t>(std::ceil(weight * (1 - 1e-10) - 1e-9));
    if (plan_.target.weights.empty()) out.rows = std::max(out.rows, out.weight);
    return out;
}

Candidate ColumnSearch::best(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                             double impurity, std::int32_t column, Span span, Scratch& scratch) const {
    const ReadyColumn& ready = columns_[column];
    if (!plan_.cuts && ready.kind != Kind::nominal) return {.column = column};
    scratch.holes.rows = scratch.filled.holes = 0;
    if (plan_.quantile >= 0) return best_by_quantile(block, begin, end, totals, impurity, column, scratch);
    Candidate out = plan_.intervals > 0 ? best_into_many(block, begin, end, totals, impurity, column, span, scratch)
                    : ready.is_listed   ? best_listed(block, begin, end, totals, impurity, column, scratch)
                                        : best_coded(block, begin, end, totals, impurity, column, span, scratch);
    if (plan_.missing_counted != HoleRule::apart && ready.has_missing)
        consider_missing(totals, impurity, scratch.holes, out);
    scratch.holes.own.clear();
    return out;
}

Candidate ColumnSearch::best_listed(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                    double impurity, std::int32_t column, Scratch& scratch) const {
    if (block.is_wide)
        return best_in_list(static_cast<Block<std::uint64_t>&>(block), begin, end, totals, impurity, column, scratch);
    return best_in_list(static_cast<Block<std::uint32_t>&>(block), begin, end, totals, impurity, column, scratch);
}

template <class Entry>
Candidate ColumnSearch::best_in_list(Block<Entry>& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                     double impurity, std::int32_t column, Scratch& scratch) const {
    Candidate out;
    out.column = column;
    const Entry* list = block.list(column) + begin;
    std::int32_t known = end - begin;
    if (columns_[column].has_missing)
        known = static_cast<std::int32_t>(
            std::partition_point(list, list + known, [](Entry e) { return rank_of(e) != NO_RANK<Entry>; }) - list);
    const std::int32_t n = end - begin;
    if (plan_.missing_counted != HoleRule::apart && known < n) {
        scratch.touched.resize(n - known);
        for (std::int32_t i = known; i < n; ++i) scratch.touched[i - known] = row_of(list[i]);
        set_holes(block, scratch.touched, scratch.holes);
    }
    if (known < 2 || rank_of(list[0]) == rank_of(list[known - 1])) {
        out.type = Candidate::Type::constant;
        return out;
    }
    if (plan_.missing_counted == HoleRule::either && known < n) {
        best_both_in_list(block, list, known, n, totals, impurity, scratch, out);
        return out;
    }
    if (plan_.fill != FillBy::nothing && known < n) {
        fill_list(block, begin, end, column, list, known, scratch.filled);
        best_in_filled(block, totals, impurity, scratch, out);
        return out;
    }
    Totals of_known;
    if (known < end - begin) {
        scratch.touched.resize(known);
        for (std::int32_t i = 0; i < known; ++i) scratch.touched[i] = row_of(list[i]);
        of_known = this->totals(block, scratch.touched.data(), known);
    }
    const bool is_whole = known == end - begin, scored = !is_whole && are_scored_apart(scratch.holes);
    const Totals& sums = is_whole ? totals : of_known;
    const double all = is_whole ? 1.0 : mass(totals), share = is_whole || scored ? 1.0 : mass(sums) / all;
    const double unknown = is_whole ? 0.0 : all - mass(sums);
    double to_gain = 1.0;
    const Cut cut = scan(block, list, known, sums, scored ? 0.0 : unknown, tolerance(impurity) / share,
                         least(sums.weight, true), column, scratch, to_gain);
    if (cut.at < 0) return out;
    out.type = Candidate::Type::cut;
    out.below = cut.at;
    out.score = cut.score * to_gain;
    if (is_ratio_ || plan_.c45) out.information = information_of(block, list, known, cut.at, unknown);
    finish(out, share, cut.tried, totals);
    return out;
}

// The information of a cut of a list itself.
template <class Entry>
double ColumnSearch::information_of(const AnyBlock& block, const Entry* list, std::int32_t n, std::int32_t below,
                                    double unknown) const {
    double sides[2] = {0, 0};
    for (std::int32_t i = 0; i < n; ++i) {
        const std::uint32_t row = row_of(list[i]);
        sides[i >= below] += static_cast<double>(block.weight_of(row)) * factor_[block.classes[row]];
    }
    return split_information({nullptr, sides, 2, 1, unknown}, true);
}

// What only the winner needs to know: the values on both sides of a cut, which lie far away in memory, and the decrease
// in impurity where the score is something else.
void ColumnSearch::complete(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                            Candidate& best) const {
    list_branches(best);
    const int width = plan_.target.n_classes;
    const bool is_score = !criterion_->is_impurity() && width > 0;
    std::vector<std::int64_t> counts(is_score ? static_cast<std::size_t>(best.n_branches) * width : 0, 0);
    const auto add = [&](std::uint32_t row, std::int32_t branch) {
        counts[branch * width + block.classes[row]] += block.weights.empty() ? 1 : block.weights[row];
    };
    if (best.type == Candidate::Type::missing || best.cuts) {
        if (plan_.c45 && !plan_.c45_by_gain) best.score /= best.information;
        return;
    }
    if (columns_[best.column].is_listed) {
        const Reals reals = plan_.columns[best.column].reals;
        const auto look = [&](auto& typed) {
            const auto* list = typed.list(best.column) + begin;
            using Entry = std::remove_cv_t<std::remove_reference_t<decltype(list[0])>>;
            best.low = reals[block.row_of[row_of(list[best.below - 1])]];
            best.high = reals[block.row_of[row_of(list[best.below])]];
            if (plan_.fill != FillBy::nothing && best.missing_branch >= 0)
                widen(stands_in(block, begin, end, best.column), best);
            for (std::int32_t i = 0; is_score && i < end - begin; ++i) {
                if (rank_of(list[i]) != NO_RANK<Entry>)
                    add(row_of(list[i]), i >= best.below);
                else if (best.missing_branch >= 0)
                    add(row_of(list[i]), best.missing_branch);
            }
        };
        if (block.is_wide)
            look(static_cast<Block<std::uint64_t>&>(block));
        else
            look(static_cast<Block<std::uint32_t>&>(block));
    } else if (is_score) {
        const SourceColumn& source = plan_.columns[best.column];
        for (std::int32_t i = begin; i < end; ++i) {
            const std::uint32_t row = block.order[i], at = block.row_of[row];
            if (source.codes ? source.codes[at] < 0 : std::isnan(source.reals[at])) {
                if (best.missing_branch >= 0) add(row, best.missing_branch);
                continue;
            }
            if (best.type == Candidate::Type::map)
                add(row, best.groups->branch_of[source.codes[at]]);
            else
                add(row, source.codes ? source.codes[at] > best.low : source.reals[at] > best.low);
        }
    }
    set_gain(counts, totals, best);
}

template <class Entry>
Cut ColumnSearch::scan(AnyBlock& block, const Entry* list, std::int32_t known, const Totals& totals, double unknown,
                       double tolerance, const Least& least, std::int32_t column, Scratch& scratch,
                       double& to_gain) const {
    const Reals reals = column < 0 ? Reals() : plan_.columns[column].reals;
    const bool some = column >= 0 && tries_some();
    const bool is_filled = static_cast<const void*>(list) == scratch.filled.list.data();
    if (some) mark_cuts(block, list, known, totals.weight, scratch);
    return with_kernel(block, totals, unknown, scratch, to_gain, [&](auto& kernel) {
        const double bar = tolerance / to_gain;
        if (!plan_.c45 && !some)
            return best_cut(list, known, kernel, least, bar, scratch.cuts, [](Entry, Entry) { return true; });
        return best_cut(list, known, kernel, least, bar, scratch.cuts, [&](Entry a, Entry b) {
            if (some) return scratch.is_marked[row_of(a)] != 0;
            if (is_filled) return are_apart(scratch.filled.values[rank_of(a)], scratch.filled.values[rank_of(b)]);
            return are_apart(reals[block.row_of[row_of(a)]], reals[block.row_of[row_of(b)]]);
        });
    });
}

void ColumnSearch::finish(Candidate& c, double known_share, int tried, const Totals& totals) const {
    if (!is_ratio_) c.score *= known_share;
    c.gain = c.score;
    if (plan_.c45 && c.type == Candidate::Type::cut) {
        const double weight = static_cast<double>(totals.weight) * plan_.target.weight_unit;
        c.score -= std::log2(static_cast<double>(tried)) / weight;
        if (c.score <= 0) c.type = Candidate::Type::none;
    }
}

template double ColumnSearch::information_of<std::uint64_t>(const AnyBlock&, const std::uint64_t*, std::int32_t,
                                                            std::int32_t, double) const;
template Cut ColumnSearch::scan<std::uint64_t>(AnyBlock&, const std::uint64_t*, std::int32_t, const Totals&, double,
                                               double, const Least&, std::int32_t, Scratch&, double&) const;

}  // namespace hornbeam
