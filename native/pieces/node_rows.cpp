#include "pieces/node_rows.hpp"

#include <algorithm>

#include "core/partition.hpp"
#include "core/stop.hpp"

namespace hornbeam {

void NodeRows::start(std::uint32_t* rows, std::int32_t n) {
    rows_ = rows;
    n_ = n;
    ranges_.assign(1, {0, n});
}

void NodeRows::divide(const CodedTree& tree, const std::vector<PieceCodes>& codes,
                      const std::vector<std::uint32_t>& n_codes) {
    ranges_.resize(tree.first_child.size());
    std::vector<std::uint32_t> spare;
    std::vector<std::uint8_t> side;
    for (std::int32_t at = 0; at < tree.n_nodes(); ++at) {
        const std::int32_t child = tree.first_child[at];
        const RowRange range = ranges_[at];
        if (child < 0 || !range.is_known() || ranges_[child].is_known() || tree.ends_at(at)) continue;
        const std::uint32_t n = n_codes[tree.column[at]];
        side.resize(std::max<std::size_t>(n + 1, 256));
        for (std::uint32_t code = 0; code <= n; ++code)
            side[code] = static_cast<std::uint8_t>(tree.branch(at, code, n));
        if (spare.size() < static_cast<std::size_t>(range.size()) + 1) spare.resize(range.size() + 1);
        const auto divided = [&](const auto* code) {
            const std::uint8_t* of = side.data();
            return partition_in_two(rows_ + range.begin, range.size(), spare.data(),
                                    [=](std::uint32_t row) { return of[code[row]]; });
        };
        const PieceCodes& of_column = codes[tree.column[at]];
        const std::int32_t left = of_column.narrow ? divided(of_column.narrow) : divided(of_column.wide);
        ranges_[child] = {range.begin, range.begin + left};
        ranges_[child + 1] = {range.begin + left, range.end};
        check_stop(range.size());
    }
}

std::vector<std::int32_t> NodeRows::ends(const CodedTree& tree) const {
    std::vector<std::int32_t> out, waiting{0};
    while (!waiting.empty()) {
        const std::int32_t at = waiting.back();
        waiting.pop_back();
        if (tree.ends_at(at))
            out.push_back(at);
        else
            waiting.insert(waiting.end(), {tree.first_child[at], tree.first_child[at] + 1});
    }
    return out;
}

}  // namespace hornbeam
