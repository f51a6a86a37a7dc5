#include "growing/marked_cuts.hpp"

#include <algorithm>

#include "nodes/block.hpp"
#include "searches/cut_marks.hpp"

namespace hornbeam {
namespace {

const std::vector<std::int64_t> NONE;

const std::vector<std::int64_t>* sampled_cuts(const Scoring& s, const Scratch& scratch) {
    if (s.plan.cuts.pairs == 0) return nullptr;
    return scratch.sampled ? scratch.sampled : &NONE;
}

// The missing values that are tried on either side of a cut.
RowSums either_side(const Scoring& s, const Scratch& scratch) {
    if (s.plan.missing.mode != MissingMode::either || scratch.missing.rows == 0) return {};
    return {scratch.missing.rows, scratch.missing.weight};
}

}  // namespace

template <class Entry>
std::int64_t mark_cuts(const Scoring& s, const AnyBlock& block, const Entry* list, std::int32_t known,
                       std::int64_t known_weight, Scratch& scratch) {
    if (scratch.is_marked.size() < static_cast<std::size_t>(block.n_rows)) scratch.is_marked.resize(block.n_rows);
    CutMarks marks(s.min_size(known_weight, s.plan.cuts.c45_size), {known, known_weight}, either_side(s, scratch),
                   sampled_cuts(s, scratch), scratch.is_marked);
    const bool needs_classes = s.plan.cuts.at_boundaries && s.plan.target.is_class();
    for (std::int32_t begin = 0, end = 0; begin < known; begin = end) {
        std::int64_t weight = 0;
        int only = CutMarks::MIXED;
        bool is_mixed = !needs_classes;
        for (; end < known && rank_of(list[end]) == rank_of(list[begin]); ++end) {
            const std::uint32_t row = row_of(list[end]);
            weight += block.weight_of(row);
            if (is_mixed || s.factor[block.classes[row]] <= 0) continue;
            is_mixed = only != CutMarks::MIXED && only != block.classes[row];
            only = block.classes[row];
        }
        marks.add(row_of(list[end - 1]), end - begin, weight, is_mixed ? CutMarks::MIXED : only);
    }
    return marks.finish();
}

std::int64_t mark_code_cuts(const Scoring& s, const CodeTable& table, std::int64_t known_weight, Scratch& scratch) {
    const std::size_t size =
        table.present.empty() ? 0 : *std::max_element(table.present.begin(), table.present.end()) + 1;
    if (scratch.is_marked.size() < size) scratch.is_marked.resize(size);
    CutMarks marks(s.min_size(known_weight, s.plan.cuts.c45_size), {table.known, known_weight}, either_side(s, scratch),
                   sampled_cuts(s, scratch), scratch.is_marked);
    const bool is_class = s.plan.target.is_class();
    for (const std::uint32_t code : table.present) {
        const std::int64_t* counts = table.of(code);
        int only = CutMarks::MIXED, n_classes = 0;
        for (int k = 0; is_class && k < table.width; ++k)
            if (counts[k] > 0 && s.factor[k] > 0) only = k, ++n_classes;
        marks.add(code, table.rows[code], s.statistic.weight(counts), n_classes == 1 ? only : CutMarks::MIXED);
    }
    return marks.finish();
}

template std::int64_t mark_cuts<std::uint32_t>(const Scoring&, const AnyBlock&, const std::uint32_t*, std::int32_t,
                                               std::int64_t, Scratch&);
template std::int64_t mark_cuts<std::uint64_t>(const Scoring&, const AnyBlock&, const std::uint64_t*, std::int32_t,
                                               std::int64_t, Scratch&);

}  // namespace hornbeam
