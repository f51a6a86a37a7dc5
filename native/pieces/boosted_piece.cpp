#include "pieces/boosted_piece.hpp"

#include <algorithm>
#include <cmath>

#include "boosting/split_test.hpp"
#include "core/random.hpp"
#include "core/stop.hpp"

namespace hornbeam {
namespace {

constexpr std::int64_t SCORE_BLOCK = 4096;
constexpr int TRAINING = 0, HELD_OUT = 1, ALL = 2;

// Some rows with their targets, weights and scores as consecutive numbers.
struct ScoreBlock {
    std::int64_t n = 0;
    std::vector<double> target, weights, scores;  // scores by output, SCORE_BLOCK apart
    explicit ScoreBlock(int outputs) : target(SCORE_BLOCK), weights(SCORE_BLOCK), scores(SCORE_BLOCK * outputs) {}
    Rows view(const PieceBoostSettings& settings) const {
        return {SCORE_BLOCK, target.data(), settings.is_weighted ? weights.data() : nullptr, settings.curvature};
    }
};

// The targets and weights of a piece.
struct PieceTargets {
    const PieceBoostSettings& settings;
    const BoostedRows& rows;

    bool is_held_out(std::int64_t row) const {
        return settings.held_out.method != RowSample::Method::none && settings.held_out.times(rows.first_row + row) > 0;
    }
    double weight(std::int64_t row) const {
        if (!settings.is_weighted) return 1.0;
        const double given = rows.weights[row], step = settings.weight_step;
        return step > 0 ? std::max(std::nearbyint(given / step), 1.0) * step : given;
    }
    void take(ScoreBlock& block, std::int64_t begin, std::int64_t end, int part) const;
    template <class Fill>
    void fill(const Fill& fill) const;
};

void PieceTargets::take(ScoreBlock& block, std::int64_t begin, std::int64_t end, int part) const {
    std::int64_t n = 0;
    const int outputs = settings.outputs();
    for (std::int64_t row = begin; row < end; ++row) {
        if (part != ALL && is_held_out(row) != (part == HELD_OUT)) continue;
        block.target[n] = rows.classes ? rows.classes[row] : rows.numbers[row];
        if (settings.is_weighted) block.weights[n] = weight(row);
        for (int k = 0; k < outputs; ++k) block.scores[k * SCORE_BLOCK + n] = rows.scores[k * rows.n + row];
        ++n;
    }
    block.n = n;
}

// Calls fill(rows, first, count) for consecutive rows; the scores of the outputs of softmax are all rows apart.
template <class Fill>
void PieceTargets::fill(const Fill& fill) const {
    ScoreBlock block(1);
    for (std::int64_t begin = 0; begin < rows.n; begin += SCORE_BLOCK) {
        const std::int64_t n = std::min(rows.n - begin, SCORE_BLOCK);
        for (std::int64_t i = 0; i < n; ++i) {
            block.target[i] = rows.classes ? rows.classes[begin + i] : rows.numbers[begin + i];
            if (settings.is_weighted) block.weights[i] = weight(begin + i);
        }
        Rows view = block.view(settings);
        if (settings.loss == Loss::softmax) view.n = rows.n;
        fill(view, begin, n);
        check_stop(SCORE_BLOCK);
    }
}

std::int32_t end_of(const CodedTree& tree, const PieceTargets& piece, std::int64_t row) {
    std::int32_t at = 0;
    while (!tree.ends_at(at)) {
        const std::int32_t column = tree.column[at];
        at = tree.first_child[at] +
             static_cast<std::int32_t>(tree.branch(at, piece.rows.codes[column][row], piece.settings.n_codes[column]));
    }
    return at;
}

}  // namespace

BoostedPiece::BoostedPiece(PieceBoostSettings settings, BoostedRows rows)
    : settings_(std::move(settings)), rows_(std::move(rows)) {}

void BoostedPiece::set_scores(const std::vector<double>& base) {
    for (int k = 0; k < settings_.outputs(); ++k) std::fill_n(rows_.scores + k * rows_.n, rows_.n, base[k]);
}

void BoostedPiece::start_round() {
    if (settings_.loss == Loss::softmax)
        prepare_softmax(rows_.scores, rows_.n, settings_.n_classes, 0, rows_.n, rows_.softmax);
}

Bounds BoostedPiece::largest(int output) const {
    const PieceTargets targets{settings_, rows_};
    Bounds most;
    ScoreBlock block(settings_.outputs());
    for (std::int64_t begin = 0; begin < rows_.n; begin += SCORE_BLOCK) {
        targets.take(block, begin, std::min(rows_.n, begin + SCORE_BLOCK), TRAINING);
        const Bounds b =
            bounds(settings_.loss, block.view(settings_), block.scores.data() + output * SCORE_BLOCK, 0, block.n);
        most = {std::max(most.g, b.g), std::max(most.h, b.h)};
        check_stop(SCORE_BLOCK);
    }
    return most;
}

PieceLosses BoostedPiece::losses() const {
    const PieceTargets targets{settings_, rows_};
    PieceLosses out;
    ScoreBlock block(settings_.outputs());
    const bool has_held_out = settings_.held_out.method != RowSample::Method::none;
    for (std::int64_t begin = 0; begin < rows_.n; begin += SCORE_BLOCK)
        for (const int part : {TRAINING, HELD_OUT}) {
            if (part == HELD_OUT && !has_held_out) continue;
            targets.take(block, begin, std::min(rows_.n, begin + SCORE_BLOCK), part);
            LimbSum& sum = part == TRAINING ? out.training : out.held_out;
            double& all = part == TRAINING ? out.training_weight : out.held_out_weight;
            add_losses({settings_.loss, 0.5, settings_.n_classes}, block.view(settings_), block.scores.data(), 0,
                       block.n, sum);
            for (std::int64_t i = 0; i < block.n; ++i) all += settings_.is_weighted ? block.weights[i] : 1.0;
            check_stop(SCORE_BLOCK);
        }
    return out;
}

void BoostedPiece::draw_rows(std::uint64_t round) {
    const PieceTargets targets{settings_, rows_};
    RowSample drawn;
    if (settings_.rows_per_tree < 1.0) {
        drawn.method = RowSample::Method::part;
        drawn.fraction = settings_.rows_per_tree;
        drawn.key = key(settings_.seed, Purpose::subsample, round);
    }
    std::uint32_t *front = rows_.rows, *back = rows_.rows + rows_.n;
    for (std::int64_t row = 0; row < rows_.n; ++row) {
        const bool is_drawn = !targets.is_held_out(row) && drawn.times(rows_.first_row + row) > 0;
        *(is_drawn ? front++ : --back) = static_cast<std::uint32_t>(row);
    }
    node_rows_.start(rows_.rows, static_cast<std::int32_t>(front - rows_.rows));
}

void BoostedPiece::start_tree(const Units& units, int output, std::uint64_t round) {
    draw_rows(round);
    refill(units, output);
}

void BoostedPiece::start_joint(const Units& units, const std::vector<std::uint8_t>& group, std::uint64_t round) {
    if (std::ssize(group) != settings_.n_classes)
        throw std::invalid_argument("The group has another number of classes.");
    draw_rows(round);
    PieceTargets{settings_, rows_}.fill([&](const Rows& rows, std::int64_t begin, std::int64_t n) {
        PairWriter{rows, rows_.scores + begin, units, rows_.pairs + begin}.fill_group(group, rows_.softmax.from(begin),
                                                                                      0, n);
    });
}

void BoostedPiece::refill(const Units& units, int output) {
    PieceTargets{settings_, rows_}.fill([&](const Rows& rows, std::int64_t begin, std::int64_t n) {
        const PairWriter writer{rows, rows_.scores + begin, units, rows_.pairs + begin};
        if (settings_.loss == Loss::softmax)
            writer.fill_class(output, rows_.softmax.from(begin), 0, n);
        else
            writer.fill({settings_.loss, 0.5}, 0, n);
    });
}

void BoostedPiece::add_sums(const CodedTree& tree, std::span<const std::int32_t> nodes, std::int64_t* sums) {
    node_rows_.divide(tree, rows_.codes, settings_.n_codes);
    for (const std::int32_t node : nodes) {
        const std::span<const std::uint32_t> rows = node_rows_.rows_of(node);
        const Sums found = sum_of(rows_.pairs, rows);
        *sums++ += found.g;
        *sums++ += found.hc;
        check_stop(std::ssize(rows));
    }
}

Sums BoostedPiece::root() const { return sum_of(rows_.pairs, node_rows_.rows()); }

void BoostedPiece::apply(const CodedTree& tree, int output, bool is_current) {
    const PieceTargets targets{settings_, rows_};
    double* score = rows_.scores + output * rows_.n;
    std::int64_t done = 0;
    if (is_current) {
        node_rows_.divide(tree, rows_.codes, settings_.n_codes);
        for (const std::int32_t at : node_rows_.ends(tree)) {
            const double step = tree.step[at];
            for (const std::uint32_t row : node_rows_.rows_of(at)) score[row] += step;
        }
        done = std::ssize(node_rows_.rows());
    }
    for (std::int64_t i = done; i < rows_.n; ++i) {
        const std::int64_t row = is_current ? rows_.rows[i] : i;
        score[row] += tree.step[end_of(tree, targets, row)];
        if ((i & (SCORE_BLOCK - 1)) == 0) check_stop(SCORE_BLOCK);
    }
}

namespace {

// The limbs of a sum of squares, 32 bits each.
void add_limbs(Wide sum, std::int64_t* to) {
    for (int i = 0; i + 1 < BoostedPiece::SQUARE_LIMBS; ++i) {
        const Wide high = sum >> 32;
        to[i] += static_cast<std::int64_t>(sum - (high << 32));
        sum = high;
    }
    to[BoostedPiece::SQUARE_LIMBS - 1] += static_cast<std::int64_t>(sum);
}

}  // namespace

void BoostedPiece::add_moments(const CodedTree& tree, std::span<const std::int32_t> nodes, std::int64_t* moments) {
    const PieceTargets targets{settings_, rows_};
    node_rows_.divide(tree, rows_.codes, settings_.n_codes);
    const double mean = settings_.mean_weight, largest = largest_square(settings_.n_training);
    for (std::size_t place = 0; place < nodes.size(); ++place) {
        const std::span<const std::uint32_t> rows = node_rows_.rows_of(nodes[place]);
        TestMoments found;
        for (const std::uint32_t row : rows) {
            const std::int64_t g = rows_.pairs[row].first;
            const double w = targets.weight(row);
            if (settings_.is_weighted)
                found.add(g, weight_in_test(w, mean), inverse_in_test(w, mean), largest);
            else
                found.add(g);
        }
        std::int64_t* to = moments + place * MOMENTS;
        add_limbs(found.squares, to);
        to[SQUARE_LIMBS] += found.count;
        check_stop(std::ssize(rows));
    }
}

}  // namespace hornbeam
