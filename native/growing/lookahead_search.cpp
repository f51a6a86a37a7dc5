// Lookahead at a node: questions are scored by two levels, from joint tables of the cells of all columns.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/column_sampler.hpp"
#include "core/midpoint.hpp"
#include "growing/found_candidates.hpp"
#include "growing/node_sides.hpp"
#include "missing/impute.hpp"
#include "missing/missing_counts.hpp"
#include "searches/pair_tables.hpp"

namespace hornbeam {
namespace {

constexpr double MAX_WORK = 1e9;          // all cuts are tried up to this value of (number of cuts)^2 * rows
constexpr double OWN_GAIN_FACTOR = 1e-6;  // additional factor of the gain of the first question
constexpr std::int32_t MAX_LEVELS = 6;

// The distinct known values of a column at the node, ascending, with the rows that have each.
struct ColumnValues {
    std::vector<double> values;
    std::vector<std::int64_t> rows;
    std::vector<std::int32_t> group;  // per row; -1: missing
    bool is_mixed = false;            // some values are missing, others are known
};

// The imputed value is one of the values; rows with missing values have no group.
ColumnValues values_of(const Scoring& s, const Open& node, std::int32_t column) {
    const std::int64_t n = node.rows();
    ColumnValues out;
    std::vector<std::pair<double, std::int64_t>> known;
    for (std::int64_t i = 0; i < n; ++i) {
        const std::uint32_t row = node.block->row_of[node.block->order[node.begin + i]];
        if (const double value = s.plan.columns[column].number(row); !std::isnan(value)) known.emplace_back(value, i);
    }
    const std::size_t n_known = known.size();
    if (imputes(s, column) && n_known > 0) known.resize(n, {imputed_value(s, node.slice(), column), -1});
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

// The cuts to try: all, or those at quantiles of the rows; cut i is above group i.
std::vector<std::int32_t> tried_cuts(const std::vector<std::int64_t>& rows, std::int32_t most) {
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
        const std::int32_t index = std::min(at, every - 1);
        if (out.empty() || out.back() != index) out.push_back(index);
    }
    return out;
}

// The candidate of a question of a family: a cut between two values, or the branches of the present levels.
Candidate candidate_of(const QuestionFamily& family, const std::vector<double>& values,
                       const std::vector<std::int32_t>& cuts, std::int32_t question) {
    Candidate out;
    out.column = family.column;
    out.own = OwnBranch::none;
    out.rank = Candidate::LOOKAHEAD_RANK;
    if (family.is_cut) {
        const double middle = midpoint(values[cuts[question]], values[cuts[question] + 1]);
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

// The decrease of weight times impurity by splits, from integer sums. Branches without events are admissible here.
class LookaheadScores {
  public:
    LookaheadScores(const Scoring& s, const NodeSides& sides)
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
    // The split of a whole into a left side and the rest.
    SplitStats split(const std::int64_t* left, const std::int64_t* whole) {
        return sides_.two_sides(left, whole, parent_.data(), branches_.data());
    }
    double decrease(const std::int64_t* left, const std::int64_t* whole) {
        const SplitStats both = split(left, whole);
        if (s_.plan.target.is_class()) return mass(whole) * s_.criterion->decrease(both);
        return mass(whole) * (rates_ ? *rates_ : *s_.criterion).score(both);
    }
    PairTables tables() {
        PairTables out;
        out.n_channels = width_ + 2;
        for (std::int64_t i = 0; i < sides_.size(); ++i) {
            SideSums one = sides_.empty();
            if (s_.plan.criterion.quantile >= 0) {
                out.entry.push_back(sides_.group_of(i));
                out.weights.push_back(sides_.weight_of(i));
                continue;
            }
            sides_.add(one, i);
            out.channels.insert(out.channels.end(), one.cell.begin(), one.cell.end());
            out.channels.insert(out.channels.end(), {1, one.weight});
        }
        out.admits = [width = width_, min_size = s_.fixed_min_size](const std::int64_t* side) {
            return side[width] >= min_size.rows && side[width + 1] >= min_size.weight;
        };
        out.decrease = [this](const std::int64_t* left, const std::int64_t* whole) { return decrease(left, whole); };
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
        const bool is_whole = n_cuts * n_cuts * static_cast<double>(node.rows()) <= MAX_WORK;
        for (std::size_t c = 0; c < values.size(); ++c) {
            if (values[c].values.size() < 2) continue;
            QuestionFamily& family = families.emplace_back();
            family.column = static_cast<std::int32_t>(c);
            family.cell = values[c].group;
            family.is_cut = plan.columns[c].kind != Kind::nominal;
            family.n_cells = static_cast<std::int32_t>(values[c].values.size());
            std::vector<std::int32_t>& cut = cuts.emplace_back();
            if (!family.is_cut) {
                family.sets = candidate_sets(family.n_cells, MAX_LEVELS);
                continue;
            }
            cut = tried_cuts(values[c].rows, is_whole ? 0 : static_cast<std::int32_t>(plan.lookahead_quantiles));
            family.n_cells = static_cast<std::int32_t>(cut.size()) + 1;
            for (std::int32_t& cell : family.cell)
                if (cell >= 0)
                    cell = static_cast<std::int32_t>(std::lower_bound(cut.begin(), cut.end(), cell) - cut.begin());
        }
    }
    // Whether a column varies, including by missing values if they count.
    bool varies(const Plan& plan, std::int32_t column) const {
        const ColumnValues& of = values[column];
        return of.values.size() > 1 || (of.is_mixed && plan.missing.mode != MissingMode::apart);
    }

    std::vector<ColumnValues> values;  // per column
    std::vector<QuestionFamily> families;
    std::vector<std::vector<std::int32_t>> cuts;  // per family: the groups below its cuts
};

// The best question per competing column by two levels; candidates of other columns have no type.
std::vector<Candidate> best_of_lookahead(const Open& node, const Job& job, const Families& all,
                                         const std::vector<bool>& competes) {
    const Scoring& s = job.scoring;
    const NodeSides sides(s, node);
    LookaheadScores scores(s, sides);
    const PairTables tables = scores.tables();
    const double mass = s.mass(node.totals), bar = s.tolerance(node.impurity);
    // At the maximum depth there is no second question: only the own gain counts.
    const bool is_last = node.depth + 1 >= job.plan.stops.max_depth;
    std::vector<Candidate> out(job.plan.columns.size());
    for (std::size_t c = 0; c < out.size(); ++c) out[c].column = static_cast<std::int32_t>(c);
    for (std::size_t f = 0; f < all.families.size(); ++f) {
        const QuestionFamily& family = all.families[f];
        if (!competes[family.column]) continue;
        const std::vector<Channels> left_sums = tables.left_sums(family);
        const std::vector<double> below =
            is_last ? std::vector<double>(family.size(), 0.0) : tables.second_decreases(family, all.families);
        Channels right(tables.n_channels);
        double best = -std::numeric_limits<double>::infinity(), chosen_decrease = 0;
        std::int32_t chosen = -1;
        for (std::int32_t q = 0; q < family.size(); ++q) {
            for (int c = 0; c < tables.n_channels; ++c) right[c] = left_sums.back()[c] - left_sums[q][c];
            if (!tables.admits(left_sums[q].data()) || !tables.admits(right.data())) continue;
            const double decrease = tables.decrease(left_sums[q].data(), left_sums.back().data());
            const double score = (decrease + below[q] + (is_last ? 0.0 : OWN_GAIN_FACTOR * decrease)) / mass;
            if (score - best > bar) best = score, chosen_decrease = decrease, chosen = q;
        }
        if (chosen < 0 || (s.choice == Choice::first_best && !s.finds_zero && !(best > bar))) continue;
        Candidate& found = out[family.column];
        found = candidate_of(family, all.values[family.column].values, all.cuts[f], chosen);
        found.score = best;
        SplitStats split = scores.split(left_sums[chosen].data(), left_sums.back().data());
        split.unknown = mass - scores.mass(left_sums.back().data());
        found.gain = s.criterion->forbids(split) ? 0.0 : chosen_decrease / mass;
        if (s.needs_information) found.information = split_information(split, false);
    }
    return out;
}

}  // namespace

void add_lookahead(Open& node, std::vector<Candidate>& found, const std::vector<std::int32_t>& active, const Job& job,
                   Scratch& scratch) {
    std::vector<bool> competes(job.plan.columns.size(), false);
    for (std::size_t i = 0; i < active.size(); ++i) competes[active[i]] = found[i].type != Candidate::Type::constant;
    std::vector<Candidate> lookahead = best_of_lookahead(node, job, Families(job.scoring, node), competes);
    for (std::size_t i = 0; i < active.size(); ++i) {
        if (!competes[active[i]]) continue;
        found[i].column = active[i];
        if (lookahead[active[i]].found()) found[i].add(std::make_shared<Candidate>(std::move(lookahead[active[i]])));
        set_missing(job.scoring, node.view(), active[i], scratch);
        consider_missing(job.scoring, node.totals, node.impurity, scratch.missing, found[i]);
    }
}

void search_lookahead(Open& node, std::vector<Candidate>& found, const Job& job, Scratch& scratch) {
    const Plan& plan = job.plan;
    const Families all(job.scoring, node);
    const auto n_columns = static_cast<std::int64_t>(plan.columns.size());
    std::vector<bool> competes(plan.columns.size(), true);
    // If other searches sampled columns before, lookahead samples its own ones after them.
    Stream stream(key(plan.seed, Purpose::features, plan.tree, node.id));
    const int n_rounds = plan.has_other_searches() ? 2 : 1;
    for (int round = 0; plan.max_features > 0 && round < n_rounds; ++round) {
        competes.assign(plan.columns.size(), false);
        sample_columns(n_columns, plan.max_features, stream,
                       [&](std::int32_t column) { return competes[column] = all.varies(plan, column); });
    }
    found = best_of_lookahead(node, job, all, competes);
    for (Candidate& each : found) {
        if (!competes[each.column]) continue;
        set_missing(job.scoring, node.view(), each.column, scratch);
        consider_missing(job.scoring, node.totals, node.impurity, scratch.missing, each);
    }
}

}  // namespace hornbeam
