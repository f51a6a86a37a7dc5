#include "searches/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/stop.hpp"
#include "criteria/poisson.hpp"
#include "searches/cut.hpp"
#include "searches/xlog.hpp"

namespace hornbeam {
namespace {

constexpr double SAME = 1e-10;  // relative to the entropy: cuts that differ by less are equal
constexpr double NONE = -std::numeric_limits<double>::infinity();
constexpr double FORBIDDEN = -1e300;  // the score of a piece without events

// The scores of all pieces with the same last block, one per first block, in loops that vectorize.
HORNBEAM_CLONES void add_squares(const double* part, double end, int n, double* out) {
    for (int i = 0; i < n; ++i) out[i] += (end - part[i]) * (end - part[i]);
}

HORNBEAM_CLONES void divide(const double* weight, double end, int n, double* out) {
    for (int i = 0; i < n; ++i) out[i] = end - weight[i] > 0 ? out[i] / (end - weight[i]) : 0.0;
}

HORNBEAM_CLONES void take_largest(const double* part, double end, int n, double* out) {
    for (int i = 0; i < n; ++i) out[i] = end - part[i] > out[i] ? end - part[i] : out[i];
}

HORNBEAM_CLONES void add_up(const double* one, const double* other, int n, double* out) {
    for (int i = 0; i < n; ++i) out[i] = one[i] + other[i];
}

void add_logs(const std::vector<double>& part, int end, double sign, const PieceRule& rule, double* out) {
    if (!rule.logs) {
        for (int i = 0; i < end; ++i) out[i] += sign * xlog(part[end] - part[i]);
        return;
    }
    const double unit = sign * rule.log_unit;
    for (int i = 0; i < end; ++i)
        out[i] += unit * static_cast<double>(rule.logs[static_cast<std::int64_t>(part[end] - part[i])]);
}

void score_last_pieces(const BlockSums& sums, int end, const PieceRule& rule, double* out) {
    std::fill_n(out, end, 0.0);
    switch (rule.score) {
        case PieceScore::squares:
            for (const auto& part : sums.parts) add_squares(part.data(), part[end], end, out);
            divide(sums.weight.data(), sums.weight[end], end, out);
            break;
        case PieceScore::logs:
            for (const auto& part : sums.parts) add_logs(part, end, 1.0, rule, out);
            add_logs(sums.weight, end, -1.0, rule, out);
            break;
        case PieceScore::largest:
            for (const auto& part : sums.parts) take_largest(part.data(), part[end], end, out);
            break;
        case PieceScore::rates:
            for (int i = 0; i < end; ++i) {
                const double weight = sums.weight[end] - sums.weight[i];
                const double off = (sums.parts[0][end] - sums.parts[0][i]) / weight - rule.off;
                if (!(rule.mean > 0)) continue;
                const double d = off / rule.mean;
                out[i] =
                    rule.needs_events && 1.0 + d <= NO_EVENTS ? FORBIDDEN : 2 * weight * rule.mean * rate_divergence(d);
            }
            break;
        case PieceScore::any:
            rule.score_pieces(end, out);
    }
}

// Returns the pieces in order, backtracked from the last block.
Pieces backtracked(const std::vector<std::vector<int>>& previous, int n_pieces, int count) {
    Pieces ends = {count - 1};
    int at = count;
    for (int b = n_pieces - 2; b >= 0; --b) {
        at = previous[b][at];
        ends.push_back(at - 1);
    }
    std::reverse(ends.begin(), ends.end());
    return ends;
}

// Consecutive blocks: their weight, entropy and number of classes.
struct BlockRange {
    double weight = 0.0, bits = 0.0;
    int n_classes = 0;

    BlockRange(const BlockSums& sums, int begin, int end) : weight(sums.weight[end] - sums.weight[begin]) {
        if (!(weight > 0)) return;
        bits = xlog(weight);
        for (const auto& part : sums.parts) {
            bits -= xlog(part[end] - part[begin]);
            n_classes += part[end] - part[begin] > 0;
        }
        bits = std::max(bits, 0.0) / weight;
    }
};

// log2(3^k - 2); without the 2 if the power exceeds the range of doubles.
double log_of_labels(int k) {
    constexpr int FEW = 600;
    return std::log2(std::pow(3.0, std::min(k, FEW)) - 2) + std::max(k - FEW, 0) * std::log2(3.0);
}

// The last block below the best cut by entropy if the test accepts the cut, else -1.
int mdlp_cut(const BlockSums& sums, int begin, int end) {
    if (end - begin < 2) return -1;
    const BlockRange whole(sums, begin, end);
    int best = -1;
    double top = NONE, inside = 0.0;
    for (int at = begin + 1; at < end; ++at) {
        const BlockRange low(sums, begin, at), high(sums, at, end);
        const double gain = whole.bits - (low.weight * low.bits + high.weight * high.bits) / whole.weight;
        if (!(gain - top > SAME * whole.bits)) continue;
        top = gain;
        best = at - 1;
        inside = low.n_classes * low.bits + high.n_classes * high.bits;
    }
    const double n = whole.weight;
    const double delta = log_of_labels(whole.n_classes) - (whole.n_classes * whole.bits - inside);
    return n > 1 && top > (std::log2(n - 1) + delta) / n ? best : -1;
}

}  // namespace

void ValueGroups::clear(int numbers, bool of_classes) {
    width = numbers;
    is_class = of_classes;
    known = 0;
    counts.clear();
    rows.clear();
    values.clear();
}

std::int64_t ValueGroups::weight(int group) const {
    return is_class ? std::accumulate(of(group), of(group) + width, std::int64_t{0}) : of(group)[0];
}

void ValueGroups::find_blocks(const std::vector<double>& factor, std::vector<int>& ends) const {
    constexpr int MIXED = -1;
    const auto only_class = [&](int group) {
        int only = MIXED, present = 0;
        for (int k = 0; k < width; ++k)
            if (of(group)[k] > 0 && factor[k] > 0) only = k, ++present;
        return present == 1 ? only : MIXED;
    };
    ends.clear();
    int before = is_class ? only_class(0) : MIXED;
    for (int g = 1; g < size(); ++g) {
        const int here = is_class ? only_class(g) : MIXED;
        if (before == MIXED || here != before) ends.push_back(g - 1);
        before = here;
    }
    ends.push_back(size() - 1);
}

std::vector<Pieces> optimal_pieces(int max_pieces, const PieceRule& rule, IntervalBuffers& buffers) {
    const int count = buffers.sums.size(), largest = std::min(max_pieces, count);
    buffers.piece_score.resize(count);
    buffers.score.resize(count);
    buffers.best.resize(largest);
    buffers.previous.resize(largest - 1);
    for (auto& each : buffers.best) each.assign(count + 1, NONE);
    for (auto& each : buffers.previous) each.assign(count + 1, 0);
    for (int j = 1; j <= count; ++j) {
        check_stop(static_cast<std::int64_t>(j) * largest);
        score_last_pieces(buffers.sums, j, rule, buffers.piece_score.data());
        buffers.best[0][j] = buffers.piece_score[0];
        for (int b = 1; b < largest; ++b) {
            add_up(buffers.best[b - 1].data(), buffers.piece_score.data(), j, buffers.score.data());
            Cut best{NONE, -1, 0};
            take_best(buffers.score.data(), j, rule.slack, best);
            buffers.best[b][j] = best.score;
            buffers.previous[b - 1][j] = std::max(best.at, 0);
        }
    }
    std::vector<Pieces> out;
    for (int n_pieces = 2; n_pieces <= largest; ++n_pieces)
        out.push_back(backtracked(buffers.previous, n_pieces, count));
    return out;
}

Pieces mdlp_pieces(const BlockSums& sums) {
    std::vector<std::pair<int, int>> pending = {{0, sums.size()}};
    Pieces accepted = {sums.size() - 1};
    while (!pending.empty()) {
        const auto [begin, end] = pending.back();
        pending.pop_back();
        const int cut = mdlp_cut(sums, begin, end);
        if (cut < 0) continue;
        accepted.push_back(cut);
        pending.emplace_back(begin, cut + 1);
        pending.emplace_back(cut + 1, end);
    }
    std::sort(accepted.begin(), accepted.end());
    return accepted;
}

}  // namespace hornbeam
