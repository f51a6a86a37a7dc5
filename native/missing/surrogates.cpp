#include "missing/surrogates.hpp"

#include <algorithm>
#include <cmath>

#include "core/midpoint.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t LEAST_ROWS = 2;
constexpr double LEAST_ADJUSTED = 1e-10, TIE = 1e-10;

// The cut of most agreement; values without a row whose branch is known only move the middle.
bool best_cut(const Agreeing& table, KeptQuestion& out, double& agreed) {
    const double total = table.both.total(), slack = TIE * total;
    double best = table.both.larger(), below[2] = {0, 0};
    std::int64_t rows = 0;
    std::size_t chosen = 0;
    bool is_found = false;
    for (std::size_t i = 0; i + 1 < table.values.size(); ++i) {
        below[0] += table.held[2 * i];
        below[1] += table.held[2 * i + 1];
        rows += table.rows[i];
        if (rows < LEAST_ROWS || table.both.rows - rows < LEAST_ROWS) continue;
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

// Each level goes where it weighs more; on a tie with the majority.
bool best_levels(const Agreeing& table, KeptQuestion& out, double& agreed) {
    const double slack = TIE * table.both.total();
    const int majority = table.both.weight[0] - table.both.weight[1] > slack ? 0 : 1;
    std::int64_t sent[2] = {0, 0};
    out.branch_of.assign(table.rows.size(), -1);
    agreed = 0;
    for (std::size_t code = 0; code < table.rows.size(); ++code) {
        if (table.rows[code] == 0) continue;
        const double apart = table.held[2 * code] - table.held[2 * code + 1];
        const int side = std::fabs(apart) <= slack ? majority : apart > 0 ? 0 : 1;
        out.branch_of[code] = side;
        sent[side] += table.rows[code];
        agreed += table.held[2 * code + side];
    }
    return std::min(sent[0], sent[1]) >= LEAST_ROWS;
}

}  // namespace

std::optional<KeptQuestion> best_surrogate(const Agreeing& table, const Sides& answered, bool of_known) {
    KeptQuestion out;
    out.column = table.column;
    double agreed = 0;
    if (table.both.rows < 2 * LEAST_ROWS) return std::nullopt;
    if (!(table.is_nominal ? best_levels(table, out, agreed) : best_cut(table, out, agreed))) return std::nullopt;
    return weighed(std::move(out), agreed, table.both, answered, of_known);
}

std::optional<KeptQuestion> weighed(KeptQuestion&& out, double agreed, const Sides& both, const Sides& answered,
                                    bool of_known) {
    const Sides& sides = of_known ? both : answered;
    const double total = sides.total(), majority = sides.larger();
    if (majority >= total) return std::nullopt;
    out.first = agreed / total;
    out.second = (out.first - majority / total) / (1 - majority / total);
    if (!(out.second > LEAST_ADJUSTED)) return std::nullopt;
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
