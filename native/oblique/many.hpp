// What is the best question about many columns at a node?  Points and a judge in, a question out; the twin of
// parts/searches/many_columns.py and the searches that are built on it.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>

#include "oblique/judge.hpp"
#include "oblique/points.hpp"
#include "searches/conjunctions.hpp"

namespace hornbeam {

// One search of many columns as the plan names it.
struct ManyPlan {
    std::string name;
    std::map<std::string, double> settings;
    double at(const std::string& key) const { return settings.at(key); }
    // Whether it is tried at a node of this depth; 0 stands for no limit.
    bool reaches(std::int32_t depth) const { return at("until_depth") == 0 || depth < at("until_depth"); }
};

// A question about many columns, laid out as in tree/questions: weights, bound, fill; or centre, scale, radius squared,
// fill; or one cut; or the literals that must all hold.
struct ManyQuestion {
    enum class Kind : std::int8_t { none, threshold, plane, ball, all };
    Kind kind = Kind::none;
    std::vector<std::int32_t> terms;
    Vector reals;
    std::vector<Literal> literals;
    double score = -std::numeric_limits<double>::infinity();

    // The number of its kind in model files.
    std::int8_t number() const {
        return kind == Kind::threshold ? 0 : kind == Kind::plane ? 5 : kind == Kind::ball ? 6 : 7;
    }
    // Whether it says itself what stands in for a missing value.
    bool has_fill() const { return kind == Kind::plane || kind == Kind::ball; }
    // The branch of every one of some rows of the table; -1 when it is unknown.
    void branches(const RowTable& table, const std::vector<std::uint32_t>& rows, RowSides& out) const;
};

// `rows` are the node's rows of the table.
ManyQuestion best_of_many(const ManyPlan& plan, const Points& points, const RowTable& table,
                          const std::vector<std::uint32_t>& rows, Judge& judge);

// A fit proposes a direction for points, which may be those of some of the columns only; empty for none.
using Fit = std::function<Vector(const Points&)>;

ManyQuestion best_plane(const ManyPlan& plan, const Points& points, Judge& judge);
ManyQuestion best_sphere(const ManyPlan& plan, const Points& points, Judge& judge);
ManyQuestion without_target(const ManyPlan& plan, const Points& points, const RowTable& table,
                            const std::vector<std::uint32_t>& rows, Judge& judge);

// The best cut along a direction; kind none if it has fewer than two terms or there is none to admit.
ManyQuestion plane_along(const Points& points, Judge& judge, Vector direction);
// The plane across a direction of length 1 without its bound, and what it computes of every row.
ManyQuestion plane_across(const Points& points, const Vector& unit, Vector& numbers);
void set_bound(ManyQuestion& plane, double bound);

// The directions where OC1 ends, one a start.
std::vector<Vector> oc1_directions(const ManyPlan& plan, const Points& points, Judge& judge);

// Random directions of few columns, of two at least.
inline constexpr int FEWEST_TERMS = 2;
std::vector<Fit> sparse_fits(const ManyPlan& plan, const Points& points, const Judge& judge);

}  // namespace hornbeam
