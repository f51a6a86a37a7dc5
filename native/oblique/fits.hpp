// Which direction parts signs +1 from -1 best?  One file a method, each the twin of its file in parts/searches.
#pragma once

#include "oblique/points.hpp"

namespace hornbeam {

// All give (v, b) but lda, which gives v alone.
Vector fit_perceptron(const Points& points, const Vector& signs, int epochs);
Vector fit_logistic(const Points& points, const Vector& signs, const Vector& weights, double ridge);
Vector fit_svm(const Points& points, const Vector& signs, double cost);

// `group` numbers the groups of the rows from 0; two of them: the classic direction; more: the leading eigenvector.
Vector fit_lda(const Points& points, const std::vector<int>& group, int n_groups, double gamma);

// From so many rows on, every sixteenth row is fitted first, roughly.
inline constexpr std::int64_t MANY_ROWS = 4096, STRIDE = 16;
inline constexpr double ROUGH = 1e-4;  // how flat that must be

// A convex height above (v, b) with its slope and curve; `descend` goes down by Newton steps with halving.
class Landscape {
  public:
    virtual ~Landscape() = default;
    // The height at theta, and the slope there.
    virtual double height(const Vector& theta, Vector& slope) = 0;
    // The curve where the height was asked for last.
    virtual void curve(Vector& out) = 0;

    // Keeps what the curve needs of the last place, and goes back to it.
    void keep() { bend.swap(kept_); }
    void go_back() { bend.swap(kept_); }

  protected:
    Vector bend;  // how much every row bends the height

  private:
    Vector kept_;
};
// From so many rows on the first step from nothing, which is too short as a rule, is stretched while that leads further
// down.
inline constexpr std::int64_t STRETCHED_ROWS = 128;
void descend(Landscape& land, Vector& theta, int width, double flat, bool is_stretched);

}  // namespace hornbeam
