#include "missing/impute.hpp"

#include <cmath>
#include <limits>

#include "missing/exact_sum.hpp"

namespace hornbeam {
namespace {

constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();

// Adds a product without rounding: the rounded product and its error.
template <class Sum>
void add_product(Sum& sum, double value, double weight) {
    const double product = value * weight;
    sum.add(product);
    if (weight != 1.0 && std::isfinite(product)) sum.add(std::fma(value, weight, -product));
}

// The mean, clamped to the range of its values; NaN if it is not finite.
class Mean {
  public:
    void add(double value, double weight) {
        add_product(sum_, value, weight);
        weights_.add(weight);
        bound(value);
    }
    void add_times(double value, double times) {
        sum_.add(value, times);
        weights_.add(times);
        bound(value);
    }
    double value() const {
        const double mean = is_finite_ ? sum_.rounded() / weights_.rounded() : UNKNOWN;
        return std::isfinite(mean) ? std::min(std::max(mean, low_), high_) : UNKNOWN;
    }

  private:
    void bound(double value) {
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
        is_finite_ = is_finite_ && std::isfinite(value);
    }
    ExactSum sum_, weights_;
    double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
    bool is_finite_ = true;
};

// The same mean from quick sums, if their rounding is certain.
class QuickMean {
  public:
    void add(double value, double weight) {
        add_product(sum_, value, weight);
        weights_.add(weight);
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
    }
    bool is_sure(double& mean) const {
        double sum = 0.0, weight = 0.0;
        if (!sum_.is_sure(sum) || !weights_.is_sure(weight) || !std::isfinite(sum / weight)) return false;
        mean = std::min(std::max(sum / weight, low_), high_);
        return true;
    }

  private:
    QuickSum sum_, weights_;
    double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
};

ImputeBy impute_by(const Scoring& s, std::int32_t column) {
    if (s.columns[column].kind == Kind::nominal) return ImputeBy::mode;
    return s.columns[column].kind == Kind::ordinal && s.plan.missing.impute == ImputeBy::mean ? ImputeBy::median
                                                                                              : s.plan.missing.impute;
}

double mean_of(const Scoring& s, const NodeSlice& node, std::int32_t column) {
    const Reals& reals = s.plan.columns[column].reals;
    const double* weights = s.plan.target.given_weights;
    const auto each = [&](const auto& add) {
        for (std::int32_t i = node.begin; i < node.end; ++i) {
            const std::uint32_t row = node.block.row_of[node.block.order[i]];
            if (!std::isnan(reals[row])) add(reals[row], weights ? weights[row] : 1.0);
        }
    };
    QuickMean quick;
    each([&](double value, double weight) { quick.add(value, weight); });
    double value = UNKNOWN;
    if (quick.is_sure(value)) return value;
    Mean mean;
    each([&](double value, double weight) { mean.add(value, weight); });
    return mean.value();
}

// The median or mode of unsorted values, which are sorted first.
double imputed_number(const Scoring& s, const NodeSlice& node, std::int32_t column) {
    const Reals& reals = s.plan.columns[column].reals;
    std::vector<std::pair<double, std::int64_t>> known;
    std::int64_t total = 0;
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const double value = reals[node.block.row_of[node.block.order[i]]];
        if (std::isnan(value)) continue;
        known.emplace_back(value, node.block.weight_of(node.block.order[i]));
        total += known.back().second;
    }
    if (known.empty()) return UNKNOWN;
    std::sort(known.begin(), known.end());
    MedianOrMode imputed(impute_by(s, column) == ImputeBy::mode, total);
    std::int64_t weight = 0;
    for (std::size_t i = 0; i < known.size(); ++i) {
        weight += known[i].second;
        if (i + 1 < known.size() && known[i + 1].first == known[i].first) continue;
        imputed.add(static_cast<std::int64_t>(i), weight);
        weight = 0;
    }
    return known[imputed.index()].first;
}

double imputed_code(const Scoring& s, const NodeSlice& node, std::int32_t column) {
    const std::int32_t* codes = s.plan.columns[column].codes;
    std::vector<std::int64_t> weight(s.plan.columns[column].n_levels, 0);
    std::int64_t total = 0;
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const std::int32_t code = codes[node.block.row_of[node.block.order[i]]];
        if (code < 0) continue;
        weight[code] += node.block.weight_of(node.block.order[i]);
        total += node.block.weight_of(node.block.order[i]);
    }
    MedianOrMode imputed(impute_by(s, column) == ImputeBy::mode, total);
    for (std::size_t code = 0; code < weight.size(); ++code)
        if (weight[code] > 0) imputed.add(static_cast<std::int64_t>(code), weight[code]);
    return static_cast<double>(imputed.index());
}

}  // namespace

double imputed_value(const Scoring& s, const NodeSlice& node, std::int32_t column) {
    if (s.plan.columns[column].codes) return imputed_code(s, node, column);
    const double mean = impute_by(s, column) == ImputeBy::mean ? mean_of(s, node, column) : UNKNOWN;
    if (!std::isnan(mean)) return mean;
    if (!s.columns[column].is_listed) return imputed_number(s, node, column);
    const Reals& reals = s.plan.columns[column].reals;
    return with_entries(node.block, [&](const auto& typed) {
        const auto* list = typed.list(column) + node.begin;
        const std::int32_t known = known_entries(list, node.rows());
        std::int64_t total = 0, weight = 0;
        for (std::int32_t i = 0; i < known; ++i) total += node.block.weight_of(row_of(list[i]));
        MedianOrMode imputed(impute_by(s, column) == ImputeBy::mode, total);
        for (std::int32_t i = 0; i < known; ++i) {
            weight += node.block.weight_of(row_of(list[i]));
            if (i + 1 < known && rank_of(list[i]) == rank_of(list[i + 1])) continue;
            imputed.add(i, weight);
            weight = 0;
        }
        return known > 0 ? reals[node.block.row_of[row_of(list[imputed.index()])]] : UNKNOWN;
    });
}

template <class Entry>
void impute_list(const Scoring& s, const NodeSlice& node, std::int32_t column, const Entry* list, std::int32_t known,
                 ImputedList& imputed) {
    const ReadyColumn& ready = s.columns[column];
    const Reals& reals = s.plan.columns[column].reals;
    imputed.value = imputed_value(s, node, column);
    // The list of a binned column contains codes; the bin of the imputed value occurs at the node.
    if (ready.is_binned()) imputed.value = ready.bin_of(imputed.value);
    const auto value_of = [&](Entry e) {
        return reals && !ready.is_binned() ? reals[node.block.row_of[row_of(e)]] : static_cast<double>(rank_of(e));
    };
    imputed.fill(list, known, node.rows(), value_of, s.plan.cuts.c45_size && ready.kind == Kind::numeric);
}

double imputed_value(const Scoring& s, const NodeSlice& node, std::int32_t column, const CodeTable& table) {
    const ReadyColumn& ready = s.columns[column];
    if (impute_by(s, column) == ImputeBy::mean) {
        Mean mean;
        for (const std::uint32_t code : table.present)
            mean.add_times(ready.values[code], static_cast<double>(table.rows[code]));
        const double value = s.plan.target.given_weights ? mean_of(s, node, column) : mean.value();
        if (!std::isnan(value)) return value;
    }
    const auto weight = [&](std::uint32_t code) { return s.statistic.weight(table.of(code)); };
    std::int64_t total = 0;
    for (const std::uint32_t code : table.present) total += weight(code);
    MedianOrMode imputed(impute_by(s, column) == ImputeBy::mode, total);
    for (const std::uint32_t code : table.present) imputed.add(code, weight(code));
    return ready.high_of(static_cast<std::uint32_t>(imputed.index()));
}

void impute_codes(const Scoring& s, const NodeSlice& node, std::int32_t column, Scratch& scratch) {
    const ReadyColumn& ready = s.columns[column];
    CodeTable& table = scratch.codes;
    ImputedList& imputed = scratch.imputed;
    imputed.n_missing = static_cast<std::int32_t>(table.rows[ready.n_codes]);
    if (imputed.n_missing == 0 || table.present.empty()) return;
    imputed.value = ready.is_binned() ? imputed_value(s, node, column) : imputed_value(s, node, column, table);
    table.known = node.rows();
    const auto position = std::partition_point(table.present.begin(), table.present.end(),
                                               [&](std::uint32_t code) { return ready.high_of(code) < imputed.value; });
    if (position == table.present.end() || (!ready.is_binned() && ready.high_of(*position) != imputed.value)) {
        table.present.insert(position, ready.n_codes);
        return;
    }
    std::int64_t *to = table.of(*position), *from = table.of(ready.n_codes);
    for (int k = 0; k < table.width; ++k) to[k] += from[k], from[k] = 0;
    table.rows[*position] += table.rows[ready.n_codes];
    table.rows[ready.n_codes] = 0;
}

void direct_imputed(double value, Candidate& out) {
    if (!out.groups) return;
    const Grouping& groups = *out.groups;
    const auto level = static_cast<std::uint32_t>(value);
    const auto index = std::find(groups.levels.begin(), groups.levels.end(), level) - groups.levels.begin();
    out.missing_branch = groups.branch[index];
}

void include_value(double value, Candidate& best) {
    if (best.missing_branch == 0)
        best.low = std::max(best.low, value);
    else
        best.high = std::min(best.high, value);
}

template void impute_list<std::uint32_t>(const Scoring&, const NodeSlice&, std::int32_t, const std::uint32_t*,
                                         std::int32_t, ImputedList&);
template void impute_list<std::uint64_t>(const Scoring&, const NodeSlice&, std::int32_t, const std::uint64_t*,
                                         std::int32_t, ImputedList&);

}  // namespace hornbeam
