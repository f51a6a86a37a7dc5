// Looking two levels deep at a node: the questions about every column become cells of rows, and their scores
// candidates.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/column_sampler.hpp"
#include "core/midpoint.hpp"
#include "growing/found_candidates.hpp"
#include "growing/node_sides.hpp"
#include "missing/fill.hpp"
#include "missing/missing_counts.hpp"
#include "searches/two_levels.hpp"

namespace hornbeam {
namespace {

constexpr double MOST = 1e9;       // (number of cuts)^2 rows up to which all cuts are tried
constexpr double STRAIGHT = 1e-6;  // how much a question's own gain counts more
constexpr std::int32_t MOST_LEVELS = 6;

// The distinct known values of a column at the node, ascending, with the rows that have each.
struct ColumnValues {
    std::vector<double> values;
    std::vector<std::int64_t> rows;
    std::vector<std::int32_t> group;  // of every row; -1: unknown
    bool is_mixed = false;            // some values are missing, others known
};

// The value that replaces missing ones is one of them; its rows are in no group.
ColumnValues values_of(const Scoring& s, const Open& node, std::int32_t column) {
    const std::int64_t n = node.rows();
    ColumnValues out;
    std::vector<std::pair<double, std::int64_t>> known;
    for (std::int64_t i = 0; i < n; ++i) {
        const std::uint32_t row = node.block->row_of[node.block->order[node.begin + i]];
        if (const double value = s.plan.columns[column].number(row); !std::isnan(value)) known.emplace_back(value, i);
    }
    const std::size_t n_known = known.size();
    if (fills(s, column) && n_known > 0) known.resize(n, {stands_in(s, node.slice(), column), -1});
    std::sort(known.begin(), known.end());
    out.group.assign(n, -1);
    for (const auto& [value, i] : known) {
        if (out.values.empty() || out.values.back() != value) {
            out.values.push_back(value);
            out.rows.push_back(0);
        }
        ++out.rows.back();
        if (i >= 0) out.group[i] = static_cast<std::int32_t>(out.values.size()) - 1;
    }
    out.is_mixed = 0 < n_known && static_cast<std::int64_t>(n_known) < n;
    return out;
}

// The cuts tried: all, or those at quantiles of the rows; cut i lies above group i.
std::vector<std::int32_t> cut_places(const std::vector<std::int64_t>& rows, std::int32_t most) {
    const auto every = static_cast<std::int32_t>(rows.size()) - 1;
    std::vector<std::int32_t> out;
    if (most <= 0 || every <= most) {
        for (std::int32_t i = 0; i < every; ++i) out.push_back(i);
        return out;
    }
    std::vector<double> below;
    double sum = 0;
    for (const std::int64_t r : rows) below.push_back(sum += static_cast<double>(r));
    for (std::int32_t i = 1; i <= most; ++i) {
        const double wanted = sum * i / (most + 1);
        const auto at = static_cast<std::int32_t>(std::lower_bound(below.begin(), below.end(), wanted) - below.begin());
        const std::int32_t place = std::min(at, every - 1);
        if (out.empty() || out.back() != place) out.push_back(place);
    }
    return out;
}

// A question of a family: a cut between two values, or the branch of every level present.
Candidate candidate_of(const QuestionFamily& family, const std::vector<double>& values,
                       const std::vector<std::int32_t>& places, std::int32_t question) {
    Candidate out;
    out.column = family.column;
    out.own = OwnBranch::none;
    out.rank = Candidate::AHEAD_RANK;
    if (family.is_cut) {
        const double middle = midpoint(values[places[question]], values[places[question] + 1]);
        out.type = Candidate::Type::cut;
        out.cuts = std::make_shared<const std::vector<double>>(1, middle);
        return out;
    }
    out.type = Candidate::Type::map;
    out.groups = std::make_shared<Grouping>();
    for (const double value : values) out.groups->levels.push_back(static_cast<std::uint32_t>(value));
    out.groups->branch.assign(values.size(), 1);
    for (const std::int32_t cell : family.sets[question]) out.groups->branch[cell] = 0;
    return out;
}

// How sums of rows are scored: the statistics of the criterion in whole units, and how far a split lowers weight times
// impurity. Branches without events are not forbidden here.
class AheadScores {
  public:
    AheadScores(const Scoring& s, const NodeSides& sides)
        : s_(s),
          sides_(sides),
          rates_(s.is_poisson ? make_criterion("poisson_loss") : nullptr),
          width_(sides.width()),
          parent_(width_),
          branches_(2 * static_cast<std::size_t>(width_)) {}

    double mass(const std::int64_t* cell) const {
        return s_.plan.target.is_class() ? s_.statistic.mass(cell)
                                         : static_cast<double>(cell[width_ + 1]) * s_.plan.target.weight_unit;
    }
    // The left side of a whole and the rest of it.
    SplitStats split(const std::int64_t* left, const std::int64_t* whole) {
        return sides_.two_sides(left, whole, parent_.data(), branches_.data());
    }
    double fall(const std::int64_t* left, const std::int64_t* whole) {
        const SplitStats both = split(left, whole);
        if (s_.plan.target.is_class()) return mass(whole) * s_.criterion->decrease(both);
        return mass(whole) * (rates_ ? *rates_ : *s_.criterion).score(both);
    }
    TwoLevels tables() {
        TwoLevels out;
        out.n_channels = width_ + 2;
        for (std::int64_t i = 0; i < sides_.size(); ++i) {
            SideSums one = sides_.empty();
            if (s_.plan.criterion.quantile >= 0) {
                out.place.push_back(sides_.group_of(i));
                out.weights.push_back(sides_.weight_of(i));
                continue;
            }
            sides_.add(one, i);
            out.channels.insert(out.channels.end(), one.cell.begin(), one.cell.end());
            out.channels.insert(out.channels.end(), {1, one.weight});
        }
        out.admits = [width = width_, least = s_.plain_least](const std::int64_t* side) {
            return side[width] >= least.rows && side[width + 1] >= least.weight;
        };
        out.fall = [this](const std::int64_t* left, const std::int64_t* whole) { return fall(left, whole); };
        return out;
    }

  private:
    const Scoring& s_;
    const NodeSides& sides_;
    std::unique_ptr<Criterion> rates_;
    int width_;
    std::vector<double> parent_, branches_;
};

// The questions about all columns of a node.
struct Families {
    Families(const Scoring& s, const Open& node) {
        const Plan& plan = s.plan;
        double n_cuts = 0;
        for (std::size_t c = 0; c < plan.columns.size(); ++c) {
            values.push_back(values_of(s, node, static_cast<std::int32_t>(c)));
            if (plan.columns[c].kind != Kind::nominal) n_cuts += static_cast<double>(values.back().values.size()) - 1;
        }
        const bool is_whole = n_cuts * n_cuts * static_cast<double>(node.rows()) <= MOST;
        for (std::size_t c = 0; c < values.size(); ++c) {
            if (values[c].values.size() < 2) continue;
            QuestionFamily& family = families.emplace_back();
            family.column = static_cast<std::int32_t>(c);
            family.cell = values[c].group;
            family.is_cut = plan.columns[c].kind != Kind::nominal;
            family.n_cells = static_cast<std::int32_t>(values[c].values.size());
            std::vector<std::int32_t>& cut = places.emplace_back();
            if (!family.is_cut) {
                family.sets = sets_of_few(family.n_cells, MOST_LEVELS);
                continue;
            }
            cut = cut_places(values[c].rows, is_whole ? 0 : static_cast<std::int32_t>(plan.lookahead_quantiles));
            family.n_cells = static_cast<std::int32_t>(cut.size()) + 1;
            for (std::int32_t& cell : family.cell)
                if (cell >= 0)
                    cell = static_cast<std::int32_t>(std::lower_bound(cut.begin(), cut.end(), cell) - cut.begin());
        }
    }
    // Whether rows differ in a column, or in whether it is missing where that counts.
    bool varies(const Plan& plan, std::int32_t column) const {
        const ColumnValues& of = values[column];
        return of.values.size() > 1 || (of.is_mixed && plan.missing.counted != HoleRule::apart);
    }

    std::vector<ColumnValues> values;  // of every column
    std::vector<QuestionFamily> families;
    std::vector<std::vector<std::int32_t>> places;  // of every family: the groups below its cuts
};

// The best question of every column that competes, scored two levels deep; the others are of no type.
std::vector<Candidate> best_ahead(const Open& node, const Job& job, const Families& all,
                                  const std::vector<bool>& competes) {
    const Scoring& s = job.scoring;
    const NodeSides sides(s, node);
    AheadScores scores(s, sides);
    const TwoLevels tables = scores.tables();
    const double mass = s.mass(node.totals), bar = s.tolerance(node.impurity);
    // No second question follows at the last depth: questions count by their own gain.
    const bool is_last = node.depth + 1 >= job.plan.stops.max_depth;
    std::vector<Candidate> out(job.plan.columns.size());
    for (std::size_t c = 0; c < out.size(); ++c) out[c].column = static_cast<std::int32_t>(c);
    for (std::size_t f = 0; f < all.families.size(); ++f) {
        const QuestionFamily& family = all.families[f];
        if (!competes[family.column]) continue;
        const std::vector<Channels> lefts = tables.lefts(family);
        const std::vector<double> below =
            is_last ? std::vector<double>(family.size(), 0.0) : tables.below(family, all.families);
        Channels right(tables.n_channels);
        double best = -std::numeric_limits<double>::infinity(), fallen = 0;
        std::int32_t chosen = -1;
        for (std::int32_t q = 0; q < family.size(); ++q) {
            for (int c = 0; c < tables.n_channels; ++c) right[c] = lefts.back()[c] - lefts[q][c];
            if (!tables.admits(lefts[q].data()) || !tables.admits(right.data())) continue;
            const double fall = tables.fall(lefts[q].data(), lefts.back().data());
            const double score = (fall + below[q] + (is_last ? 0.0 : STRAIGHT * fall)) / mass;
            if (score - best > bar) best = score, fallen = fall, chosen = q;
        }
        if (chosen < 0 || (s.choice == Choice::first_best && !s.finds_zero && !(best > bar))) continue;
        Candidate& found = out[family.column];
        found = candidate_of(family, all.values[family.column].values, all.places[f], chosen);
        found.score = best;
        SplitStats split = scores.split(lefts[chosen].data(), lefts.back().data());
        split.unknown = mass - scores.mass(lefts.back().data());
        found.gain = s.criterion->forbids(split) ? 0.0 : fallen / mass;
        if (s.needs_information) found.information = split_information(split, false);
    }
    return out;
}

}  // namespace

void join_ahead(Open& node, std::vector<Candidate>& found, const std::vector<std::int32_t>& active, const Job& job,
                Scratch& scratch) {
    std::vector<bool> competes(job.plan.columns.size(), false);
    for (std::size_t i = 0; i < active.size(); ++i) competes[active[i]] = found[i].type != Candidate::Type::constant;
    std::vector<Candidate> ahead = best_ahead(node, job, Families(job.scoring, node), competes);
    for (std::size_t i = 0; i < active.size(); ++i) {
        if (!competes[active[i]]) continue;
        found[i].column = active[i];
        if (ahead[active[i]].found()) found[i].add(std::make_shared<Candidate>(std::move(ahead[active[i]])));
        set_holes(job.scoring, node.view(), active[i], scratch);
        consider_missing(job.scoring, node.totals, node.impurity, scratch.holes, found[i]);
    }
}

void look_ahead(Open& node, std::vector<Candidate>& found, const Job& job, Scratch& scratch) {
    const Plan& plan = job.plan;
    const Families all(job.scoring, node);
    const auto n_columns = static_cast<std::int64_t>(plan.columns.size());
    std::vector<bool> competes(plan.columns.size(), true);
    // A search of last resort samples its own columns, after those of the other searches.
    Stream stream(key(plan.seed, Purpose::features, plan.tree, node.id));
    const int n_rounds = plan.has_other_searches() ? 2 : 1;
    for (int round = 0; plan.max_features > 0 && round < n_rounds; ++round) {
        competes.assign(plan.columns.size(), false);
        sample_columns(n_columns, plan.max_features, stream,
                       [&](std::int32_t column) { return competes[column] = all.varies(plan, column); });
    }
    found = best_ahead(node, job, all, competes);
    for (Candidate& each : found) {
        if (!competes[each.column]) continue;
        set_holes(job.scoring, node.view(), each.column, scratch);
        consider_missing(job.scoring, node.totals, node.impurity, scratch.holes, each);
    }
}

}  // namespace hornbeam
