// The columns of a node that compete: all, or those sampled; and questions that are drawn at random.
#include <algorithm>
#include <utility>

#include "core/random.hpp"
#include "pieces/node_search.hpp"

namespace hornbeam {
namespace {

// All columns in the random order of a node.
class Shuffle {
  public:
    Shuffle(const Plan& plan, std::uint64_t node)
        : stream_(key(plan.seed, Purpose::features, plan.tree, node)), pool_(plan.columns.size()) {
        for (std::size_t c = 0; c < pool_.size(); ++c) pool_[c] = static_cast<std::int32_t>(c);
    }
    bool has_more() const { return at_ < pool_.size(); }
    std::int32_t next() {
        std::swap(pool_[at_], pool_[at_ + stream_.below(pool_.size() - at_)]);
        return pool_[at_++];
    }

  private:
    Stream stream_;
    std::vector<std::int32_t> pool_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<Candidate> NodeSearch::searched(PieceNode& node, const std::vector<std::int32_t>& active, const Fill& fill,
                                            Scratch& scratch) const {
    std::vector<Candidate> found(active.size());
    for (std::size_t i = 0; i < active.size(); ++i) {
        fill(active[i], scratch.codes);
        found[i] = search_.best_of_table(no_rows_, node.totals, node.impurity, active[i], scratch);
    }
    return found;
}

// One question per column that varies, drawn in the order of columns from the stream of the node.
std::vector<Candidate> NodeSearch::drawn(PieceNode& node, const std::vector<std::int32_t>& active, const Fill& fill,
                                         Scratch& scratch) const {
    std::vector<Candidate> found(active.size());
    std::vector<Look> looks(active.size());
    std::vector<std::int32_t> kept;
    const auto look = [&](std::int32_t place) {
        fill(active[place], scratch.codes);
        looks[place] = search_.look_of_table(active[place], scratch);
        if (looks[place].varies)
            kept.push_back(place);
        else
            found[place].type = Candidate::Type::constant;
    };
    if (plan_.max_features <= 0) {
        for (std::size_t i = 0; i < active.size(); ++i) look(static_cast<std::int32_t>(i));
    } else {
        std::vector<std::int32_t> at(plan_.columns.size(), -1);
        for (std::size_t i = 0; i < active.size(); ++i) at[active[i]] = static_cast<std::int32_t>(i);
        Shuffle shuffle(plan_, node.id);
        for (std::int64_t i = 0; shuffle.has_more() && (i < plan_.max_features || kept.empty()); ++i)
            if (const std::int32_t place = at[shuffle.next()]; place >= 0) look(place);
        std::sort(kept.begin(), kept.end());
    }
    Stream stream(key(plan_.seed, Purpose::thresholds, plan_.tree, node.id));
    std::vector<Drawn> questions;
    for (const std::int32_t place : kept) questions.push_back(search_.draw(looks[place], active[place], stream));
    for (std::size_t i = 0; i < kept.size(); ++i) {
        fill(active[kept[i]], scratch.codes);
        found[kept[i]] =
            search_.drawn_of_table(node.totals, node.impurity, active[kept[i]], questions[i], scratch);
    }
    return found;
}

// The columns sampled for a node, and more until one of them varies. The others do not compete.
void NodeSearch::keep_drawn(const PieceNode& node, std::vector<Candidate>& found) const {
    std::vector<std::int32_t> at(plan_.columns.size(), -1);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i].type != Candidate::Type::constant) at[found[i].column] = static_cast<std::int32_t>(i);
    std::vector<bool> keep(found.size(), false);
    bool has_one = false;
    Shuffle shuffle(plan_, node.id);
    for (std::int64_t i = 0; shuffle.has_more() && (i < plan_.max_features || !has_one); ++i)
        if (const std::int32_t place = at[shuffle.next()]; place >= 0) keep[place] = has_one = true;
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!keep[i]) found[i].type = Candidate::Type::constant;
}

}  // namespace hornbeam
