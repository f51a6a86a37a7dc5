// Looking two levels deep at a node: the questions about every column become cells of rows, and their scores
// candidates.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/column_sampler.hpp"
#include "growing/found_candidates.hpp"
#include "growing/node_sides.hpp"
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
};

ColumnValues values_of(const SourceColumn& source, const Open& node) {
    const std::int64_t n = node.rows();
    ColumnValues out;
    std::vector<std::pair<double, std::int64_t>> known;
    for (std::int64_t i = 0; i < n; ++i) {
        const std::uint32_t row = node.block->row_of[node.block->order[node.begin + i]];
        if (const double value = source.number(row); !std::isnan(value)) known.emplace_back(value, i);
    }
    std::sort(known.begin(), known.end());
    out.group.assign(n, -1);
    for (const auto& [value, i] : known) {
        if (out.values.empty() || out.values.back() != value) {
            out.values.push_back(value);
            out.rows.push_back(0);
        }
        ++out.rows.back();
        out.group[i] = static_cast<std::int32_t>(out.values.size()) - 1;
    }
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

// A candidate that the worker can ask: the values on both sides of a cut, or the branch of every level present.
Candidate candidate_of(const QuestionFamily& family, const ReadyColumn& ready, const std::vector<double>& values,
                       const std::vector<std::int32_t>& places, std::int32_t question, std::int64_t below) {
    Candidate out;
    out.column = family.column;
    if (!family.is_cut) {
        out.type = Candidate::Type::map;
        out.groups = std::make_shared<Grouping>();
        for (const double value : values) out.groups->levels.push_back(static_cast<std::uint32_t>(value));
        out.groups->branch.assign(values.size(), 1);
        for (const std::int32_t cell : family.sets[question]) out.groups->branch[cell] = 0;
        return out;
    }
    out.type = Candidate::Type::cut;
    out.low = values[places[question]];
    out.high = values[places[question] + 1];
    out.below = static_cast<std::int32_t>(below);
    if (ready.is_listed) return out;
    out.code = ready.kind == Kind::numeric
                   ? static_cast<std::uint32_t>(std::lower_bound(ready.values.begin(), ready.values.end(), out.low) -
                                                ready.values.begin())
                   : static_cast<std::uint32_t>(out.low);
    return out;
}

TwoLevels two_levels(const Scoring& scoring, const NodeSides& sides, const Totals& totals) {
    TwoLevels out;
    const int width = scoring.statistic.width();
    out.n_channels = width + 2;
    out.channels.assign(sides.size() * out.n_channels, 0);
    for (std::int64_t i = 0; i < sides.size(); ++i) {
        SideSums one = sides.empty();
        sides.add(one, i);
        std::int64_t* to = out.channels.data() + i * out.n_channels;
        std::copy(one.cell.begin(), one.cell.end(), to);
        to[width] = 1;
        to[width + 1] = one.weight;
    }
    const Least least = scoring.least(0, false);
    out.admits = [width, least](const std::int64_t* side) {
        return side[width] >= least.rows && side[width + 1] >= least.weight;
    };
    out.fall = [&scoring, &sides, parent = std::vector<double>(width), branches = std::vector<double>(2 * width)](
                   const std::int64_t* left, const std::int64_t* whole) mutable {
        const SplitStats split = sides.two_sides(left, whole, parent.data(), branches.data());
        const bool is_class = scoring.plan.target.is_class();
        return scoring.statistic.mass(whole) *
               (is_class ? scoring.criterion->decrease(split) : scoring.criterion->score(split));
    };
    return out;
}

// The columns whose questions compete. A search of last resort samples its own, after those of the other searches.
std::vector<bool> competing_columns(const Open& node, const Plan& plan) {
    const std::size_t n_columns = plan.columns.size();
    if (plan.max_features <= 0) return std::vector<bool>(n_columns, true);
    std::vector<bool> varies(n_columns, false), out;
    for (const std::int32_t column : node.active) varies[column] = true;
    Stream stream(key(plan.seed, Purpose::features, plan.tree, node.id));
    for (int round = plan.lookahead == Lookahead::stuck ? 2 : 1; round > 0; --round) {
        out.assign(n_columns, false);
        sample_columns(static_cast<std::int64_t>(n_columns), plan.max_features, stream, [&](std::int32_t column) {
            out[column] = varies[column];
            return varies[column];
        });
    }
    return out;
}

}  // namespace

// The best question of every column, scored two levels deep.
void look_ahead(Open& node, std::vector<Candidate>& found, const Job& job) {
    const Plan& plan = job.plan;
    const Scoring& scoring = job.scoring;
    const NodeSides sides(scoring, node);
    const std::int64_t n = node.rows();
    std::vector<ColumnValues> all;
    double n_cuts = 0;
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
        all.push_back(values_of(plan.columns[c], node));
        if (plan.columns[c].kind != Kind::nominal) n_cuts += static_cast<double>(all.back().values.size()) - 1;
    }
    const bool is_whole = n_cuts * n_cuts * static_cast<double>(n) <= MOST;
    std::vector<QuestionFamily> families;
    std::vector<std::vector<std::int32_t>> places;
    for (std::size_t c = 0; c < all.size(); ++c) {
        if (all[c].values.size() < 2) continue;
        QuestionFamily& family = families.emplace_back();
        family.column = static_cast<std::int32_t>(c);
        family.cell = all[c].group;
        family.is_cut = plan.columns[c].kind != Kind::nominal;
        family.n_cells = static_cast<std::int32_t>(all[c].values.size());
        std::vector<std::int32_t>& cut = places.emplace_back();
        if (!family.is_cut) {
            family.sets = sets_of_few(family.n_cells, MOST_LEVELS);
            continue;
        }
        cut = cut_places(all[c].rows, is_whole ? 0 : static_cast<std::int32_t>(plan.lookahead_quantiles));
        family.n_cells = static_cast<std::int32_t>(cut.size()) + 1;
        for (std::int32_t& cell : family.cell)
            if (cell >= 0)
                cell = static_cast<std::int32_t>(std::lower_bound(cut.begin(), cut.end(), cell) - cut.begin());
    }
    const TwoLevels tables = two_levels(scoring, sides, node.totals);
    const double mass = scoring.mass(node.totals), bar = scoring.tolerance(node.impurity);
    // No second question follows at the last depth: questions count by their own gain.
    const bool is_last = node.depth + 1 >= plan.stops.max_depth;
    const std::vector<bool> competes = competing_columns(node, plan);
    for (std::size_t f = 0; f < families.size(); ++f) {
        const QuestionFamily& family = families[f];
        if (!competes[family.column]) continue;
        const std::vector<Channels> lefts = tables.lefts(family);
        const std::vector<double> below =
            is_last ? std::vector<double>(family.size(), 0.0) : tables.below(family, families);
        Channels right(tables.n_channels);
        double best = -std::numeric_limits<double>::infinity(), gain = 0;
        std::int32_t chosen = -1;
        for (std::int32_t q = 0; q < family.size(); ++q) {
            for (int c = 0; c < tables.n_channels; ++c) right[c] = lefts.back()[c] - lefts[q][c];
            if (!tables.admits(lefts[q].data()) || !tables.admits(right.data())) continue;
            const double fall = tables.fall(lefts[q].data(), lefts.back().data());
            const double score = (fall + below[q] + (is_last ? 0.0 : STRAIGHT * fall)) / mass;
            if (score - best > bar) best = score, gain = fall / mass, chosen = q;
        }
        if (chosen < 0 || !(best > bar)) continue;
        Candidate out = candidate_of(family, scoring.columns[family.column], all[family.column].values, places[f],
                                     chosen, lefts[chosen][scoring.statistic.width()]);
        out.gain = gain;
        out.score = best;
        found.push_back(std::move(out));
    }
    // All questions about a column come before those about the next, unless this search is the last resort.
    if (plan.lookahead == Lookahead::always)
        std::stable_sort(found.begin(), found.end(),
                         [](const Candidate& a, const Candidate& b) { return a.column < b.column; });
}

}  // namespace hornbeam
