// best_of_many: the best question about several columns at a node. The reference implementation is
// parts/searches/machinery/many_column_search.py and the searches that use it.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>

#include "oblique/points.hpp"
#include "oblique/split_scorer.hpp"
#include "searches/conjunctions.hpp"

namespace hornbeam {

// One search of several columns, as specified in the plan.
struct ManyPlan {
    std::string name;
    std::map<std::string, double> settings;
    double at(const std::string& key) const { return settings.at(key); }
    // Whether its questions are those of a list of the user, or made of those of other searches.
    bool is_list() const { return name == "custom_questions"; }
    bool is_conjunction() const { return name == "conjunctions"; }
    // Whether it reads the values of columns of a kind.
    bool reads(Kind kind) const { return is_list() || (kind == Kind::numeric && !is_conjunction()); }
    // Whether it is used at a node of this depth; 0: no limit.
    bool reaches(std::int32_t depth) const { return at("until_depth") == 0 || depth < at("until_depth"); }
};

// A question of the user, which only the caller can read.
struct GivenQuestion {
    std::int32_t place = 0;               // among the caller's questions
    const std::int8_t* branch = nullptr;  // of every row of the table; below 0: unknown
    std::vector<std::int32_t> columns;
    double cost = 1.0;           // its score is divided by this
    bool tests_missing = false;  // whether a value is missing
};

// A question about several columns, encoded as in tree/questions: coefficients, bound, fill; or center, scale, squared
// radius, fill; or one cut; or literals that must all be true.
struct ManyQuestion {
    enum class Kind : std::int8_t { none, threshold, plane, ball, all, given };
    Kind kind = Kind::none;
    std::vector<std::int32_t> terms;
    Vector reals;
    std::vector<Literal> literals;
    const GivenQuestion* given = nullptr;
    double score = -std::numeric_limits<double>::infinity();
    bool is_free = false;  // admitted with no gain at all

    ManyQuestion() = default;
    explicit ManyQuestion(const GivenQuestion& question)
        : kind(Kind::given), terms(question.columns), given(&question) {}
    // The number of its kind in model files.
    std::int8_t number() const {
        return kind == Kind::threshold ? 0
               : kind == Kind::plane   ? 5
               : kind == Kind::ball    ? 6
               : kind == Kind::all     ? 7
                                       : 8;
    }
    // Whether it contains the values that replace missing values.
    bool has_fill() const { return kind == Kind::plane || kind == Kind::ball; }
    // The branch of each of the given rows of the table; -1 if it is undefined.
    void branches(const RowTable& table, const std::vector<std::uint32_t>& rows, RowSides& out) const;
    // The branch of a row with these numbers or codes of levels.
    std::int32_t branch(const std::function<double(std::int32_t column)>& number_of) const;
    // Where the bound is among the reals.
    std::size_t bound_at() const {
        return kind == Kind::threshold ? 0 : kind == Kind::ball ? 2 * terms.size() : terms.size();
    }
};

// `rows` are the node's rows of the table.
ManyQuestion best_of_many(const ManyPlan& plan, const Points& points, const RowTable& table,
                          const std::vector<std::uint32_t>& rows, SplitScorer& scorer);

// A fit returns a direction for points, which may have only some of the columns; empty if it finds none.
using Fit = std::function<Vector(const Points&)>;

ManyQuestion best_plane(const ManyPlan& plan, const Points& points, SplitScorer& scorer);
ManyQuestion best_sphere(const ManyPlan& plan, const Points& points, SplitScorer& scorer);
ManyQuestion without_target(const ManyPlan& plan, const Points& points, const RowTable& table,
                            const std::vector<std::uint32_t>& rows, SplitScorer& scorer);

// The best cut along a direction; kind none if it has fewer than two terms or no cut is admissible.
ManyQuestion plane_along(const Points& points, SplitScorer& scorer, Vector direction);
// The plane normal to a direction of length 1, without its bound; writes its value for each row.
ManyQuestion plane_across(const Points& points, const Vector& unit, Vector& numbers);
void set_bound(ManyQuestion& plane, double bound);
// The sphere about a center.
ManyQuestion sphere_about(const Points& points, const Vector& center, const Vector& scale, double squared_radius);

// The directions found by OC1, one per start.
std::vector<Vector> oc1_directions(const ManyPlan& plan, const Points& points, SplitScorer& scorer);

// Random directions of few columns, at least two.
inline constexpr int MIN_TERMS = 2;
std::vector<Fit> sparse_fits(const ManyPlan& plan, const Points& points, const SplitScorer& scorer);

}  // namespace hornbeam
