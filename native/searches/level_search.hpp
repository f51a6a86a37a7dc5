// LevelSearch: a search for the best grouping of the levels of a nominal column. Each search is one file of this folder
// and one entry of the registry in native/parts/column_searches.cpp.
#pragma once

#include <memory>

#include "searches/levels.hpp"

namespace hornbeam {

// What a search knows of a node and a column, in addition to the table of levels.
struct LevelTask {
    const Criterion& criterion;
    LevelLimits limits;
    int n_declared = 0;            // number of levels of the column, present at the node or not
    double weight_unit = 1.0;      // of the integer weights
    double min_leaf_weight = 0.0;  // by the stopping rules
    double set_penalty = 0.0;      // per doubling of the number of sets tried
    std::uint64_t key = 0;         // of random numbers
};

// Whether questions of gain 0 are found: never, if the criterion counts them, or always, as admissible ones.
enum class ZeroGain : std::int8_t { never, if_counted, admissible };

class LevelSearch {
  public:
    virtual ~LevelSearch() = default;
    virtual LevelSplit best(const LevelTable& table, const LevelTask& task) const = 0;
    // Whether questions have a branch per level or group of levels,
    virtual bool is_multiway() const { return false; }
    // whether a column with this many levels is not split so again below,
    virtual bool is_once_per_path(int) const { return false; }
    // and how questions of gain 0 about it are found.
    virtual ZeroGain zero_gain(int) const { return ZeroGain::if_counted; }
};

// A search without settings, as a function.
template <LevelSplit (*search)(const LevelTable&, const Criterion&, const LevelLimits&)>
class FunctionSearch final : public LevelSearch {
  public:
    LevelSplit best(const LevelTable& table, const LevelTask& task) const override {
        return search(table, task.criterion, task.limits);
    }
};

using LevelSearchPointer = std::shared_ptr<const LevelSearch>;

LevelSearchPointer all_subsets_search(int size_limit);  // maximum number of levels of the smaller side; 0: half
// Tries all sets of up to `try_all` levels, of which those that have an order only if `every_set`.
LevelSearchPointer best_subset_search(int try_all, bool every_set);
LevelSearchPointer c45_groups_search();
LevelSearchPointer chou_search();
// `by_ratio`: questions are compared by score divided by split information; `declared`: absent levels are in the rest.
LevelSearchPointer level_vs_rest_search(bool by_ratio, bool declared);

// When a column has many levels, and how these are pooled and shrunken.
struct ManyLevels {
    int many = 50;
    double few = 10.0, min_level_weight = 5.0, shrinkage = 10.0;
    bool penalizes_sets = true;
};
LevelSearchPointer many_levels_search(const ManyLevels& rule);

struct MultiwaySettings {
    bool declared = false;  // absent levels have a branch each
    bool once_per_path = true, allows_zero_gain = false;
};
LevelSearchPointer multiway_search(const MultiwaySettings& settings);
LevelSearchPointer ordered_categories_search();
LevelSearchPointer random_subsets_search(int tries);
// `criterion_chooses`: the criterion selects among the best sets of all groupings of classes, else twoing does.
LevelSearchPointer superclasses_search(bool criterion_chooses);

}  // namespace hornbeam
