#include "growing/node_scorer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "core/midpoint.hpp"
#include "core/weight_limits.hpp"

namespace hornbeam {
namespace {

constexpr double SAME = 1e-10;    // numbers closer than this share of their range differ by rounding alone
constexpr double DEAREST = 20.0;  // what a row of a class costs that a branch lacks

std::uint64_t ordered_bits(double x) {
    if (x == 0.0) x = 0.0;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    return (bits >> 63) ? ~bits : bits | (std::uint64_t{1} << 63);
}

double from_bits(std::uint64_t key) {
    return std::bit_cast<double>((key >> 63) ? key & ~(std::uint64_t{1} << 63) : ~key);
}

}  // namespace

NodeScorer::NodeScorer(const Plan& plan, const RowTable& cells, const Scoring& scoring, Open& node, Scratch& scratch)
    : SplitScorer(scratch.scorer),
      plan_(plan),
      cells_(cells),
      scoring_(scoring),
      node_(node),
      block_(*node.block),
      scratch_(scratch),
      n_(node.rows()),
      rows_(scratch.scorer.rows),
      items_(scratch.scorer.items),
      spare_(scratch.scorer.spare),
      list_(scratch.scorer.list),
      ascending_(scratch.scorer.ascending) {
    n_classes = plan.target.n_classes;
    width_ = scoring.width();
    rows_.resize(n_);
    for (std::int64_t i = 0; i < n_; ++i) rows_[i] = block_.row_of[block_.order[node.begin + i]];
    if (n_classes > 0) {
        classes.resize(n_);
        for (std::int64_t i = 0; i < n_; ++i) classes[i] = block_.classes[block_.order[node.begin + i]];
    }
    whole_ = empty();
    for (std::int64_t i = 0; i < n_; ++i) add(whole_, i, 1);
}

std::int64_t NodeScorer::weight_of(std::int64_t position) const {
    return block_.weights.empty() ? 1 : block_.weights[block_.order[node_.begin + position]];
}

void NodeScorer::add(Side& side, std::int64_t position, std::int64_t sign) const {
    const std::int64_t w = weight_of(position);
    side.rows += sign;
    side.weight += sign * w;
    const std::uint32_t row = block_.order[node_.begin + position];
    std::visit([&](const auto& statistic) { statistic.add(block_.targets(), row, side.stats.data(), sign); },
               scoring_.statistic);
}

void NodeScorer::set_row_weights(Vector& out) const {
    out.assign(n_, 1.0);
    if (block_.weights.empty() && plan_.target.class_scale.empty()) return;
    for (std::int64_t i = 0; i < n_; ++i)
        out[i] = static_cast<double>(weight_of(i)) * scoring_.factor[n_classes > 0 ? classes[i] : 0];
}

bool NodeScorer::admits(const Side& side, const Side& whole) const {
    const Least least = scoring_.least(whole.weight, true);
    return side.rows >= least.rows && whole.rows - side.rows >= least.rows && side.weight >= least.weight &&
           whole.weight - side.weight >= least.weight;
}

SplitStats NodeScorer::two_sides(const std::int64_t* side, const std::int64_t* whole, double* parent, double* sides,
                                 double unknown) const {
    std::vector<std::int64_t> other(whole, whole + width_);
    for (int k = 0; k < width_; ++k) other[k] -= side[k];
    std::fill_n(parent, width_, 0.0);
    std::fill_n(sides, 2 * width_, 0.0);
    scoring_.add_stats(whole, whole, parent);
    scoring_.add_stats(side, whole, sides);
    scoring_.add_stats(other.data(), whole, sides + width_);
    SplitStats out{parent, sides, 2, width_, unknown};
    if (n_classes == 0) out.mean = scoring_.mean_target(Center{whole[0], whole[1]});
    return out;
}

double NodeScorer::score_of(const Side& side, const Side& whole, double unknown) const {
    std::vector<double> parent(width_), sides(2 * width_);
    const SplitStats split = two_sides(side.stats.data(), whole.stats.data(), parent.data(), sides.data(), unknown);
    const double score = scoring_.criterion->score(split);
    if (scoring_.is_ratio || unknown == 0) return score;
    const double known = n_classes > 0 ? total(parent.data(), width_) : parent[0];
    return score * (known / (known + unknown));
}

bool NodeScorer::rank(const Vector& numbers, bool is_exact) {
    constexpr int BITS = 11, DIGITS = 6;
    constexpr std::uint32_t BUCKETS = 1u << BITS;
    constexpr std::size_t FEW = 2048;
    items_.clear();
    for (std::int64_t i = 0; i < n_; ++i)
        if (!std::isnan(numbers[i])) items_.push_back({ordered_bits(numbers[i]), static_cast<std::uint32_t>(i)});
    const std::size_t n = items_.size();
    if (n < 2) return false;
    if (n <= FEW) {
        std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
            return a.key != b.key ? a.key < b.key : a.position < b.position;
        });
    } else {
        std::vector<std::array<std::uint32_t, BUCKETS>> counts(DIGITS);
        for (const Item& item : items_)
            for (int d = 0; d < DIGITS; ++d) ++counts[d][(item.key >> (d * BITS)) & (BUCKETS - 1)];
        spare_.resize(n);
        for (int d = 0; d < DIGITS; ++d) {
            auto& count = counts[d];
            if (count[(items_[0].key >> (d * BITS)) & (BUCKETS - 1)] == n) continue;
            std::uint32_t at = 0;
            for (auto& c : count) at += std::exchange(c, at);
            for (const Item& item : items_) spare_[count[(item.key >> (d * BITS)) & (BUCKETS - 1)]++] = item;
            std::swap(items_, spare_);
        }
    }
    ascending_.resize(n);
    for (std::size_t i = 0; i < n; ++i) ascending_[i] = from_bits(items_[i].key);
    if (!std::isfinite(ascending_.front()) || !std::isfinite(ascending_.back())) return false;
    const double gap = is_exact ? 0.0 : SAME * (ascending_.back() - ascending_.front());
    list_.resize(n);
    std::uint64_t block = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) block += ascending_[i] - ascending_[i - 1] > gap;
        list_[i] = block << 32 | block_.order[node_.begin + items_[i].position];
    }
    return block > 0;
}

double NodeScorer::between(std::int64_t below) const { return midpoint(ascending_[below - 1], ascending_[below]); }

bool NodeScorer::cut(const Vector& numbers, double& score, double& at) {
    if (!rank(numbers, false) || list_.size() < static_cast<std::size_t>(n_)) return false;
    const Cut found = best_cut_of_list(scoring_, block_, list_.data(), static_cast<std::int32_t>(n_),
                                       {node_.totals, 0.0, tolerance(), -1}, scratch_);
    if (found.at < 0) return false;
    score = found.score;
    at = between(found.at);
    return true;
}

bool NodeScorer::median(const Vector& numbers, bool is_exact, double& at) {
    if (!rank(numbers, is_exact)) return false;
    std::int64_t all = 0, held = 0;
    for (const Item& item : items_) all += weight_of(item.position);
    std::size_t i = 0, last_gap = 0;
    // The block that holds the lower median, or the last but one.
    for (; i < items_.size(); ++i) {
        held += weight_of(items_[i].position);
        const bool is_end = i + 1 < items_.size() && list_[i] >> 32 != list_[i + 1] >> 32;
        if (!is_end) continue;
        last_gap = i + 1;
        if (reaches_half(held, all)) break;
    }
    at = between(static_cast<std::int64_t>(last_gap));
    return true;
}

bool NodeScorer::score(const RowSides& sides, double& out) {
    Side left = empty(), known = empty();
    for (std::int64_t i = 0; i < n_; ++i) {
        if (sides[i] < 0) continue;
        add(known, i, 1);
        if (sides[i] == 0) add(left, i, 1);
    }
    if (left.rows == 0 || left.rows == known.rows || !admits(left, known)) return false;
    out = score_of(left, known, mass_without(known));
    return true;
}

double NodeScorer::sweep(const std::vector<std::uint8_t>& right, const std::vector<std::uint32_t>& turning,
                         const std::vector<std::uint8_t>& joins, const std::vector<std::uint32_t>& ends,
                         std::size_t& best) {
    Side side = empty();
    for (std::int64_t i = 0; i < n_; ++i)
        if (right[i]) add(side, i, 1);
    double top = -std::numeric_limits<double>::infinity();
    bool is_found = false;
    const auto look = [&](std::size_t moment) {
        if (side.rows == 0 || side.rows == whole_.rows || !admits(side, whole_)) return;
        const double score = score_of(side, whole_, 0.0);
        if (is_found && !beats(score, top)) return;
        top = score;
        best = moment;
        is_found = true;
    };
    look(0);
    std::size_t next = 0;
    for (std::size_t e = 0; e < ends.size(); ++e) {
        for (; next <= ends[e]; ++next) add(side, turning[next], joins[next] ? 1 : -1);
        look(e + 1);
    }
    return top;
}

void NodeScorer::wanted_sides(const RowSides& sides, Vector& signs, Vector& weights) {
    Side side[2] = {empty(), empty()};
    for (std::int64_t i = 0; i < n_; ++i)
        if (sides[i] >= 0) add(side[sides[i]], i, 1);
    const std::int64_t* node = whole_.stats.data();
    std::vector<double> centre[2];
    for (int s = 0; s < 2; ++s) {
        centre[s].assign(width_, 0.0);
        scoring_.add_stats(side[s].stats.data(), node, centre[s].data());
    }
    const Criterion& criterion = *scoring_.criterion;
    signs.resize(n_);
    set_row_weights(weights);
    std::vector<double> of_class;
    for (int k = 0; k < n_classes; ++k) {
        std::vector<double> one(width_, 0.0);
        one[k] = 1.0;
        const double here = criterion.divergence(one.data(), centre[0].data(), width_, false);
        const double there = criterion.divergence(one.data(), centre[1].data(), width_, false);
        of_class.push_back(std::min(here, DEAREST) - std::min(there, DEAREST));
    }
    for (std::int64_t i = 0; i < n_; ++i) {
        double less = 0;
        if (n_classes > 0) {
            less = of_class[classes[i]];
        } else {
            Side row = empty();
            add(row, i, 1);
            std::vector<double> one(width_, 0.0);
            scoring_.add_stats(row.stats.data(), node, one.data());
            less = criterion.divergence(one.data(), centre[0].data(), width_, true) -
                   criterion.divergence(one.data(), centre[1].data(), width_, true);
        }
        signs[i] = less > 0 ? 1.0 : -1.0;
        weights[i] *= std::abs(less);
    }
}

// What the fits look at of the best question about one column: its branches, and its cut if it cuts a number.
void NodeScorer::look_at(const Candidate* found, double found_cut) {
    rival = Rival();
    if (!found || found->n_branches != 2) return;
    rival.is_there = true;
    const SourceColumn& column = plan_.columns[found->column];
    const bool is_map = found->type == Candidate::Type::map;
    rival.branch.resize(n_);
    for (std::int64_t i = 0; i < n_; ++i) {
        const std::uint32_t row = rows_[i];
        int side = -1;
        if (found->type == Candidate::Type::missing)
            side = !(column.codes ? column.codes[row] < 0 : std::isnan(column.reals[row]));
        else if (column.codes)
            side = column.codes[row] < 0 ? -1
                   : is_map              ? found->groups->branch_of[column.codes[row]]
                                         : column.codes[row] > found_cut;
        else if (!std::isnan(column.reals[row]))
            side = column.reals[row] > found_cut;
        rival.branch[i] = static_cast<std::int8_t>(side);
    }
    rival.is_cut = found->type == Candidate::Type::cut;
    rival.column = found->column;
    rival.cut = found_cut;
}

void NodeScorer::add_best(const std::vector<std::int32_t>& columns, const Candidate* found_rival, double rival_cut,
                          std::vector<Candidate>& found) {
    const auto is_joined = [](const ManyPlan& each) { return each.name == "conjunctions"; };
    const auto is_tried = [&](const ManyPlan& each) { return each.reaches(node_.depth); };
    if (std::none_of(plan_.many.begin(), plan_.many.end(), is_tried)) return;
    Points& points = scratch_.points;
    if (!std::all_of(plan_.many.begin(), plan_.many.end(), is_joined)) {
        set_row_weights(points.weights);
        fill_points(cells_, columns, rows_, points);
    }
    const bool looks = n_classes > 4 || std::any_of(plan_.many.begin(), plan_.many.end(), [](const ManyPlan& each) {
                           return each.name == "chou_plane" || each.name == "oc1_plane";
                       });
    if (looks) look_at(found_rival, rival_cut);
    for (const ManyPlan& search : plan_.many) {
        if (!is_tried(search)) continue;
        auto question = std::make_shared<ManyQuestion>(
            is_joined(search) ? conjunction(search, found) : best_of_many(search, points, cells_, rows_, *this));
        if (question->kind == ManyQuestion::Kind::none) continue;
        Candidate out;
        out.type = Candidate::Type::many;
        out.score = out.gain = question->score;
        write_gain(*question, out);
        out.many = std::move(question);
        found.push_back(std::move(out));
    }
}

// The decrease in impurity where the score is something else.
void NodeScorer::write_gain(const ManyQuestion& question, Candidate& out) {
    if (scoring_.criterion->is_impurity() || n_classes == 0) return;
    Side left = empty(), known = empty();
    RowSides branch;
    question.branches(cells_, rows_, branch);
    for (std::int64_t i = 0; i < n_; ++i) {
        if (branch[i] < 0) continue;
        add(known, i, 1);
        if (branch[i] == 0) add(left, i, 1);
    }
    std::vector<double> parent(width_), sides(2 * width_);
    for (int k = 0; k < width_; ++k) {
        parent[k] = static_cast<double>(known.stats[k]) * scoring_.factor[k];
        sides[k] = static_cast<double>(left.stats[k]) * scoring_.factor[k];
        sides[width_ + k] = parent[k] - sides[k];
    }
    const double share = total(parent.data(), width_) / scoring_.mass(node_.totals);
    out.gain = scoring_.criterion->decrease({parent.data(), sides.data(), 2, width_}) * share;
}

}  // namespace hornbeam
