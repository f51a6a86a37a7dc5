// The general loop of walk.hpp: outcomes of questions, and walks of single rows. compact.cpp has the fast loop,
// layout.cpp builds the layout.
#include "walking/walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "walking/blocks.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t ROWS_PER_MIX_TASK = 256;  // rows that one task mixes; up to this many are mixed without threads
constexpr double MIN_FRACTION = 1e-6;

}  // namespace

std::int32_t Walker::cuts_outcome(const Question& q, const WalkColumn& column, std::int64_t row) const {
    double x;
    if (column.numbers != nullptr) {
        x = column.numbers[row];
        if (std::isnan(x)) return q.missing_answer;
    } else {
        const std::int32_t code = column.codes[row];
        if (code == MISSING_CODE) return q.missing_answer;
        if (code == UNSEEN_CODE && q.n_reals > 0) return UNSEEN_LEVEL;
        x = code;
    }
    const double* cuts = reals_.data() + q.reals;
    if (q.n_reals == 1) return q.first + (x > cuts[0] ? 1 : 0);
    return q.first + static_cast<std::int32_t>(std::lower_bound(cuts, cuts + q.n_reals, x) - cuts);
}

std::int32_t Walker::map_outcome(const Question& q, const WalkColumn& column, std::int64_t row) const {
    const std::int32_t code = column.codes[row];
    if (code == MISSING_CODE) return q.missing_answer;
    if (code < 0 || code >= q.n_whole) return UNSEEN_LEVEL;
    const std::int32_t branch = whole_[static_cast<std::size_t>(q.whole + code)];
    return branch < 0 ? UNSEEN_LEVEL : branch;
}

std::int32_t Walker::plane_outcome(const Question& q, const WalkColumn* columns, std::int64_t row) const {
    double total = 0.0;
    const double* weights = reals_.data() + q.reals;
    const double* fill = q.n_reals > q.n_whole + 1 ? weights + q.n_whole + 1 : nullptr;
    for (std::int64_t i = 0; i < q.n_whole; ++i) {
        double value = columns[whole_[q.whole + i]].numbers[row];
        if (fill && std::isnan(value)) value = fill[i];
        total += weights[i] * value;
    }
    if (std::isnan(total)) return UNDEFINED;
    return total <= weights[q.n_whole] ? 0 : 1;
}

std::int32_t Walker::ball_outcome(const Question& q, const WalkColumn* columns, std::int64_t row) const {
    double total = 0.0;
    const double* center = reals_.data() + q.reals;
    const double* scale = center + q.n_whole;
    const double* fill = q.n_reals > 2 * q.n_whole + 1 ? scale + q.n_whole + 1 : nullptr;
    for (std::int64_t i = 0; i < q.n_whole; ++i) {
        double value = columns[whole_[q.whole + i]].numbers[row];
        if (fill && std::isnan(value)) value = fill[i];
        const double step = (value - center[i]) / scale[i];
        total += step * step;
    }
    if (std::isnan(total)) return UNDEFINED;
    return total <= scale[q.n_whole] ? 0 : 1;
}

// Kleene's logic: one literal may decide; otherwise the outcome is undefined if one literal is.
std::int32_t Walker::combined_outcome(const Question& q, const WalkColumn* columns, std::int64_t row) const {
    const std::int32_t* whole = whole_.data() + q.whole;
    const std::int32_t decisive = whole[0] != 0 ? 0 : 1;
    std::int32_t unsure = 0;
    for (std::int64_t i = 1; i + 1 < q.n_whole; i += 2) {
        const std::int32_t branch = outcome(whole[i], columns, row);
        if (branch < 0) {
            unsure = std::min(unsure, branch);
        } else if ((whole[i + 1] != 0 ? 1 - branch : branch) == decisive) {
            return decisive;
        }
    }
    return unsure < 0 ? unsure : 1 - decisive;
}

std::int32_t Walker::outcome(std::int32_t question, const WalkColumn* columns, std::int64_t row) const {
    const Question& q = questions_[static_cast<std::size_t>(question)];
    switch (q.encoding) {
        case Encoding::cuts:
            return cuts_outcome(q, columns[q.column], row);
        case Encoding::map:
            return map_outcome(q, columns[q.column], row);
        case Encoding::plane:
            return plane_outcome(q, columns, row);
        case Encoding::ball:
            return ball_outcome(q, columns, row);
        case Encoding::combined:
            return combined_outcome(q, columns, row);
    }
    return UNDEFINED;
}

Walker::Step Walker::step(std::int32_t node, const WalkColumn* columns, std::int64_t row) const {
    const auto at = static_cast<std::size_t>(node);
    std::int32_t branch = outcome(question_[at], columns, row);
    if (branch >= 0) return {branch, false, false};
    const bool is_unseen = branch == UNSEEN_LEVEL;
    if (is_unseen && unseen_ == Unseen::majority) return {majority_[at], true, false};
    if (is_unseen && unseen_ != Unseen::as_missing) return {STAY, true, unseen_ == Unseen::error};
    for (std::int64_t s = surrogate_start_[at]; s < surrogate_start_[at + 1]; ++s) {
        branch = outcome(surrogate_question_[static_cast<std::size_t>(s)], columns, row);
        if (branch >= 0)
            return {surrogate_flipped_[static_cast<std::size_t>(s)] != 0 ? 1 - branch : branch, is_unseen, false};
    }
    return {missing_branch_[at], is_unseen, false};
}

Walker::End Walker::end_of(const WalkColumn* columns, std::int64_t row) const {
    End end;
    while (first_child_[static_cast<std::size_t>(end.node)] >= 0) {
        const Step next = step(end.node, columns, row);
        end.has_unseen |= next.has_unseen;
        end.rejected = next.rejected;
        if (next.branch < 0) {
            end.is_fractional = next.branch == ALL_BRANCHES;
            break;
        }
        end.node = first_child_[static_cast<std::size_t>(end.node)] + next.branch;
    }
    return end;
}

std::int64_t Walker::walk_general(const WalkColumn* columns, std::int64_t begin, std::int64_t end, std::int32_t* nodes,
                                  std::uint8_t* has_unseen) const {
    for (std::int64_t row = begin; row < end; ++row) {
        const End found = end_of(columns, row);
        if (found.rejected) return row;
        nodes[row] = found.is_fractional ? ~found.node : found.node;
        if (has_unseen != nullptr) has_unseen[row] = found.has_unseen ? 1 : 0;
    }
    return -1;
}

std::int64_t Walker::walk(std::span<const WalkColumn> columns, std::int64_t n_rows, int threads, Stop& stop,
                          std::int32_t* nodes, std::uint8_t* has_unseen) const {
    std::atomic<std::int64_t> rejected{std::numeric_limits<std::int64_t>::max()};
    in_blocks(n_rows, threads, stop, [&](std::int64_t from, std::int64_t to) {
        thread_local Scratch scratch;
        const std::int64_t row = compact_.empty() ? walk_general(columns.data(), from, to, nodes, has_unseen)
                                                  : walk_compact(columns.data(), from, to, scratch, nodes, has_unseen);
        if (row < 0) return true;
        std::int64_t seen = rejected.load();
        while (row < seen && !rejected.compare_exchange_weak(seen, row)) {
        }
        return false;
    });
    const std::int64_t first = rejected.load();
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
    using Portion = std::pair<std::int32_t, double>;  // a node and the fraction of the row that is there
    auto one = [&](std::int64_t index, std::vector<Portion>& open, std::vector<Portion>& ended) {
        ended.clear();
        open.assign(1, {nodes[index], 1.0});
        while (!open.empty()) {
            auto [node, fraction] = open.back();
            open.pop_back();
            Step next{STAY, false, false};
            while (first_child_[static_cast<std::size_t>(node)] >= 0) {
                next = step(node, columns.data(), rows[static_cast<std::size_t>(index)]);
                if (next.branch < 0) break;
                node = first_child_[static_cast<std::size_t>(node)] + next.branch;
            }
            const std::int32_t first = first_child_[static_cast<std::size_t>(node)];
            bool is_fractional = false;
            if (first >= 0 && next.branch == ALL_BRANCHES) {
                double total = 0.0;
                const std::int32_t branches = n_branches_[static_cast<std::size_t>(node)];
                for (std::int32_t b = 0; b < branches; ++b) total += weight_[static_cast<std::size_t>(first + b)];
                for (std::int32_t b = 0; b < branches && total > 0.0; ++b) {
                    const double portion = fraction * (weight_[static_cast<std::size_t>(first + b)] / total);
                    if (portion < MIN_FRACTION) continue;
                    open.emplace_back(first + b, portion);
                    is_fractional = true;
                }
            }
            if (!is_fractional) ended.emplace_back(node, fraction);
        }
        // Ascending nodes: the reference implementation adds in this order too.
        std::sort(ended.begin(), ended.end());
        double* mixture = out + index * width;
        std::fill(mixture, mixture + width, 0.0);
        double total = 0.0;
        for (const auto& [node, fraction] : ended) {
            for (std::int64_t k = 0; k < width; ++k) mixture[k] += fraction * values[node * width + k];
            total += fraction;
        }
        for (std::int64_t k = 0; k < width; ++k) mixture[k] /= total;
    };
    const auto count = static_cast<std::int64_t>(rows.size());
    auto task = [&](std::int64_t begin, std::int64_t end) {
        std::vector<Portion> open, ended;
        for (std::int64_t index = begin; index < end && !stop.is_requested(); ++index) one(index, open, ended);
    };
    if (count <= ROWS_PER_MIX_TASK) return task(0, count);
    parallel_for((count + ROWS_PER_MIX_TASK - 1) / ROWS_PER_MIX_TASK, threads, stop, [&](std::int64_t index, int) {
        task(index * ROWS_PER_MIX_TASK, std::min(count, (index + 1) * ROWS_PER_MIX_TASK));
    });
}

}  // namespace hornbeam
