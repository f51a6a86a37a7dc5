// The columns of a node that compete: all, or those sampled; and questions that are drawn at random.
#include <algorithm>
#include <memory>
#include <utility>

#include "core/column_sampler.hpp"
#include "core/random.hpp"
#include "growing/random_question.hpp"
#include "growing/search.hpp"
#include "pieces/node_search.hpp"

namespace hornbeam {

std::vector<Candidate> NodeSearch::searched(PieceNode& node, const std::vector<std::int32_t>& active, const Fill& fill,
                                            Scratch& scratch) const {
    std::vector<Candidate> found(active.size());
    for (std::size_t i = 0; i < active.size(); ++i) {
        fill(active[i], scratch.codes);
        found[i] = best_in_table(scoring_, view(node), active[i], scratch);
    }
    return found;
}

// One question per column that varies, drawn in the order of columns from the stream of the node; whether a value is
// missing, and the question of another search of levels, compete with it.
std::vector<Candidate> NodeSearch::drawn(PieceNode& node, const std::vector<std::int32_t>& active, const Fill& fill,
                                         Scratch& scratch) const {
    std::vector<Candidate> found(active.size());
    std::vector<QuestionRange> ranges(active.size());
    std::vector<std::int32_t> kept;
    const auto look = [&](std::int32_t place) {
        fill(active[place], scratch.codes);
        ranges[place] = range_in_table(scoring_, active[place], scratch);
        if (ranges[place].competes())
            kept.push_back(place);
        else
            found[place].type = Candidate::Type::constant;
    };
    if (plan_.max_features <= 0) {
        for (std::size_t i = 0; i < active.size(); ++i) look(static_cast<std::int32_t>(i));
    } else {
        std::vector<std::int32_t> at(plan_.columns.size(), -1);
        for (std::size_t i = 0; i < active.size(); ++i) at[active[i]] = static_cast<std::int32_t>(i);
        const std::uint64_t node_key = key(plan_.seed, Purpose::features, plan_.tree, node.id);
        sample_columns(static_cast<std::int64_t>(at.size()), plan_.max_features, node_key, [&](std::int32_t column) {
            if (at[column] >= 0) look(at[column]);
            return !kept.empty();
        });
        std::sort(kept.begin(), kept.end());
    }
    Stream stream(key(plan_.seed, Purpose::thresholds, plan_.tree, node.id));
    for (const std::int32_t place : kept) {
        const std::int32_t column = active[place];
        RandomQuestion question;
        if (ranges[place].varies) question = sample_question(scoring_, ranges[place], column, stream);
        fill(column, scratch.codes);
        found[place] =
            score_in_table(scoring_, view(node), column, ranges[place].varies ? &question : nullptr, scratch);
        const bool is_nominal = columns_[column].kind == Kind::nominal;
        if (!plan_.searches_levels_twice() || !is_nominal || view(node).is_used(column)) continue;
        fill(column, scratch.codes);
        found[place].second = std::make_shared<Candidate>(best_in_table(scoring_, view(node), column, scratch));
    }
    return found;
}

}  // namespace hornbeam
