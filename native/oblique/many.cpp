// Branches of questions about several columns, and the choice of the search by name (many.hpp).
#include "oblique/many.hpp"

#include <algorithm>
#include <cmath>

namespace hornbeam {

namespace {

// All literals must be true: one that is false decides; otherwise one that is undefined makes the result undefined.
template <class NumberOf>
std::int8_t conjunction(const std::vector<Literal>& literals, const NumberOf& number_of) {
    bool is_known = true;
    for (const Literal& literal : literals) {
        const std::int32_t side = literal.branch(number_of(literal));
        if (side == 1) return 1;
        is_known = is_known && side == 0;
    }
    return is_known ? 0 : -1;
}

}  // namespace

void ManyQuestion::branches(const RowTable& table, const std::vector<std::uint32_t>& rows, RowSides& out) const {
    if (given) {
        out.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) out[i] = given->branch[rows[i]];
        return;
    }
    if (kind == Kind::all) {
        out.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            out[i] = conjunction(literals, [&](const Literal& each) { return each.source->number(rows[i]); });
        return;
    }
    constexpr std::size_t LANES = 8;  // rows that are summed in parallel, each in the order of its terms
    const std::size_t n = terms.size(), count = rows.size();
    const bool is_ball = kind == Kind::ball, is_cut = kind == Kind::threshold;
    const double* bound = reals.data() + bound_at();
    std::vector<std::int32_t> position;
    for (const std::int32_t column : terms) position.push_back(table.position_of[column]);
    out.resize(count);
    for (std::size_t from = 0; from < count; from += LANES) {
        const std::size_t lanes = std::min(LANES, count - from);
        const double* cells[LANES];
        double total[LANES] = {};
        for (std::size_t l = 0; l < LANES; ++l) {
            cells[l] = table.row(rows[from + (l < lanes ? l : 0)]);
            table.fetch(rows[std::min(from + l + 2 * LANES, count - 1)]);
        }
        for (std::size_t t = 0; t < n; ++t)
            for (std::size_t l = 0; l < LANES; ++l) {
                double value = cells[l][position[t]];
                if (!is_cut && std::isnan(value)) value = bound[1 + t];
                if (is_ball) {
                    const double step = (value - reals[t]) / reals[n + t];
                    total[l] += step * step;
                } else {
                    total[l] += is_cut ? value : reals[t] * value;
                }
            }
        for (std::size_t l = 0; l < lanes; ++l)
            out[from + l] = static_cast<std::int8_t>(std::isnan(total[l]) ? -1 : total[l] > *bound);
    }
}

std::int32_t ManyQuestion::branch(const std::function<double(std::int32_t column)>& number_of) const {
    if (kind == Kind::all)
        return conjunction(literals, [&](const Literal& literal) { return number_of(literal.column); });
    double total = 0;
    for (std::size_t t = 0; t < terms.size(); ++t) {
        const double number = number_of(terms[t]);
        const double step = kind == Kind::ball ? (number - reals[t]) / reals[terms.size() + t] : 0.0;
        total += kind == Kind::ball ? step * step : kind == Kind::plane ? reals[t] * number : number;
    }
    return total > reals[bound_at()];
}

ManyQuestion best_of_many(const ManyPlan& plan, const Points& points, const RowTable& table,
                          const std::vector<std::uint32_t>& rows, SplitScorer& scorer) {
    if (plan.name == "spheres") return best_sphere(plan, points, scorer);
    if (plan.name == "kd_median" || plan.name == "pca_median" || plan.name == "two_means" || plan.name == "ball")
        return without_target(plan, points, table, rows, scorer);
    return best_plane(plan, points, scorer);
}

}  // namespace hornbeam
