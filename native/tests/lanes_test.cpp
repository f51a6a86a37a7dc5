// Tests of the kernels that process many columns in parallel, against each column alone.
#include "ensembles/lanes.hpp"

#include <algorithm>
#include <vector>

#include "core/random.hpp"
#include "tests/test.hpp"

using namespace hornbeam;

namespace {

constexpr std::int32_t ROWS = 150, CLASSES = 3;
constexpr std::size_t STRIDE = 8 * LANES;  // more than fit in registers

struct Sample {
    std::vector<double> doubles;
    std::vector<float> singles;
    std::vector<std::uint32_t> rows;
    std::vector<std::int64_t> offset;
    std::vector<double> cut;
    std::vector<ClassRow> classes;
    std::vector<NumberRow> numbers;

    explicit Sample(int n_chunks) {
        Stream stream(key(7, Purpose::other, static_cast<std::uint64_t>(n_chunks)));
        for (std::size_t i = 0; i < ROWS * STRIDE; ++i) {
            singles.push_back(static_cast<float>(stream.uniform()));
            doubles.push_back(singles.back());
        }
        for (std::int32_t i = 0; i < ROWS; ++i) {
            rows.push_back(static_cast<std::uint32_t>(stream.below(ROWS)));
            const auto k = static_cast<std::int32_t>(stream.below(CLASSES)), weight = 1 + k;
            classes.push_back({k, weight});
            numbers.push_back({static_cast<std::int64_t>(stream.below(1000)) - 500, weight});
        }
        for (int j = 0; j < n_chunks; ++j) offset.push_back((n_chunks - 1 - j) * LANES);  // in any order
        for (int lane = 0; lane < n_chunks * LANES; ++lane) cut.push_back(stream.uniform());
    }
    double cell(std::int32_t i, std::size_t lane) const {
        return doubles[rows[i] * STRIDE + offset[lane / LANES] + lane % LANES];
    }
    template <class Cell>
    CellChunks<Cell> chunks(const std::vector<Cell>& cells) const {
        return {cells.data(), STRIDE, rows.data(), offset.data(), cut.data(), static_cast<int>(offset.size())};
    }
};

template <class Row>
std::vector<std::int64_t> below(const Sample& sample, const std::vector<Row>& data, std::size_t n_sums,
                                bool is_single) {
    const std::size_t lanes = sample.cut.size();
    std::vector<std::int64_t> out(lanes * n_sums * LaneSums::BANKS, 0);
    const LaneSums sums{out.data(), lanes, n_sums};
    if (is_single)
        sum_below(sample.chunks(sample.singles), data.data(), ROWS, sums);
    else
        sum_below(sample.chunks(sample.doubles), data.data(), ROWS, sums);
    return out;
}

}  // namespace

TEST("the ranges of many columns equal those of each column") {
    for (int n_chunks = 1; n_chunks <= 8; ++n_chunks) {
        const Sample sample(n_chunks);
        const std::size_t lanes = sample.cut.size();
        std::vector<double> low(lanes), high(lanes), low_single(lanes), high_single(lanes);
        ranges_of(sample.chunks(sample.doubles), ROWS, low.data(), high.data());
        ranges_of(sample.chunks(sample.singles), ROWS, low_single.data(), high_single.data());
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            double smallest = sample.cell(0, lane), largest = smallest;
            for (std::int32_t i = 0; i < ROWS; ++i) {
                smallest = std::min(smallest, sample.cell(i, lane));
                largest = std::max(largest, sample.cell(i, lane));
            }
            CHECK(low[lane] == smallest && high[lane] == largest);
            CHECK(low_single[lane] == smallest && high_single[lane] == largest);
        }
    }
}

TEST("the sums below many cuts equal those below each cut") {
    for (int n_chunks = 1; n_chunks <= 8; ++n_chunks)
        for (const bool is_single : {false, true}) {
            const Sample sample(n_chunks);
            const std::size_t lanes = sample.cut.size();
            const auto by_class = below(sample, sample.classes, CLASSES, is_single);
            const auto by_number = below(sample, sample.numbers, 2, is_single);
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                std::int64_t counts[CLASSES] = {}, sum = 0, weight = 0;
                for (std::int32_t i = 0; i < ROWS; ++i) {
                    if (sample.cell(i, lane) > sample.cut[lane]) continue;
                    counts[sample.classes[i].k] += sample.classes[i].weight;
                    sum += sample.numbers[i].number * sample.numbers[i].weight;
                    weight += sample.numbers[i].weight;
                }
                for (std::size_t k = 0; k < CLASSES; ++k) CHECK(by_class[k * lanes + lane] == counts[k]);
                CHECK(by_number[lane] == sum && by_number[lanes + lane] == weight);
            }
        }
}

TEST("rows without a bit are summed for every bit of a word") {
    const Sample sample(1);
    std::vector<std::uint64_t> words;
    Stream stream(key(9, Purpose::other));
    for (std::int32_t i = 0; i < ROWS; ++i) words.push_back(stream.next());
    std::vector<std::int64_t> shift(64), sums(64 * CLASSES * LaneSums::BANKS, 0);
    for (int bit = 0; bit < 64; ++bit) shift[bit] = bit;
    const BitChunks bits{words.data(), shift.data(), 64 / LANES};
    sum_below(bits, sample.classes.data(), ROWS, {sums.data(), 64, CLASSES});
    for (std::size_t bit = 0; bit < 64; ++bit) {
        std::int64_t counts[CLASSES] = {};
        for (std::int32_t i = 0; i < ROWS; ++i)
            if (!(words[i] >> bit & 1)) counts[sample.classes[i].k] += sample.classes[i].weight;
        for (std::size_t k = 0; k < CLASSES; ++k) CHECK(sums[k * 64 + bit] == counts[k]);
    }
}

TEST("columns that are not adjacent are gathered with their ranges") {
    const Sample sample(1);
    const double* doubles[LANES] = {sample.doubles.data() + 3, sample.doubles.data() + 9, sample.doubles.data(),
                                    sample.doubles.data() + 31};
    const float* singles[LANES] = {sample.singles.data() + 3, sample.singles.data() + 9, sample.singles.data(),
                                   sample.singles.data() + 31};
    for (const int width : {1, 2, LANES})
        for (const std::int32_t n : {1, 2, 5, ROWS - 1}) {
            std::vector<double> to(ROWS * LANES);
            std::vector<float> to_single(ROWS * LANES);
            double low[LANES], high[LANES], low_single[LANES], high_single[LANES];
            gather(ColumnCells<double>{doubles, width, STRIDE}, sample.rows.data(), n, to.data(), low, high);
            gather(ColumnCells<float>{singles, width, STRIDE}, sample.rows.data(), n, to_single.data(), low_single,
                   high_single);
            for (int lane = 0; lane < width; ++lane) {
                double smallest = 2.0, largest = -1.0;
                for (std::int32_t i = 0; i < n; ++i) {
                    const double cell = doubles[lane][sample.rows[i] * STRIDE];
                    CHECK(to[i * width + lane] == cell && to_single[i * width + lane] == cell);
                    smallest = std::min(smallest, cell);
                    largest = std::max(largest, cell);
                }
                CHECK(low[lane] == smallest && high[lane] == largest);
                CHECK(low_single[lane] == smallest && high_single[lane] == largest);
            }
        }
}

TEST("rows sorted by class are counted below every cut") {
    for (int n_chunks = 1; n_chunks <= 8; ++n_chunks) {
        const Sample sample(n_chunks);
        const std::size_t lanes = sample.cut.size();
        const std::int64_t counts[] = {61, 0, 5, 84};
        const ClassRuns runs{counts, 4};
        std::vector<std::int64_t> doubles(lanes * 4, -1), singles(lanes * 4, -1);
        sum_below(sample.chunks(sample.doubles), runs, ROWS, {doubles.data(), lanes, 4});
        sum_below(sample.chunks(sample.singles), runs, ROWS, {singles.data(), lanes, 4});
        for (std::size_t lane = 0; lane < lanes; ++lane)
            for (std::int32_t k = 0, i = 0; k < 4; ++k) {
                std::int64_t below = 0;
                for (const auto end = i + counts[k]; i < end; ++i) below += sample.cell(i, lane) <= sample.cut[lane];
                CHECK(doubles[k * lanes + lane] == below && singles[k * lanes + lane] == below);
            }
    }
}

TEST("one, two or four cells per row are counted below the cuts of their columns") {
    const Sample sample(1);
    // Cuts at cells, and slightly above and below them, where single precision could be wrong.
    for (const double off : {0.0, 1e-12, -1e-12})
        for (const int width : {1, 2, LANES}) {
            const std::int64_t counts[] = {7, 0, 64, 1, 30};
            std::int64_t doubles[5 * LANES], singles[5 * LANES];
            double cut[LANES];
            for (int j = 0; j < width; ++j) cut[j] = sample.doubles[40 + j] + off;
            sum_below(sample.doubles.data(), width, cut, {counts, 5}, {doubles, LANES, 5});
            sum_below(sample.singles.data(), width, cut, {counts, 5}, {singles, LANES, 5});
            for (int k = 0, i = 0; k < 5; ++k) {
                std::int64_t below[LANES] = {};
                for (const auto end = i + counts[k]; i < end; ++i)
                    for (int j = 0; j < width; ++j) below[j] += sample.doubles[i * width + j] <= cut[j];
                for (int j = 0; j < LANES; ++j)
                    CHECK(doubles[k * LANES + j] == below[j] && singles[k * LANES + j] == below[j]);
            }
        }
}
