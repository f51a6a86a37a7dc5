// How does a sorted list follow its rows when their node is split?
#include "growing/partition.hpp"
#include "growing/worker.hpp"

namespace hornbeam {

void Worker::part_list(AnyBlock& block, std::int32_t column, const Open& open, const Parting& parting,
                       Scratch& scratch) const {
    if (!block.has_list[column]) return;
    // The list that was cut is in order of the branches already, unless rows without a value moved from its end.
    const bool is_cut = column == open.best.column && parting.in_two;
    if (is_cut && !job_.columns[column].has_missing) return;
    const std::int32_t n = open.rows();
    if (scratch.spare.size() < static_cast<std::size_t>(n)) scratch.spare.resize(n);
    const auto part = [&](auto& typed) {
        using Entry = typename std::remove_reference_t<decltype(typed)>::EntryType;
        Entry* list = typed.list(column) + open.begin;
        auto* spare = reinterpret_cast<Entry*>(scratch.spare.data());
        if (parting.in_two)
            split_in_two(list, n, block.right.data(), spare, [](Entry e) { return row_of(e); });
        else
            split_in_many(list, n, block.branch.data(), parting.starts, spare, [](Entry e) { return row_of(e); });
    };
    if (block.is_wide)
        part(static_cast<Block<std::uint64_t>&>(block));
    else
        part(static_cast<Block<std::uint32_t>&>(block));
}

}  // namespace hornbeam
