// Tests of boosting from pieces: the trees of the booster in memory, and sums that do not depend on their order.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "boosting/booster.hpp"
#include "core/limb_sum.hpp"
#include "core/random.hpp"
#include "pieces/boosted_piece.hpp"
#include "pieces/tree_from_sums.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

constexpr std::int64_t N = 1500;
constexpr std::uint32_t CODES = 12;

struct Data {
    std::vector<std::vector<std::uint8_t>> codes{3, std::vector<std::uint8_t>(N)};
    std::vector<std::vector<double>> values{3, std::vector<double>(N)};
    std::vector<double> target = std::vector<double>(N);
    std::vector<std::uint16_t> classes = std::vector<std::uint16_t>(N);
    Data() {
        for (std::int64_t row = 0; row < N; ++row) {
            double score = 0;
            for (int c = 0; c < 3; ++c) {
                const auto code = static_cast<std::uint8_t>(mix(static_cast<std::uint64_t>(3 * row + c)) % (CODES + 1));
                codes[c][row] = code;
                values[c][row] = code == CODES ? std::numeric_limits<double>::quiet_NaN() : code;
                score += std::sin(code * (c + 1.0));
            }
            classes[row] = score + std::sin(static_cast<double>(row)) > 0.3;
            target[row] = classes[row];
        }
    }
};

BoostSettings settings_of(double min_f) {
    BoostSettings out;
    out.loss = Loss::logistic;
    out.limits.stops.max_leaves = 9;
    out.limits.best_first = true;
    out.regular.min_rows = out.regular.min_weighted_rows = 5;
    out.regular.l2 = 1.0;
    out.min_f = min_f;
    out.threads = 1;
    return out;
}

Boosted in_memory(const Data& data, double min_f, std::vector<double>& base) {
    BoostRows rows;
    rows.n = N;
    rows.target = data.target;
    rows.columns.resize(3);
    for (int c = 0; c < 3; ++c) rows.columns[c].reals = data.values[c].data();
    Stop stop;
    Booster booster(settings_of(min_f), std::move(rows), {}, stop);
    base = booster.base();
    return booster.run(3, stop);
}

// A piece with its arrays.
struct Held {
    std::vector<double> scores;
    std::vector<std::uint32_t> rows;
    std::vector<Pair> pairs;
    std::unique_ptr<BoostedPiece> piece;
    Held(const Data& data, std::int64_t begin, std::int64_t end, const std::vector<double>& base)
        : scores(end - begin), rows(end - begin), pairs(end - begin) {
        PieceBoostSettings settings;
        settings.loss = Loss::logistic;
        settings.n_training = N;
        settings.n_codes = {CODES, CODES, CODES};
        BoostedRows own;
        own.n = end - begin;
        own.first_row = begin;
        for (int c = 0; c < 3; ++c) own.codes.push_back({data.codes[c].data() + begin, nullptr});
        own.classes = data.classes.data() + begin;
        own.scores = scores.data();
        own.rows = rows.data();
        own.pairs = pairs.data();
        piece = std::make_unique<BoostedPiece>(settings, own);
        piece->set_scores(base);
    }
};

CodedTree view(const CodedTreeArrays& of) {
    return {of.first_child, of.column, of.cut, of.missing, of.map_start, of.maps, of.step};
}

PieceColumns columns_of_pieces() {
    PieceColumns out;
    for (int c = 0; c < 3; ++c) {
        BinnedColumn column;
        column.n_bins = CODES;
        column.has_missing = true;
        for (std::uint32_t code = 0; code < CODES; ++code) column.low.push_back(code);
        column.high = column.low;
        out.table.columns.push_back(column);
        out.bin_of.emplace_back();
        for (std::uint32_t code = 0; code <= CODES; ++code) out.bin_of.back().push_back(code);
        out.n_levels.push_back(0);
    }
    return out;
}

void answer(TreeFromSums& tree, std::vector<Held>& pieces, const SumsRequest& request) {
    const CodedTreeArrays coded = tree.coded();
    if (request.wanted == SumsRequest::Wanted::moments) {
        std::vector<std::int64_t> moments(request.nodes.size() * BoostedPiece::MOMENTS, 0);
        for (Held& each : pieces) each.piece->add_moments(view(coded), request.nodes, moments.data());
        return tree.answer_moments(moments.data());
    }
    std::vector<std::int64_t> cells(request.nodes.size() * request.cells_per_node, 0);
    Sums root;
    for (Held& each : pieces) {
        each.piece->add_cells(view(coded), request.nodes, request.columns, cells.data());
        root = root + each.piece->root();
    }
    if (request.wanted == SumsRequest::Wanted::root)
        tree.answer_root(root, cells.data());
    else
        tree.answer_cells(cells.data());
}

Boosted from_pieces(const Data& data, double min_f, const std::vector<double>& base, const SumsLimits& limits) {
    std::vector<Held> pieces;
    for (const auto& [begin, end] : {std::pair<std::int64_t, std::int64_t>{0, 1}, {1, 900}, {900, N}})
        pieces.emplace_back(data, begin, end, base);
    TreeFromSums tree(settings_of(min_f), columns_of_pieces(), false, limits);
    Boosted out;
    for (std::uint64_t number = 0; number < 3; ++number) {
        const Units units = units_for(1.0, 0.25, N);
        tree.start(units, number, false);
        for (Held& each : pieces) each.piece->start_tree(units, 0, number);
        while (tree.next().wanted != SumsRequest::Wanted::nothing) answer(tree, pieces, tree.request());
        const CodedTreeArrays coded = tree.coded();
        // A piece that has lost its rows walks the tree.
        for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i].piece->apply(view(coded), 0, i != 1);
        tree.write(out);
    }
    return out;
}

}  // namespace

TEST("trees from pieces are those of memory, with any number of nodes per round and of sums that are held") {
    const Data data;
    for (const double min_f : {0.0, 6.0}) {
        std::vector<double> base;
        const Boosted expected = in_memory(data, min_f, base);
        CHECK(expected.grown.parent.size() > 9);
        for (const SumsLimits& limits : {SumsLimits{64, 64}, SumsLimits{1, 0}, SumsLimits{2, 1}}) {
            const Boosted found = from_pieces(data, min_f, base, limits);
            CHECK(found.grown.parent == expected.grown.parent);
            CHECK(found.grown.first_child == expected.grown.first_child);
            CHECK(found.grown.reason == expected.grown.reason);
            CHECK(found.grown.reals == expected.grown.reals);
            CHECK(found.grown.weight == expected.grown.weight);
            CHECK(found.grown.gain == expected.grown.gain);
            CHECK(found.grown.prediction == expected.grown.prediction);
        }
    }
}

TEST("a sum of limbs is rounded once and does not depend on the order") {
    const std::vector<double> numbers = {1e300, 1.0, -1e300, 0x1p-1074, 0.1, 1e-20, -0.1, 3e15, 0x1.8p52};
    LimbSum forwards, backwards;
    for (const double x : numbers) forwards.add(x);
    for (std::size_t i = numbers.size(); i-- > 0;) {
        LimbSum one;
        one.add(numbers[i]);
        backwards.add(one);
    }
    CHECK(forwards.value() == backwards.value());
    CHECK(forwards.value() == 9755399441055746.0);  // above half of the way between two doubles
    LimbSum little, below, infinite, other;
    for (const double x : {1.0, 0x1p-53, 0x1p-200}) little.add(x);
    CHECK(little.value() == std::nextafter(1.0, 2.0));
    for (const double x : {-1.0, 0x1p-60}) below.add(x);
    CHECK(below.value() == -1.0);
    below.add(1.0);
    CHECK(below.value() == 0x1p-60);
    infinite.add(std::numeric_limits<double>::infinity());
    CHECK(std::isinf(infinite.value()));
    other.add(std::numeric_limits<double>::quiet_NaN());
    CHECK(std::isnan(other.value()));
    CHECK(LimbSum().value() == 0.0);
}
