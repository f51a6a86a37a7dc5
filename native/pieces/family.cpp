#include "pieces/family.hpp"

#include <algorithm>

namespace hornbeam {

bool PieceFamily::waits() const {
    return needs_totals || std::find(is_searched.begin(), is_searched.end(), 1) != is_searched.end();
}

// Of the children that are searched the largest is what is left of its parent, if that is less work.
void PieceFamily::choose_slots(bool is_whole) {
    const std::size_t n = children.size();
    slot.assign(n, -1);
    std::int64_t rows = 0;
    std::int32_t largest = -1;
    for (std::size_t b = 0; b < n; ++b) {
        const std::int64_t here = children[b].totals.rows;
        rows += here;
        if (!is_searched[b]) continue;
        slot[b] = 0;
        if (largest < 0 || here > children[largest].totals.rows) largest = static_cast<std::int32_t>(b);
    }
    if (largest < 0 || !parent || !is_whole || rows > 2 * children[largest].totals.rows) return;
    rest = largest;
    for (std::size_t b = 0; b < n; ++b)
        slot[b] = static_cast<std::int32_t>(b) != largest && children[b].totals.rows > 0 ? 0 : -1;
}

void PieceFamily::add_to(RoundRequest& request, std::vector<char>& is_wanted) {
    bool is_built = false;
    for (std::size_t b = 0; b < children.size(); ++b) {
        if (needs_totals) {
            const std::int32_t total = request.add_total(children[b].record);
            if (b == 0) first_total = total;
        }
        if (slot[b] < 0) continue;
        slot[b] = request.add_slot(children[b].record);
        is_built = true;
    }
    for (const std::int32_t column : active) is_wanted[column] |= is_built;
}

void PieceFamily::take_cells(const RoundRequest& request, const PieceSums& sums) {
    const auto cells = [&](std::size_t b) { return sums.cells.data() + request.slot_at(slot[b]); };
    for (std::size_t b = 0; b < children.size(); ++b) {
        if (!is_searched[b] || slot[b] < 0) continue;
        auto own = std::make_shared<NodeCells>();
        own->start = request.column_start();
        own->sums.assign(cells(b), cells(b) + request.slot_size());
        children[b].sums = std::move(own);
    }
    if (rest < 0) return;
    const RequestArrays& arrays = request.arrays();
    for (const std::int32_t column : active) {
        std::int64_t* left = parent->sums.data() + (*parent->start)[column];
        const std::int64_t n = (arrays.n_codes[column] + 1) * static_cast<std::int64_t>(arrays.shape.width());
        for (std::size_t b = 0; b < children.size(); ++b) {
            if (slot[b] < 0) continue;
            const std::int64_t* less = cells(b) + (*request.column_start())[column];
            for (std::int64_t i = 0; i < n; ++i) left[i] -= less[i];
        }
    }
    children[rest].sums = std::move(parent);
}

}  // namespace hornbeam
