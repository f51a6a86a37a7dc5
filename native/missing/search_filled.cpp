// The best question about a column at a node where a usual value of the node stands in for missing ones: the column is
// searched as if it were complete. A sorted list is copied with the missing rows put in; in a table of codes their sums
// go to the code of the value, or stand as a code of their own where a mean lies between the codes.
#include <cmath>
#include <limits>

#include "growing/search.hpp"
#include "missing/exact_sum.hpp"

namespace hornbeam {
namespace {

constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();

// The mean between the least and the largest of the numbers it is taken of; NaN where it is not finite.
class Mean {
  public:
    void add(double value, double weight) {
        sum_.add(value * weight);
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

// The same where quick sums are sure of their rounding.
class QuickMean {
  public:
    void add(double value, double weight) {
        sum_.add(value * weight);
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

}  // namespace

FillBy ColumnSearch::fill_by(std::int32_t column) const {
    if (columns_[column].kind == Kind::nominal) return FillBy::mode;
    return columns_[column].kind == Kind::ordinal && plan_.fill == FillBy::mean ? FillBy::median : plan_.fill;
}

double ColumnSearch::mean_of(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column) const {
    const Reals& reals = plan_.columns[column].reals;
    const double* weights = plan_.target.given_weights;
    const auto each = [&](const auto& add) {
        for (std::int32_t i = begin; i < end; ++i) {
            const std::uint32_t row = block.row_of[block.order[i]];
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

// Numbers in no order are sorted first.
double ColumnSearch::usual_number(const AnyBlock& block, std::int32_t begin, std::int32_t end,
                                  std::int32_t column) const {
    const Reals& reals = plan_.columns[column].reals;
    std::vector<std::pair<double, std::int64_t>> known;
    std::int64_t total = 0;
    for (std::int32_t i = begin; i < end; ++i) {
        const double value = reals[block.row_of[block.order[i]]];
        if (std::isnan(value)) continue;
        known.emplace_back(value, block.weight_of(block.order[i]));
        total += known.back().second;
    }
    if (known.empty()) return UNKNOWN;
    std::sort(known.begin(), known.end());
    UsualValue usual(fill_by(column) == FillBy::mode, total);
    std::int64_t held = 0;
    for (std::size_t i = 0; i < known.size(); ++i) {
        held += known[i].second;
        if (i + 1 < known.size() && known[i + 1].first == known[i].first) continue;
        usual.add(static_cast<std::int64_t>(i), held);
        held = 0;
    }
    return known[usual.place()].first;
}

double ColumnSearch::usual_code(const AnyBlock& block, std::int32_t begin, std::int32_t end,
                                std::int32_t column) const {
    const std::int32_t* codes = plan_.columns[column].codes;
    std::vector<std::int64_t> held(columns_[column].n_codes, 0);
    std::int64_t total = 0;
    for (std::int32_t i = begin; i < end; ++i) {
        const std::int32_t code = codes[block.row_of[block.order[i]]];
        if (code < 0) continue;
        held[code] += block.weight_of(block.order[i]);
        total += block.weight_of(block.order[i]);
    }
    UsualValue usual(fill_by(column) == FillBy::mode, total);
    for (std::size_t code = 0; code < held.size(); ++code)
        if (held[code] > 0) usual.add(static_cast<std::int64_t>(code), held[code]);
    return static_cast<double>(usual.place());
}

double ColumnSearch::stands_in(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column) const {
    if (plan_.columns[column].codes) return usual_code(block, begin, end, column);
    const double mean = fill_by(column) == FillBy::mean ? mean_of(block, begin, end, column) : UNKNOWN;
    if (!std::isnan(mean)) return mean;
    if (!columns_[column].is_listed) return usual_number(block, begin, end, column);
    const Reals& reals = plan_.columns[column].reals;
    const auto look = [&](const auto& typed) {
        const auto* list = typed.lists[column].data() + begin;
        using Entry = std::remove_cv_t<std::remove_reference_t<decltype(list[0])>>;
        const auto is_known = [](Entry e) { return rank_of(e) != NO_RANK<Entry>; };
        const auto known = std::partition_point(list, list + (end - begin), is_known) - list;
        std::int64_t total = 0, held = 0;
        for (std::ptrdiff_t i = 0; i < known; ++i) total += block.weight_of(row_of(list[i]));
        UsualValue usual(fill_by(column) == FillBy::mode, total);
        for (std::ptrdiff_t i = 0; i < known; ++i) {
            held += block.weight_of(row_of(list[i]));
            if (i + 1 < known && rank_of(list[i]) == rank_of(list[i + 1])) continue;
            usual.add(i, held);
            held = 0;
        }
        return known > 0 ? reals[block.row_of[row_of(list[usual.place()])]] : UNKNOWN;
    };
    return block.is_wide ? look(static_cast<const Block<std::uint64_t>&>(block))
                         : look(static_cast<const Block<std::uint32_t>&>(block));
}

template <class Entry>
void ColumnSearch::fill_list(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column,
                             const Entry* list, std::int32_t known, Filled& filled) const {
    const ReadyColumn& ready = columns_[column];
    const Reals& reals = plan_.columns[column].reals;
    filled.value = stands_in(block, begin, end, column);
    const auto value_of = [&](Entry e) {
        return reals ? reals[block.row_of[row_of(e)]] : static_cast<double>(rank_of(e));
    };
    filled.fill(list, known, end - begin, value_of, plan_.c45 && ready.kind == Kind::numeric);
}

template void ColumnSearch::fill_list<std::uint32_t>(const AnyBlock&, std::int32_t, std::int32_t, std::int32_t,
                                                     const std::uint32_t*, std::int32_t, Filled&) const;
template void ColumnSearch::fill_list<std::uint64_t>(const AnyBlock&, std::int32_t, std::int32_t, std::int32_t,
                                                     const std::uint64_t*, std::int32_t, Filled&) const;

void ColumnSearch::best_in_filled(AnyBlock& block, const Totals& totals, double impurity, Scratch& scratch,
                                  Candidate& out) const {
    const Filled& filled = scratch.filled;
    const auto n = static_cast<std::int32_t>(filled.list.size());
    double to_gain = 1.0;
    const Cut cut = scan(block, filled.list.data(), n, totals, 0.0, tolerance(impurity), least(totals.weight, true),
                         out.column, scratch, to_gain);
    if (cut.at < 0) return;
    out.type = Candidate::Type::cut;
    out.below = filled.known_below(cut.at);
    out.missing_branch = filled.branch(cut.at);
    out.score = cut.score * to_gain;
    if (is_ratio_ || plan_.c45) out.information = information_of(block, filled.list.data(), n, cut.at, 0.0);
    finish(out, 1.0, cut.tried, totals);
}

double ColumnSearch::stands_in(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column,
                               const CodeTable& table) const {
    const ReadyColumn& ready = columns_[column];
    const bool is_class = plan_.target.is_class();
    if (fill_by(column) == FillBy::mean) {
        Mean mean;
        for (const std::uint32_t code : table.present)
            mean.add_times(ready.values[code], static_cast<double>(table.rows[code]));
        const double value = plan_.target.given_weights ? mean_of(block, begin, end, column) : mean.value();
        if (!std::isnan(value)) return value;
    }
    const auto weight = [&](std::uint32_t code) {
        std::int64_t sum = 0;
        for (int k = 0; k < (is_class ? table.width : 1); ++k) sum += table.of(code)[k];
        return sum;
    };
    std::int64_t total = 0;
    for (const std::uint32_t code : table.present) total += weight(code);
    UsualValue usual(fill_by(column) == FillBy::mode, total);
    for (const std::uint32_t code : table.present) usual.add(code, weight(code));
    return ready.kind == Kind::numeric ? ready.values[usual.place()] : static_cast<double>(usual.place());
}

void ColumnSearch::fill_codes(const AnyBlock& block, std::int32_t begin, std::int32_t end, std::int32_t column,
                              Scratch& scratch) const {
    const ReadyColumn& ready = columns_[column];
    CodeTable& table = scratch.codes;
    Filled& filled = scratch.filled;
    filled.holes = static_cast<std::int32_t>(table.rows[ready.n_codes]);
    if (filled.holes == 0 || table.present.empty()) return;
    filled.value = stands_in(block, begin, end, column, table);
    table.known = end - begin;
    const auto number = [&](std::uint32_t code) { return ready.kind == Kind::numeric ? ready.values[code] : code; };
    const auto place = std::partition_point(table.present.begin(), table.present.end(),
                                            [&](std::uint32_t code) { return number(code) < filled.value; });
    if (place == table.present.end() || number(*place) != filled.value) {
        table.present.insert(place, ready.n_codes);
        return;
    }
    std::int64_t *to = table.of(*place), *from = table.of(ready.n_codes);
    for (int k = 0; k < table.width; ++k) to[k] += from[k], from[k] = 0;
    table.rows[*place] += table.rows[ready.n_codes];
    table.rows[ready.n_codes] = 0;
}

// Where the levels of a grouping send the value that stands in.
void ColumnSearch::direct_filled(double value, Candidate& out) const {
    if (!out.groups) return;
    const Grouping& groups = *out.groups;
    const auto level = static_cast<std::uint32_t>(value);
    const auto place = std::find(groups.levels.begin(), groups.levels.end(), level) - groups.levels.begin();
    out.missing_branch = groups.branch[place];
}

// A cut lies between the values on both sides of it, and the one that stands in is one of them.
void ColumnSearch::widen(double value, Candidate& best) const {
    if (best.missing_branch == 0)
        best.low = std::max(best.low, value);
    else
        best.high = std::min(best.high, value);
}

}  // namespace hornbeam
