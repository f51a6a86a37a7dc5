// Tests of the sums of a piece.
#include "pieces/add_piece.hpp"

#include <vector>

#include "core/random.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

// A tree of one split by the first of three columns, missing values to the right; both children are added up.
struct Example {
    std::vector<std::int32_t> first_child = {1, -1, -1}, first_question = {0, 1, 1, 1}, question_column = {0};
    std::vector<std::int16_t> otherwise = {-1, -1, -1}, maps = {0, 0, 1, 1, 1};
    std::vector<std::int64_t> question_map = {0};
    std::vector<std::int32_t> slot = {-1, 0, 1}, total = {-1, 0, 1}, columns = {0, 1, 2};
    std::vector<std::uint32_t> n_codes = {4, 255, 700};
    std::vector<std::uint8_t> a, b;
    std::vector<std::uint16_t> c, classes;
    std::vector<double> numbers, weights;
    std::vector<std::int32_t> nodes;

    explicit Example(std::size_t n) {
        Stream stream(key(3, Purpose::other));
        for (std::size_t i = 0; i < n; ++i) {
            a.push_back(static_cast<std::uint8_t>(stream.below(5)));
            b.push_back(static_cast<std::uint8_t>(stream.below(256)));
            c.push_back(static_cast<std::uint16_t>(stream.below(701)));
            classes.push_back(static_cast<std::uint16_t>(stream.below(2)));
            numbers.push_back(static_cast<double>(stream.below(1000)) / 8);
            weights.push_back(1.0 + static_cast<double>(stream.below(4)));
        }
        nodes.assign(n, 0);
    }
    PieceRequest request(int n_classes, bool is_weighted) const {
        PieceRequest out;
        out.first_child = first_child;
        out.first_question = first_question;
        out.question_column = question_column;
        out.otherwise = otherwise;
        out.maps = maps;
        out.question_map = question_map;
        out.slot = slot;
        out.total = total;
        out.columns = columns;
        out.n_codes = n_codes;
        out.n_slots = out.n_totals = 2;
        out.shape = {n_classes, is_weighted};
        out.units.unit = 0.125;
        return out;
    }
    PieceRows rows(int n_classes, std::size_t begin, std::size_t end) {
        PieceRows out;
        out.n_rows = static_cast<std::int64_t>(end - begin);
        out.codes = {{a.data() + begin, nullptr}, {b.data() + begin, nullptr}, {nullptr, c.data() + begin}};
        if (n_classes > 0) out.classes = classes.data() + begin;
        if (n_classes == 0) out.numbers = numbers.data() + begin;
        out.weights = weights.data() + begin;
        out.node = nodes.data() + begin;
        return out;
    }
};

std::vector<std::int64_t> added_one_by_one(const Example& example, const PieceRequest& request) {
    const CellShape& shape = request.shape;
    const std::size_t width = shape.width();
    std::vector<std::int64_t> out(2 * static_cast<std::size_t>(slot_size(request)), 0);
    for (std::size_t i = 0; i < example.a.size(); ++i) {
        const std::size_t slot = example.a[i] > 1;
        std::size_t start = slot * static_cast<std::size_t>(slot_size(request));
        const std::uint32_t codes[3] = {example.a[i], example.b[i], example.c[i]};
        const auto weight = static_cast<std::int64_t>(shape.is_weighted ? example.weights[i] : 1.0);
        for (int column = 0; column < 3; ++column) {
            std::int64_t* cell = out.data() + start + codes[column] * width;
            if (shape.n_classes > 0) cell[example.classes[i]] += weight;
            if (shape.n_classes == 0) cell[0] += weight;
            if (shape.n_classes == 0) cell[1] += static_cast<std::int64_t>(example.numbers[i] * 8) * weight;
            if (shape.is_weighted) ++cell[width - 1];
            start += (request.n_codes[column] + 1) * width;
        }
    }
    return out;
}

PieceSums sums_of(const PieceRequest& request, const PieceRows& rows) {
    PieceAdder adder(request);
    adder.add(rows);
    return adder.sums();
}

}  // namespace

TEST("a piece adds up to the sums of its rows, whatever the target and the width of codes") {
    Example example(20'000);
    for (const int n_classes : {0, 2, 3})
        for (const bool is_weighted : {false, true}) {
            const PieceRequest request = example.request(n_classes, is_weighted);
            std::fill(example.nodes.begin(), example.nodes.end(), 0);
            const PieceSums sums = sums_of(request, example.rows(n_classes, 0, 20'000));
            CHECK(sums.cells == added_one_by_one(example, request));
            for (std::size_t i = 0; i < example.nodes.size(); ++i) CHECK(example.nodes[i] == 1 + (example.a[i] > 1));
        }
}

TEST("the sums of two pieces are those of the whole, and rows may start at their nodes") {
    Example example(9'000);
    const PieceRequest request = example.request(0, true);
    const PieceSums whole = sums_of(request, example.rows(0, 0, 9'000));
    const PieceSums first = sums_of(request, example.rows(0, 0, 1'234));
    const PieceSums second = sums_of(request, example.rows(0, 1'234, 9'000));
    for (std::size_t i = 0; i < whole.cells.size(); ++i) CHECK(whole.cells[i] == first.cells[i] + second.cells[i]);
    for (std::size_t i = 0; i < whole.totals.size(); ++i) CHECK(whole.totals[i] == first.totals[i] + second.totals[i]);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(whole.low[i] == std::min(first.low[i], second.low[i]));
        CHECK(whole.high[i] == std::max(first.high[i], second.high[i]));
    }
}

TEST("pieces may be added to the same sums") {
    Example example(9'000);
    for (const int n_classes : {0, 2, 3})
        for (const bool is_weighted : {false, true}) {
            const PieceRequest request = example.request(n_classes, is_weighted);
            const PieceSums whole = sums_of(request, example.rows(n_classes, 0, 9'000));
            PieceAdder adder(request);
            adder.add(example.rows(n_classes, 0, 1'234));
            adder.sums();
            adder.add(example.rows(n_classes, 1'234, 9'000));
            const PieceSums both = adder.sums();
            CHECK(both.cells == whole.cells);
            CHECK(both.totals == whole.totals);
            CHECK(both.low == whole.low);
            CHECK(both.high == whole.high);
        }
}

TEST("a piece without rows adds nothing") {
    Example example(0);
    const PieceSums sums = sums_of(example.request(2, false), example.rows(2, 0, 0));
    for (const std::int64_t sum : sums.cells) CHECK(sum == 0);
}
