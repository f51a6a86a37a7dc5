#include "binned/histogram.hpp"

#include "searches/cut.hpp"

namespace hornbeam {

CellPlan::CellPlan(const BinnedTable& table, int cells) : width(cells) {
    for (const BinnedColumn& column : table.columns) {
        start.push_back(size);
        // A byte can be any code up to 255; with cells for all of them the kernels need no checks.
        const std::size_t codes = column.is_wide() ? column.n_bins + 1 : MAX_NARROW_BINS + 1;
        size += codes * static_cast<std::size_t>(width);
    }
}

namespace {

// One adder per kind of cell: adds a row to a cell.
template <int Sign>
struct AddTwoClasses {
    const std::uint8_t* classes;
    std::int64_t step = 0;
    explicit AddTwoClasses(const CellSource& s) : classes(s.two_classes) {}
    void read_target(std::uint32_t row) { step = Sign * (1 + (static_cast<std::int64_t>(classes[row]) << 32)); }
    void add(std::int64_t* cells, std::uint32_t code) const { cells[code] += step; }
};

template <int Sign>
struct AddClasses {
    const std::uint16_t* classes;
    int width;
    std::size_t k;
    explicit AddClasses(const CellSource& s) : classes(s.classes), width(s.n_classes) {}
    void read_target(std::uint32_t row) { k = classes[row]; }
    void add(std::int64_t* cells, std::uint32_t code) const {
        cells[code * static_cast<std::size_t>(width) + k] += Sign;
    }
};

template <int Sign>
struct AddNumbers {
    const std::int64_t* sums;
    TwoSums step;
    explicit AddNumbers(const CellSource& s) : sums(s.sums) {}
    void read_target(std::uint32_t row) { step = TwoSums{Sign * sums[row], Sign}; }
    void add(std::int64_t* cells, std::uint32_t code) const { add_two(cells, code, step); }
};

template <int Sign>
struct AddPairs {
    const Pair* pairs;
    TwoSums step;
    explicit AddPairs(const CellSource& s) : pairs(s.pairs) {}
    void read_target(std::uint32_t row) {
        load_lanes(step, pairs + row);
        if constexpr (Sign < 0) step = -step;
    }
    void add(std::int64_t* cells, std::uint32_t code) const { add_two(cells, code, step); }
};

template <int Sign>
struct AddWeightedClasses {
    const std::uint16_t* classes;
    const std::int64_t* weights;
    std::size_t last, k = 0;
    std::int64_t weight = 0;
    explicit AddWeightedClasses(const CellSource& s) : classes(s.classes), weights(s.weights), last(s.n_classes) {}
    void read_target(std::uint32_t row) {
        k = classes[row];
        weight = Sign * weights[row];
    }
    void add(std::int64_t* cells, std::uint32_t code) const {
        std::int64_t* cell = cells + code * (last + 1);
        cell[k] += weight;
        cell[last] += Sign;
    }
};

template <int Sign>
struct AddWeightedNumbers {
    const std::int64_t *sums, *weights;
    std::int64_t sum = 0, weight = 0;
    explicit AddWeightedNumbers(const CellSource& s) : sums(s.sums), weights(s.weights) {}
    void read_target(std::uint32_t row) {
        sum = Sign * sums[row];
        weight = Sign * weights[row];
    }
    void add(std::int64_t* cells, std::uint32_t code) const {
        std::int64_t* cell = cells + code * std::size_t{3};
        cell[0] += sum;
        cell[1] += weight;
        cell[2] += Sign;
    }
};

// The cell of any statistic, followed by the number of rows.
template <class S>
struct AddCells {
    const S& statistic;
    RowTargets targets;
    std::size_t width;
    std::int64_t sign;
    std::uint32_t row = 0;
    AddCells(const S& from, const CellSource& s, int plus_or_minus)
        : statistic(from),
          targets{s.classes, s.sums, s.weights},
          width(static_cast<std::size_t>(from.width())),
          sign(plus_or_minus) {}
    void read_target(std::uint32_t at) { row = at; }
    void add(std::int64_t* cells, std::uint32_t code) const {
        std::int64_t* cell = cells + code * (width + 1);
        statistic.add(targets, row, cell, sign);
        cell[width] += sign;
    }
};

constexpr std::int64_t PREFETCH_ROWS = 24;  // prefetch distance in rows: the rows of a node are scattered in memory

template <int Columns, class Adder>
void add_columns(Adder adder, const std::uint32_t* words, const std::uint32_t* rows, std::int64_t n,
                 std::int64_t* const* cells) {
    std::int64_t *a = cells[0], *b = cells[1], *c = cells[2], *d = cells[3];
    const auto add_row = [&](std::int64_t i) {
        const std::uint32_t row = rows[i];
        const std::uint32_t word = words[row];
        adder.read_target(row);
        adder.add(a, word & 0xFF);
        if constexpr (Columns > 1) adder.add(b, word >> 8 & 0xFF);
        if constexpr (Columns > 2) adder.add(c, word >> 16 & 0xFF);
        if constexpr (Columns > 3) adder.add(d, word >> 24);
    };
    std::int64_t i = 0;
    for (; i + PREFETCH_ROWS < n; ++i) {
        prefetch(words + rows[i + PREFETCH_ROWS]);
        add_row(i);
    }
    for (; i < n; ++i) add_row(i);
}

template <class Adder>
void add_any(Adder adder, std::size_t columns, const std::uint32_t* words, const std::uint32_t* rows, std::int64_t n,
             std::int64_t* const* cells) {
    switch (columns) {
        case 1:
            return add_columns<1>(adder, words, rows, n, cells);
        case 2:
            return add_columns<2>(adder, words, rows, n, cells);
        case 3:
            return add_columns<3>(adder, words, rows, n, cells);
        default:
            return add_columns<4>(adder, words, rows, n, cells);
    }
}

template <class Adder>
void add_wide(Adder adder, const std::uint16_t* codes, std::span<const std::uint32_t> rows, std::int64_t* cells) {
    for (const std::uint32_t row : rows) {
        adder.read_target(row);
        adder.add(cells, codes[row]);
    }
}

// Calls use(adder) with the adder of a kind of cells.
template <int Sign, class Use>
void with_adder(const CellSource& source, const Use& use) {
    switch (source.kind) {
        case CellKind::two_classes:
            return use(AddTwoClasses<Sign>(source));
        case CellKind::classes:
            return use(AddClasses<Sign>(source));
        case CellKind::numbers:
            return use(AddNumbers<Sign>(source));
        case CellKind::weighted_classes:
            return use(AddWeightedClasses<Sign>(source));
        case CellKind::weighted_numbers:
            return use(AddWeightedNumbers<Sign>(source));
        case CellKind::pairs:
            return use(AddPairs<Sign>(source));
        case CellKind::others:
            return std::visit([&]<class S>(const S& each) { use(AddCells<S>(each, source, Sign)); }, *source.statistic);
    }
}

}  // namespace

void add_rows(const BinSums& sums, std::size_t group, std::span<const std::uint32_t> rows, std::int64_t* cells,
              bool is_subtracted) {
    const BinnedTable& table = sums.table;
    const std::vector<std::int32_t>& columns = table.groups[group];
    std::int64_t* of[COLUMNS_PER_WORD] = {};
    for (std::size_t i = 0; i < columns.size(); ++i) of[i] = cells + sums.plan.start[columns[i]];
    const auto run = [&](auto adder) {
        if (group < table.words.size())
            add_any(adder, columns.size(), table.words[group].get(), rows.data(), std::ssize(rows), of);
        else
            add_wide(adder, table.columns[columns[0]].wide.data(), rows, of[0]);
    };
    if (is_subtracted)
        with_adder<-1>(sums.source, run);
    else
        with_adder<1>(sums.source, run);
}

void mark_word(const std::uint32_t* words, std::span<const std::uint32_t> rows, PresentBits& out) {
    out = {};
    for (const std::uint32_t row : rows) {
        const std::uint32_t word = words[row];
        for (int c = 0; c < COLUMNS_PER_WORD; ++c) {
            const std::uint32_t code = word >> (8 * c) & 0xFF;
            out.bits[c][code >> 6] |= std::uint64_t{1} << (code & 63);
        }
    }
}

HORNBEAM_CLONES void subtract(std::int64_t* from, const std::int64_t* less, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) from[i] -= less[i];
}

}  // namespace hornbeam
