#include "boosting/booster.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/cut_search.hpp"
#include "core/fixed.hpp"
#include "core/random.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t BLOCK = 4096;
constexpr int GROUP = -1;  // instead of a class: the group of a joint round

template <class Body>
void each_block(Team& team, std::int64_t n, const Body& body) {
    team.each((n + BLOCK - 1) / BLOCK, [&](std::int64_t b, int) { body(b * BLOCK, std::min(n, (b + 1) * BLOCK), b); });
}

std::vector<std::int64_t> integer_weights(const BoostRows& rows) {
    Target target;
    set_weights(target, rows.weights.empty() ? nullptr : rows.weights.data(), rows.n);
    return target.weights;
}

std::vector<std::int32_t> levels_of(const std::vector<SourceColumn>& columns) {
    std::vector<std::int32_t> out;
    for (const SourceColumn& column : columns) out.push_back(column.n_levels);
    return out;
}

}  // namespace

BinnedTable coded_by(const BinnedTable& table, const std::vector<SourceColumn>& columns, std::int64_t n_rows) {
    BinnedTable out;
    out.n_rows = n_rows;
    out.groups = table.groups;
    out.columns.resize(table.columns.size());
    for (std::size_t w = 0; w < table.words.size(); ++w) out.words.push_back(std::make_unique<std::uint32_t[]>(n_rows));
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const BinnedColumn& from = table.columns[c];
        BinnedColumn& to = out.columns[c];
        to.kind = from.kind;
        to.n_bins = from.n_bins;
        to.word = from.word;
        to.shift = from.shift;
        to.has_missing = true;
        if (from.word < 0) to.wide.resize(n_rows);
        std::vector<double> cuts;
        for (std::uint32_t code = 0; code + 1 < from.low.size(); ++code) cuts.push_back(cut_after(from, code));
        const CutSearch search(cuts);
        for (std::int64_t row = 0; row < n_rows; ++row) {
            const double x = columns[c].number(row);
            const std::uint32_t code = std::isnan(x)                ? from.n_bins
                                       : from.kind == Kind::nominal ? static_cast<std::uint32_t>(x)
                                                                    : static_cast<std::uint32_t>(search.below(x));
            if (from.word < 0)
                to.wide[row] = static_cast<std::uint16_t>(code);
            else
                out.words[to.word][row] |= code << to.shift;
        }
    }
    return out;
}

Booster::Booster(BoostSettings settings, BoostRows rows, BoostRows held_out, Stop& stop)
    : settings_(std::move(settings)),
      rows_(std::move(rows)),
      held_out_(std::move(held_out)),
      table_(binned_table(rows_.columns, rows_.n, integer_weights(rows_), settings_.bins, settings_.threads, stop)),
      test_(settings_.min_f, settings_.f_slope, rows_.weights, settings_.mean_weight),
      writer_{table_, levels_of(rows_.columns), settings_.rate},
      round_(settings_.first_round) {
    base_ = settings_.base.empty() ? base_scores(settings_.loss, settings_.q, training(), settings_.n_classes)
                                   : settings_.base;
    const auto started = [&](const BoostRows& of) {
        if (!of.scores.empty()) return of.scores;
        std::vector<double> out(of.n * outputs());
        for (int k = 0; k < outputs(); ++k) std::fill_n(out.begin() + k * of.n, of.n, base_[k]);
        return out;
    };
    scores_ = started(rows_);
    pairs_.resize(rows_.n);
    if (settings_.loss == Loss::softmax) {
        softmax_max_.resize(rows_.n);
        softmax_scale_.resize(rows_.n);
        softmax_ = {softmax_max_.data(), softmax_scale_.data()};
    }
    if (held_out_.n > 0) {
        held_out_table_ = coded_by(table_, held_out_.columns, held_out_.n);
        held_out_scores_ = started(held_out_);
    }
    sample_.resize(rows_.n);
}

Rows Booster::training() const {
    return {rows_.n, rows_.target.data(), rows_.weights.empty() ? nullptr : rows_.weights.data(), settings_.curvature};
}

Rows Booster::held_out() const {
    return {held_out_.n, held_out_.target.data(), held_out_.weights.empty() ? nullptr : held_out_.weights.data()};
}

Boosted Booster::run(std::int64_t rounds, Stop& stop) {
    Boosted out;
    Team::run(settings_.threads, stop, [&](Team& team) {
        GradientGrower grower(table_, settings_.regular, settings_.limits, test_, team);
        GradientGrower joint(table_, settings_.joint.regular, settings_.limits, test_, team);
        for (std::int64_t r = 0; r < rounds && !out.has_stopped; ++r) {
            round(settings_.joint.is_joint(round_) ? joint : grower, team, out);
            ++round_;
            ++out.rounds;
            out.has_stopped = check_early_stopping(team, out);
        }
    });
    return out;
}

void Booster::sample_rows() {
    unsampled_.clear();
    const auto count = std::max<std::int64_t>(1, static_cast<std::int64_t>(settings_.rows_per_tree * rows_.n));
    if (count >= rows_.n) {
        sampled_.resize(rows_.n);
        std::iota(sampled_.begin(), sampled_.end(), 0u);
        return;
    }
    Stream stream(key(settings_.limits.seed, Purpose::subsample, static_cast<std::uint64_t>(round_)));
    std::vector<bool> is_sampled(rows_.n, false);
    for (const std::int64_t row : stream.choose(rows_.n, count)) is_sampled[row] = true;
    sampled_.clear();
    for (std::int64_t row = 0; row < rows_.n; ++row)
        (is_sampled[row] ? sampled_ : unsampled_).push_back(static_cast<std::uint32_t>(row));
}

Units Booster::fill(int k, Team& team) {
    Rows rows = training();
    if (k == GROUP) rows.curvature = 1.0;
    const double* score = scores_.data() + std::max(k, 0) * rows_.n;
    std::vector<Bounds> of_block((rows_.n + BLOCK - 1) / BLOCK);
    each_block(team, rows_.n, [&](std::int64_t begin, std::int64_t end, std::int64_t b) {
        of_block[b] = bounds(settings_.loss, rows, score, begin, end);
    });
    Bounds maximum;
    for (const Bounds& b : of_block) maximum = {std::max(maximum.g, b.g), std::max(maximum.h, b.h)};
    const Units units = units_for(maximum.g, maximum.h, rows_.n);
    const PairWriter writer{rows, settings_.loss == Loss::softmax ? scores_.data() : score, units, pairs_.data()};
    std::vector<std::uint8_t> group;
    if (k == GROUP) group = settings_.joint.group(settings_.n_classes, settings_.limits.seed, round_);
    each_block(team, rows_.n, [&](std::int64_t begin, std::int64_t end, std::int64_t) {
        if (k == GROUP)
            writer.fill_group(group, softmax_, begin, end);
        else if (settings_.loss == Loss::softmax)
            writer.fill_class(k, softmax_, begin, end);
        else
            writer.fill({settings_.loss, settings_.q}, begin, end);
    });
    return units;
}

void Booster::round(GradientGrower& grower, Team& team, Boosted& out) {
    sample_rows();
    if (settings_.loss == Loss::softmax)
        each_block(team, rows_.n, [&](std::int64_t begin, std::int64_t end, std::int64_t) {
            prepare_softmax(scores_.data(), rows_.n, settings_.n_classes, begin, end, softmax_);
        });
    const auto first_tree = static_cast<std::uint64_t>(round_ * outputs());
    if (settings_.joint.is_joint(round_)) {
        const Units of_group = fill(GROUP, team);
        sample_ = sampled_;
        GradientTree tree = grower.grow(pairs_.data(), of_group, sample_, first_tree);
        GradientSearch search(table_, settings_.joint.regular);
        for (int k = 0; k < outputs(); ++k) {
            search.set_units(fill(k, team));
            team.each(static_cast<std::int64_t>(tree.nodes.size()), [&](std::int64_t at, int) {
                GradientNode& node = tree.nodes[at];
                const std::size_t n_rows = node.first_child < 0 ? static_cast<std::size_t>(node.rows()) : 0;
                node.sums = sum_of(pairs_.data(), {sample_.data() + node.begin, n_rows});
            });
            refit(tree, search, settings_.joint.regular);
            update(tree, k, team);
            writer_.write(tree, search.units(), out);
        }
        return;
    }
    for (int k = 0; k < outputs(); ++k) {
        const Units units = fill(k, team);
        sample_ = sampled_;
        GradientTree tree = grower.grow(pairs_.data(), units, sample_, first_tree + k);
        if (settings_.loss == Loss::absolute || settings_.loss == Loss::quantile)
            refit_leaves(tree, scores_.data() + k * rows_.n, team);
        if (settings_.loss == Loss::poisson) shorten_steps(tree);
        update(tree, k, team);
        writer_.write(tree, grower.search().units(), out);
    }
}

// Sets the value of each leaf to the quantile of the residuals of its rows.
void Booster::refit_leaves(GradientTree& tree, const double* score, Team& team) const {
    if (tree.nodes.size() == 1) return;
    const double q = settings_.loss == Loss::absolute ? 0.5 : settings_.q;
    const bool is_bound = !settings_.regular.monotone.empty();
    team.each(static_cast<std::int64_t>(tree.nodes.size()), [&](std::int64_t at, int) {
        GradientNode& node = tree.nodes[at];
        std::vector<std::pair<double, double>> residuals(node.rows());
        for (std::int32_t i = 0; i < node.rows(); ++i) {
            const std::uint32_t row = sample_[node.begin + i];
            residuals[i] = {rows_.target[row] - score[row], rows_.weights.empty() ? 1.0 : rows_.weights[row]};
        }
        node.value = weighted_quantile(residuals, q);
        if (is_bound) node.value = std::clamp(node.value, node.bound.low, node.bound.high);
    });
}

void Booster::update(const GradientTree& tree, int k, Team& team) {
    double* score = scores_.data() + k * rows_.n;
    const double rate = settings_.rate;
    team.each(static_cast<std::int64_t>(tree.nodes.size()), [&](std::int64_t at, int) {
        const GradientNode& node = tree.nodes[at];
        if (node.first_child >= 0) return;
        const double step = rate * node.value;
        for (std::int32_t i = node.begin; i < node.end; ++i) score[sample_[i]] += step;
    });
    const auto walk = [&](const BinnedTable& table, std::int64_t n, const std::uint32_t* of, double* to) {
        each_block(team, n, [&](std::int64_t begin, std::int64_t end, std::int64_t) {
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t row = of ? of[i] : i;
                to[row] += rate * tree.nodes[tree.leaf(table, row)].value;
            }
        });
    };
    walk(table_, static_cast<std::int64_t>(unsampled_.size()), unsampled_.data(), score);
    if (held_out_.n > 0) walk(held_out_table_, held_out_.n, nullptr, held_out_scores_.data() + k * held_out_.n);
}

double Booster::mean_loss(const Rows& rows, const std::vector<double>& scores, Team& team) const {
    std::vector<LimbSum> of_block((rows.n + BLOCK - 1) / BLOCK);
    std::vector<double> weight(of_block.size(), 0.0);
    each_block(team, rows.n, [&](std::int64_t begin, std::int64_t end, std::int64_t b) {
        add_losses({settings_.loss, settings_.q, settings_.n_classes}, rows, scores.data(), begin, end, of_block[b]);
        for (std::int64_t i = begin; i < end; ++i) weight[b] += rows.weights ? rows.weights[i] : 1.0;
    });
    LimbSum sum;
    for (const LimbSum& each : of_block) sum.add(each);
    return sum.value() / std::accumulate(weight.begin(), weight.end(), 0.0);
}

// Records the losses of a round; returns whether growth ends, by the loss of the held-out rows or, if there are none,
// of the training rows.
bool Booster::check_early_stopping(Team& team, Boosted& out) {
    const bool has_held_out = held_out_.n > 0, may_stop = settings_.early_stopping_rounds >= 0;
    if (settings_.record_loss || (may_stop && !has_held_out))
        out.training_loss.push_back(mean_loss(training(), scores_, team));
    if (has_held_out) out.held_out_loss.push_back(mean_loss(held_out(), held_out_scores_, team));
    if (!has_held_out && !may_stop) return false;
    const double loss = has_held_out ? out.held_out_loss.back() : out.training_loss.back();
    // A difference due to rounding is not an improvement.
    const double rounding = std::isfinite(best_) ? 1e-12 * std::fabs(best_) : 0.0;
    if (loss < best_ - settings_.min_improvement - rounding) {
        best_ = loss;
        since_best_ = 0;
    } else {
        ++since_best_;
    }
    return may_stop && since_best_ >= settings_.early_stopping_rounds;
}

}  // namespace hornbeam
