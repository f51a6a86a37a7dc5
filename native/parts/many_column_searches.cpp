// The registry of searches of many columns at once. Their settings are numbers for oblique/ and searches/conjunctions:
// true is 1, None is 0, and a choice is its position.
#include <array>
#include <utility>

#include "parts/registry.hpp"

namespace hornbeam {
namespace {

// Reads the settings that all searches of many columns have, then `more`.
template <class More>
void add_many(Settings& given, Plan& plan, const More& more) {
    ManyPlan search{given.name(), {}};
    search.settings["until_depth"] = static_cast<double>(given.whole_or_none("until_depth").value_or(0));
    more(search.settings);
    plan.many.push_back(std::move(search));
}

using Numbers = std::map<std::string, double>;

void whole(Settings& given, Numbers& out, const char* key, std::int64_t usual) {
    out[key] = static_cast<double>(given.whole(key, usual));
}

void real(Settings& given, Numbers& out, const char* key, double usual) { out[key] = given.real(key, usual); }

void flag(Settings& given, Numbers& out, const char* key, bool usual) { out[key] = given.flag(key, usual) ? 1.0 : 0.0; }

// Planes share the limits of their terms.
template <class More>
void add_plane(Settings& given, Plan& plan, const More& more) {
    add_many(given, plan, [&](Numbers& out) {
        out["max_terms"] = static_cast<double>(given.whole_or_none("max_terms").value_or(0));
        real(given, out, "min_contribution", 0.0);
        more(out);
    });
}

void read_until_depth(Settings& given, Plan& plan) {
    add_many(given, plan, [](Numbers&) {});
}

void read_chou_plane(Settings& given, Plan& plan) {
    add_plane(given, plan, [&](Numbers& out) {
        whole(given, out, "rounds", 20);
        real(given, out, "ridge", 0.001);
    });
}

void read_conjunctions(Settings& given, Plan& plan) {
    add_many(given, plan, [&](Numbers& out) {
        whole(given, out, "length", 2);
        whole(given, out, "beam", 5);
        whole(given, out, "pool", 32);
    });
}

// The caller passes the list with the job.
void read_custom_questions(Settings& given, Plan& plan) {
    add_many(given, plan, [](Numbers&) {});
}

void read_householder_planes(Settings& given, Plan& plan) {
    add_plane(given, plan, [](Numbers&) {});
}

void read_kd_median(Settings& given, Plan& plan) {
    add_many(given, plan, [&](Numbers& out) { out["spread"] = given.choice("spread", {"variance", "range"}); });
}

void read_lda_plane(Settings& given, Plan& plan) {
    add_plane(given, plan, [&](Numbers& out) { real(given, out, "gamma", 1e-6); });
}

void read_logistic_plane(Settings& given, Plan& plan) {
    add_plane(given, plan, [&](Numbers& out) { real(given, out, "ridge", 0.001); });
}

void read_oc1_plane(Settings& given, Plan& plan) {
    add_plane(given, plan, [&](Numbers& out) {
        whole(given, out, "restarts", 20);
        whole(given, out, "jumps", 5);
        whole(given, out, "stagnant", 10);
    });
}

void read_perceptron_plane(Settings& given, Plan& plan) {
    add_plane(given, plan, [&](Numbers& out) { whole(given, out, "epochs", 100); });
}

void read_sparse_planes(Settings& given, Plan& plan) {
    add_plane(given, plan, [&](Numbers& out) {
        real(given, out, "exponent", 2.0);
        whole(given, out, "min_directions", 32);
        whole(given, out, "max_directions", 6000);
        real(given, out, "density", 2.0);
        flag(given, out, "is_binary", false);
        flag(given, out, "is_scaled", true);
    });
}

void read_spheres(Settings& given, Plan& plan) {
    add_many(given, plan, [&](Numbers& out) {
        whole(given, out, "rows", 20);
        flag(given, out, "is_scaled", true);
    });
}

void read_svm_plane(Settings& given, Plan& plan) {
    add_plane(given, plan, [&](Numbers& out) { real(given, out, "C", 1.0); });
}

void read_two_means(Settings& given, Plan& plan) {
    add_many(given, plan, [&](Numbers& out) { whole(given, out, "rounds", 100); });
}

constexpr std::array MANY{
    RegisteredPart{"ball", read_until_depth, SearchRole::many_columns},
    RegisteredPart{"chou_plane", read_chou_plane, SearchRole::many_columns},
    RegisteredPart{"conjunctions", read_conjunctions, SearchRole::many_columns},
    RegisteredPart{"custom_questions", read_custom_questions, SearchRole::given},
    RegisteredPart{"householder_planes", read_householder_planes, SearchRole::many_columns},
    RegisteredPart{"kd_median", read_kd_median, SearchRole::many_columns},
    RegisteredPart{"lda_plane", read_lda_plane, SearchRole::many_columns},
    RegisteredPart{"logistic_plane", read_logistic_plane, SearchRole::many_columns},
    RegisteredPart{"oc1_plane", read_oc1_plane, SearchRole::many_columns},
    RegisteredPart{"pca_median", read_until_depth, SearchRole::many_columns},
    RegisteredPart{"perceptron_plane", read_perceptron_plane, SearchRole::many_columns},
    RegisteredPart{"sparse_planes", read_sparse_planes, SearchRole::many_columns},
    RegisteredPart{"spheres", read_spheres, SearchRole::many_columns},
    RegisteredPart{"svm_plane", read_svm_plane, SearchRole::many_columns},
    RegisteredPart{"two_means", read_two_means, SearchRole::many_columns},
};

}  // namespace

Registry many_column_search_parts() { return MANY; }

}  // namespace hornbeam
