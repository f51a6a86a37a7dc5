#include "searches/pair_tables.hpp"

#include <algorithm>

#include "core/stop.hpp"

namespace hornbeam {
namespace {

void add(std::int64_t* to, const std::int64_t* more, int n, std::int64_t sign = 1) {
    for (int c = 0; c < n; ++c) to[c] += sign * more[c];
}

}  // namespace

std::vector<std::vector<std::int32_t>> candidate_sets(std::int32_t m, std::int32_t most) {
    std::vector<std::vector<std::int32_t>> out;
    for (std::int32_t size = 1; size <= (m > most ? 1 : m / 2); ++size) {
        std::vector<std::int32_t> chosen(size);
        for (std::int32_t i = 0; i < size; ++i) chosen[i] = i;
        while (m > most || 2 * size != m || chosen[0] == 0) {
            out.push_back(chosen);
            std::int32_t i = size - 1;
            while (i >= 0 && chosen[i] == m - size + i) --i;
            if (i < 0) break;
            ++chosen[i];
            for (std::int32_t j = i + 1; j < size; ++j) chosen[j] = chosen[j - 1] + 1;
        }
    }
    return out;
}

void PairTables::add_row(std::int64_t* to, std::size_t row) const {
    if (entry.empty()) return add(to, channels.data() + row * n_channels, n_channels);
    to[entry[row]] += weights[row];
    ++to[n_channels - 2];
    to[n_channels - 1] += weights[row];
}

std::vector<Channels> PairTables::left_sums(const QuestionFamily& family) const {
    std::vector<Channels> cells(family.n_cells, Channels(n_channels, 0));
    for (std::size_t i = 0; i < family.cell.size(); ++i)
        if (check_stop(n_channels); family.cell[i] >= 0) add_row(cells[family.cell[i]].data(), i);
    std::vector<Channels> out(family.size() + 1, Channels(n_channels, 0));
    for (std::int32_t q = 0; q < family.size(); ++q) {
        if (family.is_cut) {
            if (q > 0) out[q] = out[q - 1];
            add(out[q].data(), cells[q].data(), n_channels);
        } else {
            for (const std::int32_t cell : family.sets[q]) add(out[q].data(), cells[cell].data(), n_channels);
        }
    }
    for (const Channels& cell : cells) add(out.back().data(), cell.data(), n_channels);
    return out;
}

// Cells of the first by cells of the second question, of the rows with both.
Channels PairTables::joint(const QuestionFamily& first, const QuestionFamily& second) const {
    Channels out(static_cast<std::size_t>(first.n_cells) * second.n_cells * n_channels, 0);
    for (std::size_t i = 0; i < first.cell.size(); ++i) {
        check_stop(n_channels);
        if (first.cell[i] < 0 || second.cell[i] < 0) continue;
        const std::size_t at = static_cast<std::size_t>(first.cell[i]) * second.n_cells + second.cell[i];
        add_row(out.data() + at * n_channels, i);
    }
    return out;
}

// The decrease of the best second question of the rows in the cells; 0 if none is admissible.
double PairTables::best_second(const std::int64_t* cells, const QuestionFamily& second, Channels& left,
                               Channels& whole) const {
    std::fill(whole.begin(), whole.end(), 0);
    for (std::int32_t b = 0; b < second.n_cells; ++b) add(whole.data(), cells + b * n_channels, n_channels);
    Channels right(n_channels);
    double best = 0;
    std::fill(left.begin(), left.end(), 0);
    for (std::int32_t q = 0; q < second.size(); ++q) {
        check_stop(4 * n_channels);
        if (second.is_cut) {
            add(left.data(), cells + q * n_channels, n_channels);
        } else {
            std::fill(left.begin(), left.end(), 0);
            for (const std::int32_t cell : second.sets[q]) add(left.data(), cells + cell * n_channels, n_channels);
        }
        for (int c = 0; c < n_channels; ++c) right[c] = whole[c] - left[c];
        if (admits(left.data()) && admits(right.data())) best = std::max(best, decrease(left.data(), whole.data()));
    }
    return best;
}

std::vector<double> PairTables::second_decreases(const QuestionFamily& family,
                                                 const std::vector<QuestionFamily>& others) const {
    const std::int32_t n = family.size();
    std::vector<double> best(2 * static_cast<std::size_t>(n), 0.0), out(n, 0.0);
    Channels left(n_channels), whole(n_channels);
    for (const QuestionFamily& other : others) {
        const int width = other.n_cells * n_channels;
        const Channels cells = joint(family, other);
        Channels inside(width, 0), outside(width, 0), all(width, 0);
        for (std::int32_t a = 0; a < family.n_cells; ++a) add(all.data(), cells.data() + a * width, width);
        for (std::int32_t q = 0; q < n; ++q) {
            check_stop(width);
            if (family.is_cut) {
                add(inside.data(), cells.data() + static_cast<std::size_t>(q) * width, width);
            } else {
                std::fill(inside.begin(), inside.end(), 0);
                for (const std::int32_t a : family.sets[q])
                    add(inside.data(), cells.data() + static_cast<std::size_t>(a) * width, width);
            }
            for (int c = 0; c < width; ++c) outside[c] = all[c] - inside[c];
            best[2 * q] = std::max(best[2 * q], best_second(inside.data(), other, left, whole));
            best[2 * q + 1] = std::max(best[2 * q + 1], best_second(outside.data(), other, left, whole));
        }
    }
    for (std::int32_t q = 0; q < n; ++q) out[q] = best[2 * q] + best[2 * q + 1];
    return out;
}

}  // namespace hornbeam
