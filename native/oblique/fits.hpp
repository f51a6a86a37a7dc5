// Fits of directions that separate the signs +1 and -1. Each method has its own file; the reference implementation has
// the same name in parts/searches.
#pragma once

#include "oblique/points.hpp"

namespace hornbeam {

// All return (v, b), except fit_lda, which returns v.
Vector fit_perceptron(const Points& points, const Vector& signs, int epochs);
Vector fit_logistic(const Points& points, const Vector& signs, const Vector& weights, double ridge);
Vector fit_svm(const Points& points, const Vector& signs, double cost);

// `group` is the index of the group of each row. Two groups: Fisher's direction; more: the leading eigenvector.
Vector fit_lda(const Points& points, const std::vector<int>& group, int n_groups, double gamma);

// With at least MANY_ROWS rows, every sixteenth row is fitted first, up to the gradient tolerance ROUGH.
inline constexpr std::int64_t MANY_ROWS = 4096, STRIDE = 16;
inline constexpr double ROUGH = 1e-4;

// A convex function of theta = (v, b) with gradient and Hessian; `minimize` takes Newton steps with backtracking.
class Objective {
  public:
    virtual ~Objective() = default;
    // The value at theta; writes the gradient.
    virtual double value(const Vector& theta, Vector& gradient) = 0;
    // The Hessian at the theta of the last call of `value`.
    virtual void hessian(Vector& out) = 0;

    // Saves the row curvatures of the last call of `value`, or restores them.
    void swap_curvature() { row_curvature.swap(saved_); }

  protected:
    Vector row_curvature;  // weight of each row in the Hessian

  private:
    Vector saved_;
};
// With at least STRETCHED_ROWS rows the first step from zero, which is usually too short, is lengthened while that
// decreases the objective.
inline constexpr std::int64_t STRETCHED_ROWS = 128;
void minimize(Objective& objective, Vector& theta, int width, double tolerance, bool is_stretched);

}  // namespace hornbeam
