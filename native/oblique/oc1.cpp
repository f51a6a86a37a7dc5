// OC1: improves one coefficient of a plane at a time. The reference implementation is parts/searches/oc1_plane.py.
#include <algorithm>

#include "core/stop.hpp"
#include "oblique/many.hpp"

namespace hornbeam {
namespace {

constexpr int MAX_MOVES = 1000;
constexpr double NO_SCORE = -std::numeric_limits<double>::infinity();

class Climb {
  public:
    Climb(const Points& points, SplitScorer& scorer, int jumps, int stagnant)
        : points_(points), scorer_(scorer), jumps_(jumps), stagnant_(stagnant), values_(points.n), rest_(points.n) {}

    Vector run(Vector plane, Stream& stream) {
        value(plane, values_);
        RowSides sides(points_.n);
        for (std::int64_t i = 0; i < points_.n; ++i) sides[i] = values_[i] >= 0;
        double score = NO_SCORE;
        if (!scorer_.score(sides, score)) score = NO_SCORE;
        int equal = 0;
        for (int move = 0; move < MAX_MOVES; ++move) {
            double found = NO_SCORE;
            Vector moved = best_coefficient(plane, found);
            if (scorer_.beats(found, score)) {
                equal = 0;
            } else if (found > NO_SCORE && !scorer_.beats(score, found) && equal < stagnant_) {
                ++equal;
            } else {
                moved = random_jump(plane, score, stream, found);
                if (!scorer_.beats(found, score)) break;
                equal = 0;
            }
            plane = std::move(moved);
            score = found;
        }
        return plane;
    }

    Vector random_plane(Stream& stream) const {
        Vector out(points_.d + 1);
        for (double& v : out) v = 2.0 * stream.uniform() - 1.0;
        return out;
    }

  private:
    double at(std::int64_t i, int j) const { return points_.x[i * points_.stride + j]; }

    void value(const Vector& plane, Vector& out) const {
        std::fill(out.begin(), out.end(), 0.0);
        for (std::size_t j = 0; j < plane.size(); ++j)
            for (std::int64_t i = 0; i < points_.n; ++i) out[i] += plane[j] * at(i, static_cast<int>(j));
    }

    Vector best_coefficient(const Vector& plane, double& top) {
        value(plane, values_);
        Vector best = plane, slope(points_.n);
        top = NO_SCORE;
        for (std::size_t index = 0; index < plane.size(); ++index) {
            for (std::int64_t i = 0; i < points_.n; ++i) {
                slope[i] = at(i, static_cast<int>(index));
                rest_[i] = values_[i] - plane[index] * slope[i];
            }
            double t = 0;
            const double score = best_step(rest_, slope, t);
            if (!scorer_.beats(score, top)) continue;
            best = plane;
            best[index] = t;
            top = score;
        }
        return best;
    }

    Vector random_jump(const Vector& plane, double score, Stream& stream, double& found) {
        value(plane, values_);
        Vector slope(points_.n);
        for (int jump = 0; jump < jumps_; ++jump) {
            const Vector along = random_plane(stream);
            value(along, slope);
            double step = 0;
            found = best_step(values_, slope, step);
            if (!scorer_.beats(found, score)) continue;
            Vector out = plane;
            for (std::size_t j = 0; j < out.size(); ++j) out[j] = plane[j] + step * along[j];
            return out;
        }
        found = NO_SCORE;
        return plane;
    }

    // The best t for the partition rest + t slope >= 0, and its score.
    double best_step(const Vector& rest, const Vector& slope, double& t) {
        check_stop();
        moving_.clear();
        turns_.resize(points_.n);
        right_.resize(points_.n);
        for (std::int64_t i = 0; i < points_.n; ++i) {
            // Before all turning points the rows with negative slope are in the right branch.
            right_[i] = slope[i] != 0 ? slope[i] < 0 : rest[i] >= 0;
            if (slope[i] == 0) continue;
            turns_[i] = -rest[i] / slope[i];
            moving_.push_back(static_cast<std::uint32_t>(i));
        }
        if (moving_.empty()) return NO_SCORE;
        std::sort(moving_.begin(), moving_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return turns_[a] != turns_[b] ? turns_[a] < turns_[b] : a < b;
        });
        joins_.clear();
        ends_.clear();
        for (std::size_t i = 0; i < moving_.size(); ++i) {
            joins_.push_back(slope[moving_[i]] > 0);
            if (i + 1 == moving_.size() || turns_[moving_[i + 1]] - turns_[moving_[i]] > 0)
                ends_.push_back(static_cast<std::uint32_t>(i));
        }
        std::size_t best = 0;
        const double score = scorer_.sweep(right_, moving_, joins_, ends_, best);
        if (score == NO_SCORE) return NO_SCORE;
        const auto turn = [&](std::size_t i) { return turns_[moving_[i]]; };
        if (best == 0)
            t = turn(0) - 1.0;
        else if (best == ends_.size())
            t = turn(moving_.size() - 1) + 1.0;
        else
            t = (turn(ends_[best - 1]) + turn(ends_[best - 1] + 1)) / 2;
        return score;
    }

    const Points& points_;
    SplitScorer& scorer_;
    int jumps_, stagnant_;
    Vector values_, rest_, turns_;
    std::vector<std::uint32_t> moving_, ends_;
    std::vector<std::uint8_t> right_, joins_;
};

}  // namespace

std::vector<Vector> oc1_directions(const ManyPlan& plan, const Points& points, SplitScorer& scorer) {
    Climb climb(points, scorer, static_cast<int>(plan.at("jumps")), static_cast<int>(plan.at("stagnant")));
    Stream stream = scorer.stream();
    std::vector<Vector> out;
    const auto add = [&](Vector plane) {
        out.push_back(climb.run(std::move(plane), stream));
        out.back().pop_back();
    };
    const auto index = std::find(points.columns.begin(), points.columns.end(), scorer.best_single.column);
    if (scorer.best_single.is_cut && index != points.columns.end()) {
        const auto j = index - points.columns.begin();
        Vector plane(points.d + 1, 0.0);
        plane[j] = 1.0;
        plane[points.d] = -(scorer.best_single.cut - points.mean[j]) / points.sd[j];
        add(std::move(plane));
    }
    for (int start = 0; start < static_cast<int>(plan.at("restarts")); ++start) add(climb.random_plane(stream));
    return out;
}

}  // namespace hornbeam
