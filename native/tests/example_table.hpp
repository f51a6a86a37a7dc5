// A table for tests of growing, with the parts of a method as values; it owns the arrays that the plan refers to.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "core/fixed.hpp"
#include "core/random.hpp"
#include "core/stop.hpp"
#include "growing/grower.hpp"
#include "parts/registry.hpp"

namespace hornbeam::tests {

class ExampleTable {
  public:
    MethodParts parts = {{"criterion", "gini", {}},    {"missing", "skip_column", {}},
                         {"order", "depth_first", {}}, {{"search", "sorted_cuts", {}}, {"search", "best_subset", {}}},
                         {{"stop", "pure", {}}},       std::nullopt};
    int n_classes = 0;  // 0: the target is numbers
    std::vector<std::uint16_t> classes;
    std::vector<double> numbers, weights;      // of every row; weights: empty: 1 each
    std::vector<std::vector<double>> several;  // several numbers per row, instead of one
    int threads = 1;

    void add_numbers(std::vector<double> values) {
        reals_.push_back(std::move(values));
        columns_.push_back({Kind::numeric, Reals(reals_.back().data()), nullptr, 0});
        n_rows_ = static_cast<std::int64_t>(reals_.back().size());
    }
    void add_levels(std::vector<std::int32_t> codes, std::int32_t n_levels) {
        codes_.push_back(std::move(codes));
        columns_.push_back({Kind::nominal, Reals(), codes_.back().data(), n_levels});
        n_rows_ = static_cast<std::int64_t>(codes_.back().size());
    }
    void set_classes(std::vector<std::uint16_t> of_rows, int n) {
        classes = std::move(of_rows);
        n_classes = n;
    }
    std::int64_t n_rows() const { return n_rows_; }
    const std::vector<SourceColumn>& columns() const { return columns_; }
    double weight(std::int64_t row) const { return weights.empty() ? 1.0 : weights[row]; }

    Plan plan() const {
        Plan out = plan_of_parts(parts, true);
        out.n_rows = n_rows_;
        out.columns = columns_;
        set_weights(out.target, weights.empty() ? nullptr : weights.data(), n_rows_,
                    parts.missing.name == "fractional");
        out.target.given_weights = weights.empty() ? nullptr : weights.data();
        std::vector<const double*> all;
        for (const auto& each : several) all.push_back(each.data());
        if (!all.empty())
            set_several(out.target, all, n_rows_);
        else if (n_classes == 0)
            set_numbers(out.target, numbers.data(), n_rows_);
        out.target.n_classes = n_classes;
        out.target.classes = classes;
        out.threads = threads;
        return out;
    }
    Grown grown() const {
        Stop stop;
        return grow(plan(), stop);
    }

  private:
    std::deque<std::vector<double>> reals_;
    std::deque<std::vector<std::int32_t>> codes_;
    std::vector<SourceColumn> columns_;
    std::int64_t n_rows_ = 0;
};

// Whether two trees have the same arrays.
inline bool same_tree(const Grown& a, const Grown& b) {
    return a.parent == b.parent && a.first_child == b.first_child && a.reason == b.reason && a.rows == b.rows &&
           a.weight == b.weight && a.stats == b.stats && a.impurity == b.impurity && a.gain == b.gain &&
           a.score == b.score && a.missing_branch == b.missing_branch && a.column == b.column && a.reals == b.reals &&
           a.whole == b.whole && a.surrogate_question == b.surrogate_question && a.surrogate_agree == b.surrogate_agree;
}

}  // namespace hornbeam::tests
