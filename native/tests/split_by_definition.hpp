// The scores of splits straight from their definitions, row by row: what the kernels of the core are compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hornbeam::tests {

// A row as a criterion sees it.
struct TargetRow {
    int k = 0;
    double number = 0.0, weight = 1.0;
};
using Rows = std::vector<TargetRow>;

inline double weight_of(const Rows& rows) {
    double sum = 0;
    for (const TargetRow& row : rows) sum += row.weight;
    return sum;
}

inline std::vector<double> class_shares(const Rows& rows, int n_classes) {
    std::vector<double> out(n_classes, 0.0);
    for (const TargetRow& row : rows) out[row.k] += row.weight / weight_of(rows);
    return out;
}

inline double mean_of(const Rows& rows) {
    double sum = 0;
    for (const TargetRow& row : rows) sum += row.weight * row.number;
    return sum / weight_of(rows);
}

// The lower median: the first number up to which half of the weight is reached.
inline double median_of(Rows rows) {
    std::sort(rows.begin(), rows.end(), [](const TargetRow& a, const TargetRow& b) { return a.number < b.number; });
    const double all = weight_of(rows);
    double reached = 0;
    for (const TargetRow& row : rows)
        if ((reached += row.weight) >= all / 2 * (1 - 1e-12)) return row.number;
    return rows.back().number;
}

// Definitions of impurity: Breiman et al. (1984) for gini, misclassification and the variance; Quinlan (1986) for
// entropy; the mean Poisson deviance and the mean absolute distance from the median.
inline double impurity_of(const std::string& name, const Rows& rows, int n_classes) {
    if (rows.empty()) return 0.0;
    double sum = 0;
    if (name == "squared_error" || name == "absolute_error" || name == "poisson") {
        const double mean = mean_of(rows), median = median_of(rows);
        for (const TargetRow& row : rows) {
            const double off = row.number - mean;
            if (name == "squared_error") sum += row.weight * off * off;
            if (name == "absolute_error") sum += row.weight * std::fabs(row.number - median);
            if (name == "poisson")
                sum += 2 * row.weight * ((row.number > 0 ? row.number * std::log(row.number / mean) : 0.0) - off);
        }
        return sum / weight_of(rows);
    }
    const std::vector<double> share = class_shares(rows, n_classes);
    if (name == "misclassification") return 1 - *std::max_element(share.begin(), share.end());
    for (const double p : share) sum += name == "entropy" ? (p > 0 ? -p * std::log2(p) : 0.0) : p * (1 - p);
    return sum;
}

// The score of a split into these branches. Twoing: Breiman et al. (1984); chi_square: Pearson's statistic over the
// weight; every other name is a decrease of impurity.
inline double score_of(const std::string& name, const std::vector<Rows>& branches, int n_classes) {
    Rows all;
    for (const Rows& branch : branches) all.insert(all.end(), branch.begin(), branch.end());
    const double weight = weight_of(all);
    if (name == "twoing") {
        const auto left = class_shares(branches[0], n_classes), right = class_shares(branches[1], n_classes);
        double sum = 0;
        for (int k = 0; k < n_classes; ++k) sum += std::fabs(left[k] - right[k]);
        return weight_of(branches[0]) / weight * (weight_of(branches[1]) / weight) / 4 * sum * sum;
    }
    if (name == "chi_square") {
        const auto share = class_shares(all, n_classes);
        double sum = 0;
        for (const Rows& branch : branches) {
            const auto inside = class_shares(branch, n_classes);
            for (int k = 0; k < n_classes; ++k)
                if (share[k] > 0) sum += weight_of(branch) * (inside[k] - share[k]) * (inside[k] - share[k]) / share[k];
        }
        return sum / weight;
    }
    double out = impurity_of(name, all, n_classes);
    for (const Rows& branch : branches) out -= weight_of(branch) / weight * impurity_of(name, branch, n_classes);
    return out;
}

}  // namespace hornbeam::tests
