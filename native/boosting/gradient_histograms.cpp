#include "boosting/gradient_histograms.hpp"

#include <algorithm>
#include <cstring>

namespace hornbeam {

GradientHistograms::GradientHistograms(const BinnedTable& table) : table_(table), plan_(table, 2) {
    source_.kind = CellKind::pairs;
}

void GradientHistograms::start_tree(const Pair* pairs, const std::vector<std::uint8_t>& columns) {
    source_.pairs = pairs;
    tasks_.clear();
    for (std::size_t t = 0; t < table_.groups.size(); ++t)
        if (std::ranges::any_of(table_.groups[t], [&](std::int32_t c) { return columns[c] != 0; }))
            tasks_.push_back(static_cast<std::int64_t>(t));
}

std::int32_t GradientHistograms::acquire() {
    if (free_.empty()) {
        pool_.push_back(std::unique_ptr<std::int64_t[]>(new std::int64_t[plan_.size]));
        return static_cast<std::int32_t>(pool_.size() - 1);
    }
    const std::int32_t at = free_.back();
    free_.pop_back();
    return at;
}

void GradientHistograms::release(std::int32_t histogram) {
    if (histogram >= 0) free_.push_back(histogram);
}

void GradientHistograms::fill(std::int32_t histogram, std::int64_t task, std::span<const std::uint32_t> rows) {
    std::int64_t* cells = pool_[histogram].get();
    for (const std::int32_t c : columns_of(task)) {
        const std::size_t codes = table_.columns[c].is_wide() ? table_.columns[c].n_bins + 1 : MAX_NARROW_BINS + 1;
        std::memset(cells + plan_.start[c], 0, codes * 2 * sizeof(std::int64_t));
    }
    add_rows({table_, source_, plan_}, static_cast<std::size_t>(task), rows, cells);
}

void GradientHistograms::remove(std::int32_t histogram, std::int64_t task, std::span<const std::uint32_t> rows) {
    add_rows({table_, source_, plan_}, static_cast<std::size_t>(task), rows, pool_[histogram].get(), true);
}

void GradientHistograms::add_histogram(std::int32_t histogram, std::int64_t task, std::int32_t other) {
    for (const std::int32_t c : columns_of(task)) {
        std::int64_t* to = pool_[histogram].get() + plan_.start[c];
        const std::int64_t* from = cells(other, c);
        for (std::size_t i = 0; i < n_cells(c); ++i) to[i] += from[i];
    }
}

void GradientHistograms::subtract(std::int32_t histogram, std::int64_t task, std::int32_t other) {
    for (const std::int32_t c : columns_of(task))
        hornbeam::subtract(pool_[histogram].get() + plan_.start[c], cells(other, c), n_cells(c));
}

}  // namespace hornbeam
