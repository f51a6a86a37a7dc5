// Finds the bin of each value of a column without sorting the whole column.
//
//     few distinct values   a hash table of the distinct values; abandoned if there are more of them than bins
//     many                  values are counted in intervals of equal width. Cumulative weights give the bin of every
//                           interval that is inside one bin; only the values of the other intervals are sorted
//
// The bin of a value is floor(bins C / W), with C the weight strictly below the value and W the total weight.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include "binned/bins.hpp"
#include "core/digit_sort.hpp"
#include "core/keys.hpp"

namespace hornbeam {
namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();

// One bin per distinct value; returns false if there are more distinct values than bins.
bool bin_distinct(const double* reals, std::int64_t n, int bins, BinnedColumn& out, std::uint16_t* codes) {
    const int bits = std::bit_width(static_cast<unsigned>(4 * bins));
    std::vector<double> key(std::size_t{1} << bits);
    std::vector<std::int32_t> code_at(key.size(), -1);
    std::vector<double> found;
    constexpr std::uint16_t MISSING = 65535;
    for (std::int64_t row = 0; row < n; ++row) {
        const double x = reals[row];
        if (std::isnan(x)) {
            codes[row] = MISSING;
            out.has_missing = true;
            continue;
        }
        std::size_t at = ordered_bits(x) * 0x9E3779B97F4A7C15ULL >> (64 - bits);
        while (code_at[at] >= 0 && key[at] != x) at = (at + 1) & (key.size() - 1);
        if (code_at[at] < 0) {
            if (static_cast<int>(found.size()) == bins) return false;
            code_at[at] = static_cast<std::int32_t>(found.size());
            key[at] = x;
            found.push_back(x);
        }
        codes[row] = static_cast<std::uint16_t>(code_at[at]);
    }
    out.n_bins = static_cast<std::uint32_t>(found.size());
    out.low = found;
    std::sort(out.low.begin(), out.low.end());
    out.high = out.low;
    std::vector<std::uint16_t> rank(65536, static_cast<std::uint16_t>(out.n_bins));
    for (std::size_t i = 0; i < found.size(); ++i)
        rank[i] =
            static_cast<std::uint16_t>(std::lower_bound(out.low.begin(), out.low.end(), found[i]) - out.low.begin());
    for (std::int64_t row = 0; row < n; ++row) codes[row] = rank[codes[row]];
    return true;
}

struct WeightedValue {
    double value;
    std::int64_t weight;
};

// The smallest value of a bin inside an interval.
struct BinStart {
    double value;
    std::int32_t bin;
};

class Quantiles {
  public:
    Quantiles(const double* reals, std::int64_t n, const std::int64_t* weights, int bins, BinnedColumn& out,
              std::uint16_t* codes)
        : reals_(reals), n_(n), weights_(weights), bins_(bins), out_(out), codes_(codes) {}

    void run() {
        for (std::int64_t row = 0; row < n_; ++row) {
            const double x = reals_[row];
            if (!(std::fabs(x) < INFINITE)) continue;
            min_ = std::min(min_, x);
            max_ = std::max(max_, x);
        }
        scale_ = INTERVALS / (max_ - min_);
        if (!(scale_ > 0 && scale_ < INFINITE)) scale_ = 0;  // then all finite values are in one interval
        count_intervals();
        mark_intervals();
        gather_mixed();
        for (std::size_t s = 0; s + 1 < mixed_start_.size(); ++s) find_bin_starts(s);
        number_bins();
        write_codes();
    }

  private:
    static constexpr std::int32_t INTERVALS = 8192;
    static constexpr std::int32_t MIXED = -1;

    std::int32_t interval(double x) const {
        const double at = (x - min_) * scale_;  // increases with x in spite of rounding
        if (!(at >= 0)) return x > min_ ? INTERVALS - 1 : 0;
        return at < INTERVALS ? static_cast<std::int32_t>(at) : INTERVALS - 1;
    }
    std::int32_t bin_at(std::int64_t below) const { return quantile_bin(below, total_, bins_); }

    void count_intervals() {
        for (std::int64_t row = 0; row < n_; ++row) {
            const double x = reals_[row];
            if (std::isnan(x)) {
                codes_[row] = INTERVALS;
                out_.has_missing = true;
                continue;
            }
            const std::int32_t s = interval(x);
            codes_[row] = static_cast<std::uint16_t>(s);
            ++rows_[s];
            if (weights_) weight_[s] += weights_[row];
        }
        if (!weights_) std::copy(rows_.begin(), rows_.end(), weight_.begin());
        for (const std::int64_t w : weight_) total_ += w;
    }

    // An interval whose first and last values have the same bin gets that bin; the others are mixed.
    void mark_intervals() {
        is_used_.assign(bins_, false);
        mixed_start_ = {0};
        std::int64_t below = 0;
        for (std::int32_t s = 0; s < INTERVALS; ++s) {
            if (rows_[s] == 0) continue;
            const std::int32_t first = bin_at(below), last = bin_at(below + weight_[s] - 1);
            bin_of_[s] = first == last ? first : MIXED;
            if (first == last) {
                is_used_[first] = true;
            } else {
                mixed_[s] = static_cast<std::int32_t>(mixed_below_.size());
                mixed_below_.push_back(below);
                mixed_start_.push_back(mixed_start_.back() + rows_[s]);
            }
            below += weight_[s];
        }
    }

    void gather_mixed() {
        gathered_.resize(mixed_start_.back());
        std::vector<std::int64_t> at(mixed_start_.begin(), mixed_start_.end());
        for (std::int64_t row = 0; row < n_; ++row) {
            const std::uint16_t s = codes_[row];
            if (s == INTERVALS || bin_of_[s] != MIXED) continue;
            gathered_[at[mixed_[s]]++] = {reals_[row], weights_ ? weights_[row] : 1};
        }
    }

    void find_bin_starts(std::size_t s) {
        WeightedValue* first = gathered_.data() + mixed_start_[s];
        WeightedValue* end = gathered_.data() + mixed_start_[s + 1];
        sort(first, end);
        std::int64_t below = mixed_below_[s];
        first_bin_start_.push_back(bin_starts_.size());
        for (WeightedValue* at = first; at != end;) {
            const double value = at->value;
            const std::int32_t bin = bin_at(below);
            if (bin_starts_.size() == first_bin_start_.back() || bin_starts_.back().bin != bin) {
                bin_starts_.push_back({value, bin});
                is_used_[bin] = true;
            }
            for (; at != end && at->value == value; ++at) below += at->weight;
        }
    }

    // Intervals with many values occur in columns with a skewed distribution.
    static void sort(WeightedValue* first, WeightedValue* end) {
        const std::int64_t n = end - first;
        if (n < 2048) {
            std::sort(first, end, [](const WeightedValue& a, const WeightedValue& b) { return a.value < b.value; });
            return;
        }
        std::vector<WeightedValue> spare(n);
        const auto key = [](const WeightedValue& each) { return ordered_bits(each.value); };
        const WeightedValue* sorted = sort_by_digits<0>(first, spare.data(), n, key);
        if (sorted != first) std::copy(sorted, sorted + n, first);
    }

    void number_bins() {
        std::vector<std::int32_t> new_bin(bins_, 0);
        std::int32_t count = 0;
        for (int bin = 0; bin < bins_; ++bin)
            if (is_used_[bin]) new_bin[bin] = count++;
        for (auto& bin : bin_of_)
            if (bin != MIXED) bin = new_bin[bin];
        for (BinStart& bin_start : bin_starts_) bin_start.bin = new_bin[bin_start.bin];
        first_bin_start_.push_back(bin_starts_.size());
        out_.n_bins = static_cast<std::uint32_t>(count);
        out_.low.assign(count, INFINITE);
        out_.high.assign(count, -INFINITE);
    }

    std::int32_t bin_within(std::int32_t s, double x) const {
        const BinStart* first = bin_starts_.data() + first_bin_start_[mixed_[s]];
        const BinStart* end = bin_starts_.data() + first_bin_start_[mixed_[s] + 1];
        while (end - first > 4) {
            const BinStart* middle = first + (end - first) / 2;
            (x < middle->value ? end : first) = middle;
        }
        while (first + 1 < end && !(x < first[1].value)) ++first;
        return first->bin;
    }

    void write_codes() {
        double *low = out_.low.data(), *high = out_.high.data();
        for (std::int64_t row = 0; row < n_; ++row) {
            const std::uint16_t s = codes_[row];
            if (s == INTERVALS) {
                codes_[row] = static_cast<std::uint16_t>(out_.n_bins);
                continue;
            }
            const double x = reals_[row];
            const std::int32_t bin = bin_of_[s] != MIXED ? bin_of_[s] : bin_within(s, x);
            codes_[row] = static_cast<std::uint16_t>(bin);
            if (x < low[bin]) low[bin] = x;
            if (x > high[bin]) high[bin] = x;
        }
    }

    const double* reals_;
    std::int64_t n_;
    const std::int64_t* weights_;
    int bins_;
    BinnedColumn& out_;
    std::uint16_t* codes_;
    double min_ = INFINITE, max_ = -INFINITE, scale_ = 0;
    std::int64_t total_ = 0;
    std::array<std::int64_t, INTERVALS> rows_{}, weight_{};
    std::array<std::int32_t, INTERVALS> bin_of_{}, mixed_{};
    std::vector<bool> is_used_;
    std::vector<std::int64_t> mixed_start_, mixed_below_;
    std::vector<WeightedValue> gathered_;
    std::vector<BinStart> bin_starts_;
    std::vector<std::size_t> first_bin_start_;
};

}  // namespace

void bin_numbers(const double* reals, std::int64_t n_rows, const std::int64_t* weights, int bins, BinnedColumn& out,
                 std::uint16_t* codes) {
    if (bin_distinct(reals, n_rows, bins, out, codes)) return;
    out.has_missing = false;
    auto quantiles = std::make_unique<Quantiles>(reals, n_rows, weights, bins, out, codes);
    quantiles->run();
}

}  // namespace hornbeam
