// See walk.hpp. This file answers questions and walks rows one by one; lean.cpp holds the fast loop, layout.cpp the
// making.
#include "walking/walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "walking/blocks.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t kRowsAShare = 256;  // rows that are mixed in one task; so few are not worth waking threads for
constexpr double kLeastShare = 1e-6;
constexpr std::int32_t kUnseenCode = -2;

}  // namespace

std::int32_t Walker::answer_cuts(const Question& q, const WalkColumn& column, std::int64_t row) const {
    double x;
    if (column.numbers != nullptr) {
        x = column.numbers[row];
        if (std::isnan(x)) return q.missing_answer;
    } else {
        const std::int32_t code = column.codes[row];
        if (code == kUnknown) return q.missing_answer;
        if (code == kUnseenCode && q.n_reals > 0) return kUnseenLevel;
        x = code;
    }
    const double* cuts = reals_.data() + q.reals;
    if (q.n_reals == 1) return q.first + (x > cuts[0] ? 1 : 0);
    return q.first + static_cast<std::int32_t>(std::lower_bound(cuts, cuts + q.n_reals, x) - cuts);
}

std::int32_t Walker::answer_map(const Question& q, const WalkColumn& column, std::int64_t row) const {
    const std::int32_t code = column.codes[row];
    if (code == kUnknown) return q.missing_answer;
    if (code < 0 || code >= q.n_whole) return kUnseenLevel;
    const std::int32_t branch = whole_[static_cast<std::size_t>(q.whole + code)];
    return branch < 0 ? kUnseenLevel : branch;
}

std::int32_t Walker::answer_plane(const Question& q, const WalkColumn* columns, std::int64_t row) const {
    double total = 0.0;
    const double* weights = reals_.data() + q.reals;
    const double* fill = q.n_reals > q.n_whole + 1 ? weights + q.n_whole + 1 : nullptr;
    for (std::int64_t i = 0; i < q.n_whole; ++i) {
        double value = columns[whole_[q.whole + i]].numbers[row];
        if (fill && std::isnan(value)) value = fill[i];
        total += weights[i] * value;
    }
    if (std::isnan(total)) return kUnknown;
    return total <= weights[q.n_whole] ? 0 : 1;
}

std::int32_t Walker::answer_ball(const Question& q, const WalkColumn* columns, std::int64_t row) const {
    double total = 0.0;
    const double* centre = reals_.data() + q.reals;
    const double* scale = centre + q.n_whole;
    const double* fill = q.n_reals > 2 * q.n_whole + 1 ? scale + q.n_whole + 1 : nullptr;
    for (std::int64_t i = 0; i < q.n_whole; ++i) {
        double value = columns[whole_[q.whole + i]].numbers[row];
        if (fill && std::isnan(value)) value = fill[i];
        const double step = (value - centre[i]) / scale[i];
        total += step * step;
    }
    if (std::isnan(total)) return kUnknown;
    return total <= scale[q.n_whole] ? 0 : 1;
}

// Kleene's logic: one literal may decide; else the answer is unsure as soon as one literal is.
std::int32_t Walker::answer_combined(const Question& q, const WalkColumn* columns, std::int64_t row) const {
    const std::int32_t* whole = whole_.data() + q.whole;
    const std::int32_t decisive = whole[0] != 0 ? 0 : 1;
    std::int32_t unsure = 0;
    for (std::int64_t i = 1; i + 1 < q.n_whole; i += 2) {
        const std::int32_t branch = answer(whole[i], columns, row);
        if (branch < 0) {
            unsure = std::min(unsure, branch);
        } else if ((whole[i + 1] != 0 ? 1 - branch : branch) == decisive) {
            return decisive;
        }
    }
    return unsure < 0 ? unsure : 1 - decisive;
}

std::int32_t Walker::answer(std::int32_t question, const WalkColumn* columns, std::int64_t row) const {
    const Question& q = questions_[static_cast<std::size_t>(question)];
    switch (q.encoding) {
        case Encoding::cuts:
            return answer_cuts(q, columns[q.column], row);
        case Encoding::map:
            return answer_map(q, columns[q.column], row);
        case Encoding::plane:
            return answer_plane(q, columns, row);
        case Encoding::ball:
            return answer_ball(q, columns, row);
        case Encoding::combined:
            return answer_combined(q, columns, row);
    }
    return kUnknown;
}

Walker::Step Walker::step(std::int32_t node, const WalkColumn* columns, std::int64_t row) const {
    const auto at = static_cast<std::size_t>(node);
    std::int32_t branch = answer(question_[at], columns, row);
    if (branch >= 0) return {branch, false, false};
    const bool met = branch == kUnseenLevel;
    if (met && unseen_ == Unseen::majority) return {heaviest_[at], true, false};
    if (met && unseen_ != Unseen::as_missing) return {kStay, true, unseen_ == Unseen::error};
    for (std::int64_t s = surrogate_start_[at]; s < surrogate_start_[at + 1]; ++s) {
        branch = answer(surrogate_question_[static_cast<std::size_t>(s)], columns, row);
        if (branch >= 0)
            return {surrogate_flipped_[static_cast<std::size_t>(s)] != 0 ? 1 - branch : branch, met, false};
    }
    return {missing_branch_[at], met, false};
}

Walker::End Walker::end_of(const WalkColumn* columns, std::int64_t row) const {
    End end;
    while (first_child_[static_cast<std::size_t>(end.node)] >= 0) {
        const Step next = step(end.node, columns, row);
        end.met_unseen |= next.met_unseen;
        end.refused = next.refused;
        if (next.branch < 0) {
            end.is_shared = next.branch == kShare;
            break;
        }
        end.node = first_child_[static_cast<std::size_t>(end.node)] + next.branch;
    }
    return end;
}

std::int64_t Walker::walk_general(const WalkColumn* columns, std::int64_t begin, std::int64_t end, std::int32_t* nodes,
                                  std::uint8_t* met_unseen) const {
    for (std::int64_t row = begin; row < end; ++row) {
        const End found = end_of(columns, row);
        if (found.refused) return row;
        nodes[row] = found.is_shared ? ~found.node : found.node;
        if (met_unseen != nullptr) met_unseen[row] = found.met_unseen ? 1 : 0;
    }
    return -1;
}

std::int64_t Walker::walk(std::span<const WalkColumn> columns, std::int64_t n_rows, int threads, Stop& stop,
                          std::int32_t* nodes, std::uint8_t* met_unseen) const {
    std::atomic<std::int64_t> refused{std::numeric_limits<std::int64_t>::max()};
    in_blocks(n_rows, threads, stop, [&](std::int64_t from, std::int64_t to) {
        thread_local Room room;
        const std::int64_t row = lean_.empty() ? walk_general(columns.data(), from, to, nodes, met_unseen)
                                               : walk_lean(columns.data(), from, to, room, nodes, met_unseen);
        if (row < 0) return true;
        std::int64_t seen = refused.load();
        while (row < seen && !refused.compare_exchange_weak(seen, row)) {
        }
        return false;
    });
    const std::int64_t first = refused.load();
    return first == std::numeric_limits<std::int64_t>::max() ? -1 : first;
}

void Walker::gather(const std::int32_t* nodes, std::int64_t n_rows, const double* values, std::int64_t width,
                    int threads, Stop& stop, double* out) const {
    in_blocks(n_rows, threads, stop, [&](std::int64_t begin, std::int64_t end) {
        if (width == 1)
            for (std::int64_t row = begin; row < end; ++row) out[row] = values[nodes[row]];
        else
            for (std::int64_t row = begin; row < end; ++row)
                std::copy_n(values + nodes[row] * width, width, out + row * width);
        return true;
    });
}

void Walker::mix(std::span<const WalkColumn> columns, std::span<const std::int64_t> rows, const std::int32_t* nodes,
                 const double* values, std::int64_t width, int threads, Stop& stop, double* out) const {
    using Part = std::pair<std::int32_t, double>;  // a node and the share of the row that is there
    auto one = [&](std::int64_t index, std::vector<Part>& open, std::vector<Part>& ended) {
        ended.clear();
        open.assign(1, {nodes[index], 1.0});
        while (!open.empty()) {
            auto [node, share] = open.back();
            open.pop_back();
            Step next{kStay, false, false};
            while (first_child_[static_cast<std::size_t>(node)] >= 0) {
                next = step(node, columns.data(), rows[static_cast<std::size_t>(index)]);
                if (next.branch < 0) break;
                node = first_child_[static_cast<std::size_t>(node)] + next.branch;
            }
            const std::int32_t first = first_child_[static_cast<std::size_t>(node)];
            bool is_shared = false;
            if (first >= 0 && next.branch == kShare) {
                double total = 0.0;
                const std::int32_t branches = n_branches_[static_cast<std::size_t>(node)];
                for (std::int32_t b = 0; b < branches; ++b) total += weight_[static_cast<std::size_t>(first + b)];
                for (std::int32_t b = 0; b < branches && total > 0.0; ++b) {
                    const double part = share * (weight_[static_cast<std::size_t>(first + b)] / total);
                    if (part < kLeastShare) continue;
                    open.emplace_back(first + b, part);
                    is_shared = true;
                }
            }
            if (!is_shared) ended.emplace_back(node, share);
        }
        // Ascending nodes: the plain twin adds in this order too.
        std::sort(ended.begin(), ended.end());
        double* mixture = out + index * width;
        std::fill(mixture, mixture + width, 0.0);
        double total = 0.0;
        for (const auto& [node, share] : ended) {
            for (std::int64_t k = 0; k < width; ++k) mixture[k] += share * values[node * width + k];
            total += share;
        }
        for (std::int64_t k = 0; k < width; ++k) mixture[k] /= total;
    };
    const auto count = static_cast<std::int64_t>(rows.size());
    auto task = [&](std::int64_t begin, std::int64_t end) {
        std::vector<Part> open, ended;
        for (std::int64_t index = begin; index < end && !stop.asked(); ++index) one(index, open, ended);
    };
    if (count <= kRowsAShare) return task(0, count);
    parallel_for((count + kRowsAShare - 1) / kRowsAShare, threads, stop, [&](std::int64_t index, int) {
        task(index * kRowsAShare, std::min(count, (index + 1) * kRowsAShare));
    });
}

}  // namespace hornbeam
