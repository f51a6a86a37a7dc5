#include "missing/surrogates.hpp"

#include <algorithm>
#include <cmath>

#include "core/midpoint.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t MIN_ROWS = 2;
constexpr double MIN_ADJUSTED = 1e-10, TIE = 1e-10;

// Finds the cut of largest agreement. Values that have no row with a known branch only affect the midpoint.
bool best_cut(const AgreementCounts& table, KeptQuestion& out, double& agreed) {
    const double total = table.both.total(), slack = TIE * total;
    double best = table.both.larger(), below[2] = {0, 0};
    std::int64_t rows = 0;
    std::size_t chosen = 0;
    bool is_found = false;
    for (std::size_t i = 0; i + 1 < table.values.size(); ++i) {
        below[0] += table.branch_weight[2 * i];
        below[1] += table.branch_weight[2 * i + 1];
        rows += table.rows[i];
        if (rows < MIN_ROWS || table.both.rows - rows < MIN_ROWS) continue;
        const double straight = below[0] + table.both.weight[1] - below[1];
        for (const bool is_flipped : {true, false}) {
            const double here = is_flipped ? total - straight : straight;
            if (here - best > slack) best = here, chosen = i, out.is_flipped = is_flipped, is_found = true;
        }
    }
    if (!is_found) return false;
    out.cut = midpoint(table.values[chosen], (table.lows.empty() ? table.values : table.lows)[chosen + 1]);
    agreed = best;
    return true;
}

// Assigns each level to the branch with more of its weight, on ties to the majority branch.
bool best_levels(const AgreementCounts& table, KeptQuestion& out, double& agreed) {
    const double slack = TIE * table.both.total();
    const int majority = table.both.weight[0] - table.both.weight[1] > slack ? 0 : 1;
    std::int64_t sent[2] = {0, 0};
    out.branch_of.assign(table.rows.size(), -1);
    agreed = 0;
    for (std::size_t code = 0; code < table.rows.size(); ++code) {
        if (table.rows[code] == 0) continue;
        const double apart = table.branch_weight[2 * code] - table.branch_weight[2 * code + 1];
        const int side = std::fabs(apart) <= slack ? majority : apart > 0 ? 0 : 1;
        out.branch_of[code] = side;
        sent[side] += table.rows[code];
        agreed += table.branch_weight[2 * code + side];
    }
    return std::min(sent[0], sent[1]) >= MIN_ROWS;
}

}  // namespace

std::optional<KeptQuestion> best_surrogate(const AgreementCounts& table, const Sides& decided, bool of_known) {
    KeptQuestion out;
    out.column = table.column;
    double agreed = 0;
    if (table.both.rows < 2 * MIN_ROWS) return std::nullopt;
    if (!(table.is_nominal ? best_levels(table, out, agreed) : best_cut(table, out, agreed))) return std::nullopt;
    return as_surrogate(std::move(out), agreed, table.both, decided, of_known);
}

std::optional<KeptQuestion> as_surrogate(KeptQuestion&& out, double agreed, const Sides& both, const Sides& decided,
                                         bool of_known) {
    const Sides& sides = of_known ? both : decided;
    const double total = sides.total(), majority = sides.larger();
    if (majority >= total) return std::nullopt;
    out.first = agreed / total;
    out.second = (out.first - majority / total) / (1 - majority / total);
    if (!(out.second > MIN_ADJUSTED)) return std::nullopt;
    return std::move(out);
}

std::int32_t undecided_branch(const MissingPlan& plan, double left, double right) {
    const bool stays = plan.stays || std::fabs(left - right) <= TIE * (left + right);
    return stays ? -1 : right > left;
}

void keep_best(std::vector<KeptQuestion>& found, std::size_t at_most) {
    std::stable_sort(found.begin(), found.end(), [](const KeptQuestion& a, const KeptQuestion& b) {
        return std::nearbyint(a.first / TIE) > std::nearbyint(b.first / TIE);
    });
    if (found.size() > at_most) found.resize(at_most);
}

}  // namespace hornbeam
