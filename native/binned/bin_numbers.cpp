// Which bin does each number fall into, without sorting the column?
//
//     few values   a table of the distinct values met so far; given up as soon as there are more than bins
//     many         count the numbers in equal stretches between the smallest and the largest; the running weight says
//     the
//                  bin of every stretch that lies in one bin; only stretches with a border inside are sorted
//     uneven       when most numbers lie in such stretches, sort all of them
//
// All three give the same bins: floor(bins C / W) of the weight C strictly below a value.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "binned/bins.hpp"
#include "core/digit_sort.hpp"
#include "core/keys.hpp"

namespace hornbeam {
namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();

// One bin a value; false when there are more values than bins.
bool bin_few(const double* reals, std::int64_t n, int bins, BinnedColumn& out, std::uint16_t* codes) {
    const int bits = std::bit_width(static_cast<unsigned>(4 * bins));
    std::vector<double> key(std::size_t{1} << bits);
    std::vector<std::int32_t> place(key.size(), -1);
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
        while (place[at] >= 0 && key[at] != x) at = (at + 1) & (key.size() - 1);
        if (place[at] < 0) {
            if (static_cast<int>(found.size()) == bins) return false;
            place[at] = static_cast<std::int32_t>(found.size());
            key[at] = x;
            found.push_back(x);
        }
        codes[row] = static_cast<std::uint16_t>(place[at]);
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

struct Weighed {
    double value;
    std::int64_t weight;
};

// Where a bin of a stretch begins.
struct Border {
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
            least_ = std::min(least_, x);
            most_ = std::max(most_, x);
        }
        scale_ = STRETCHES / (most_ - least_);
        if (!(scale_ > 0 && scale_ < INFINITE)) scale_ = 0;  // then all finite numbers lie in one stretch
        count_stretches();
        mark_stretches();
        gather_mixed();
        for (std::size_t s = 0; s + 1 < mixed_start_.size(); ++s) find_borders(s);
        number_bins();
        write_codes();
    }

  private:
    static constexpr std::int32_t STRETCHES = 8192;
    static constexpr std::int32_t MIXED = -1;

    std::int32_t stretch(double x) const {
        const double at = (x - least_) * scale_;  // rises with x, whatever is rounded
        if (!(at >= 0)) return x > least_ ? STRETCHES - 1 : 0;
        return at < STRETCHES ? static_cast<std::int32_t>(at) : STRETCHES - 1;
    }
    std::int32_t bin_at(std::int64_t below) const { return quantile_bin(below, all_, bins_); }

    void count_stretches() {
        for (std::int64_t row = 0; row < n_; ++row) {
            const double x = reals_[row];
            if (std::isnan(x)) {
                codes_[row] = STRETCHES;
                out_.has_missing = true;
                continue;
            }
            const std::int32_t s = stretch(x);
            codes_[row] = static_cast<std::uint16_t>(s);
            ++rows_[s];
            if (weights_) weight_[s] += weights_[row];
        }
        if (!weights_) std::copy(rows_.begin(), rows_.end(), weight_.begin());
        for (const std::int64_t w : weight_) all_ += w;
    }

    // A stretch whose first and last numbers must fall into the same bin has that bin; the others are looked into.
    void mark_stretches() {
        is_used_.assign(bins_, false);
        mixed_start_ = {0};
        std::int64_t below = 0;
        for (std::int32_t s = 0; s < STRETCHES; ++s) {
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
            if (s == STRETCHES || bin_of_[s] != MIXED) continue;
            gathered_[at[mixed_[s]]++] = {reals_[row], weights_ ? weights_[row] : 1};
        }
    }

    void find_borders(std::size_t s) {
        Weighed* first = gathered_.data() + mixed_start_[s];
        Weighed* end = gathered_.data() + mixed_start_[s + 1];
        sort(first, end);
        std::int64_t below = mixed_below_[s];
        border_start_.push_back(borders_.size());
        for (Weighed* at = first; at != end;) {
            const double value = at->value;
            const std::int32_t bin = bin_at(below);
            if (borders_.size() == border_start_.back() || borders_.back().bin != bin) {
                borders_.push_back({value, bin});
                is_used_[bin] = true;
            }
            for (; at != end && at->value == value; ++at) below += at->weight;
        }
    }

    // Long stretches come from uneven columns.
    static void sort(Weighed* first, Weighed* end) {
        const std::int64_t n = end - first;
        if (n < 2048) {
            std::sort(first, end, [](const Weighed& a, const Weighed& b) { return a.value < b.value; });
            return;
        }
        std::vector<Weighed> spare(n);
        const auto key = [](const Weighed& each) { return ordered_bits(each.value); };
        const Weighed* sorted = sort_by_digits<0>(first, spare.data(), n, key);
        if (sorted != first) std::copy(sorted, sorted + n, first);
    }

    void number_bins() {
        std::vector<std::int32_t> number(bins_, 0);
        std::int32_t count = 0;
        for (int bin = 0; bin < bins_; ++bin)
            if (is_used_[bin]) number[bin] = count++;
        for (auto& bin : bin_of_)
            if (bin != MIXED) bin = number[bin];
        for (Border& border : borders_) border.bin = number[border.bin];
        border_start_.push_back(borders_.size());
        out_.n_bins = static_cast<std::uint32_t>(count);
        out_.low.assign(count, INFINITE);
        out_.high.assign(count, -INFINITE);
    }

    std::int32_t within(std::int32_t s, double x) const {
        const Border* first = borders_.data() + border_start_[mixed_[s]];
        const Border* end = borders_.data() + border_start_[mixed_[s] + 1];
        while (end - first > 4) {
            const Border* middle = first + (end - first) / 2;
            (x < middle->value ? end : first) = middle;
        }
        while (first + 1 < end && !(x < first[1].value)) ++first;
        return first->bin;
    }

    void write_codes() {
        double *low = out_.low.data(), *high = out_.high.data();
        for (std::int64_t row = 0; row < n_; ++row) {
            const std::uint16_t s = codes_[row];
            if (s == STRETCHES) {
                codes_[row] = static_cast<std::uint16_t>(out_.n_bins);
                continue;
            }
            const double x = reals_[row];
            const std::int32_t bin = bin_of_[s] != MIXED ? bin_of_[s] : within(s, x);
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
    double least_ = INFINITE, most_ = -INFINITE, scale_ = 0;
    std::int64_t all_ = 0;
    std::array<std::int64_t, STRETCHES> rows_{}, weight_{};
    std::array<std::int32_t, STRETCHES> bin_of_{}, mixed_{};
    std::vector<bool> is_used_;
    std::vector<std::int64_t> mixed_start_, mixed_below_;
    std::vector<Weighed> gathered_;
    std::vector<Border> borders_;
    std::vector<std::size_t> border_start_;
};

}  // namespace

void bin_numbers(const double* reals, std::int64_t n_rows, const std::int64_t* weights, int bins, BinnedColumn& out,
                 std::uint16_t* codes) {
    if (bin_few(reals, n_rows, bins, out, codes)) return;
    out.has_missing = false;
    auto quantiles = std::make_unique<Quantiles>(reals, n_rows, weights, bins, out, codes);
    quantiles->run();
}

}  // namespace hornbeam
