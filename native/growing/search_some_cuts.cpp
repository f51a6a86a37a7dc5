// Marks the cuts of a column that are tried where not all are: boundaries between classes, or pairs of a column and a
// cut that were drawn for the node.
#include <algorithm>

#include "growing/search.hpp"
#include "searches/some_cuts.hpp"

namespace hornbeam {
namespace {

const std::vector<std::int64_t> NONE;

}  // namespace

const std::vector<std::int64_t>* ColumnSearch::drawn_cuts(const Scratch& scratch) const {
    if (plan_.pairs == 0) return nullptr;
    return scratch.drawn ? scratch.drawn : &NONE;
}

template <class Entry>
std::int64_t ColumnSearch::mark_cuts(const AnyBlock& block, const Entry* list, std::int32_t known,
                                     std::int64_t known_weight, Scratch& scratch) const {
    if (scratch.is_marked.size() < static_cast<std::size_t>(block.n_rows)) scratch.is_marked.resize(block.n_rows);
    CutMarks marks(least(known_weight, true), known, known_weight, drawn_cuts(scratch), scratch.is_marked);
    const bool looks = plan_.boundaries && plan_.target.is_class();
    for (std::int32_t begin = 0, end = 0; begin < known; begin = end) {
        std::int64_t weight = 0;
        int only = CutMarks::MIXED;
        bool is_mixed = !looks;
        for (; end < known && rank_of(list[end]) == rank_of(list[begin]); ++end) {
            const std::uint32_t row = row_of(list[end]);
            weight += block.weights.empty() ? 1 : block.weights[row];
            if (is_mixed || factor_[block.classes[row]] <= 0) continue;
            is_mixed = only != CutMarks::MIXED && only != block.classes[row];
            only = block.classes[row];
        }
        marks.add(row_of(list[end - 1]), end - begin, weight, is_mixed ? CutMarks::MIXED : only);
    }
    return marks.finish();
}

std::int64_t ColumnSearch::mark_code_cuts(const CodeTable& table, std::int64_t known_weight, Scratch& scratch) const {
    const std::size_t room =
        table.present.empty() ? 0 : *std::max_element(table.present.begin(), table.present.end()) + 1;
    if (scratch.is_marked.size() < room) scratch.is_marked.resize(room);
    CutMarks marks(least(known_weight, true), table.known, known_weight, drawn_cuts(scratch), scratch.is_marked);
    const bool is_class = plan_.target.is_class();
    for (const std::uint32_t code : table.present) {
        const std::int64_t* counts = table.of(code);
        std::int64_t weight = is_class ? 0 : counts[0];
        int only = CutMarks::MIXED, n_classes = 0;
        for (int k = 0; is_class && k < table.width; ++k) {
            weight += counts[k];
            if (counts[k] > 0 && factor_[k] > 0) only = k, ++n_classes;
        }
        marks.add(code, table.rows[code], weight, n_classes == 1 ? only : CutMarks::MIXED);
    }
    return marks.finish();
}

std::int64_t ColumnSearch::n_cuts(AnyBlock& block, std::int32_t begin, std::int32_t end, const Totals& totals,
                                  std::int32_t column, Span span, Scratch& scratch) const {
    const ReadyColumn& ready = columns_[column];
    if (ready.kind == Kind::nominal) return 0;
    if (!ready.is_listed) {
        CodeTable& table = scratch.codes;
        count_codes(block, begin, end, totals, column, span, table);
        if (fills(column)) fill_codes(block, begin, end, column, scratch);
        std::int64_t weight = 0;
        for (const std::uint32_t code : table.present)
            for (int k = 0; k < (plan_.target.is_class() ? table.width : 1); ++k) weight += table.of(code)[k];
        const std::int64_t count = mark_code_cuts(table, weight, scratch);
        table.clear(ready.n_codes);
        return count;
    }
    const auto count = [&](auto& typed) {
        const auto* list = typed.list(column) + begin;
        using Entry = std::remove_cv_t<std::remove_reference_t<decltype(list[0])>>;
        const auto is_known = [](Entry e) { return rank_of(e) != NO_RANK<Entry>; };
        const std::int32_t n = end - begin;
        const auto known = static_cast<std::int32_t>(std::partition_point(list, list + n, is_known) - list);
        if (plan_.fill != FillBy::nothing && 0 < known && known < n) {
            fill_list(block, begin, end, column, list, known, scratch.filled);
            return mark_cuts(block, scratch.filled.list.data(), n, totals.weight, scratch);
        }
        std::int64_t weight = block.weights.empty() ? known : 0;
        for (std::int32_t i = 0; !block.weights.empty() && i < known; ++i) weight += block.weights[row_of(list[i])];
        return mark_cuts(block, list, known, weight, scratch);
    };
    return block.is_wide ? count(static_cast<Block<std::uint64_t>&>(block))
                         : count(static_cast<Block<std::uint32_t>&>(block));
}

template std::int64_t ColumnSearch::mark_cuts<std::uint32_t>(const AnyBlock&, const std::uint32_t*, std::int32_t,
                                                             std::int64_t, Scratch&) const;
template std::int64_t ColumnSearch::mark_cuts<std::uint64_t>(const AnyBlock&, const std::uint64_t*, std::int32_t,
                                                             std::int64_t, Scratch&) const;

}  // namespace hornbeam
