// Standardized points of a node (points.hpp).
#include "oblique/points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/portable.hpp"

namespace hornbeam {
namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr double CONSTANT = 1e-12;  // a range of at most this fraction of the largest value is rounding

// Statistics per column from one pass over the rows. The pass is row by row, so that all columns are added in parallel
// and each sum is in row order; a missing value adds nothing.
struct ColumnStats {
    Vector sum, known, low, high, squares;
    explicit ColumnStats(std::size_t m)
        : sum(m, 0.0), known(m, 0.0), low(m, INFINITE), high(m, -INFINITE), squares(m, 0.0) {}
};

HORNBEAM_CLONES void add_row(const double* __restrict row, double w, int m, ColumnStats& to) {
    double* __restrict sum = to.sum.data();
    double* __restrict known = to.known.data();
    double* __restrict low = to.low.data();
    double* __restrict high = to.high.data();
    for (int j = 0; j < m; ++j) {
        const double value = row[j];
        const bool is_known = value == value;
        sum[j] += is_known ? w * value : 0.0;
        known[j] += is_known ? w : 0.0;
        low[j] = value < low[j] ? value : low[j];
        high[j] = value > high[j] ? value : high[j];
    }
}

HORNBEAM_CLONES void add_squares(double* __restrict row, double w, int m, const double* __restrict mean,
                                 double* __restrict squares) {
    for (int j = 0; j < m; ++j) {
        const double value = row[j];
        const bool is_known = value == value;
        const double off = value - mean[j];
        squares[j] += is_known ? w * (off * off) : 0.0;
        row[j] = is_known ? value : mean[j];
    }
}

HORNBEAM_CLONES void standardize(const double* __restrict raw, const double* __restrict mean,
                                 const double* __restrict sd, int d, int stride, double* __restrict x) {
    for (int j = 0; j < d; ++j) x[j] = (raw[j] - mean[j]) / sd[j];
    for (int j = d; j < stride; ++j) x[j] = j == d ? 1.0 : 0.0;
}

void write_rows(Points& points) {
    points.stride = (points.d + 1 + 7) & ~7;
    points.x.resize(static_cast<std::size_t>(points.n) * points.stride);
    for (std::int64_t i = 0; i < points.n; ++i)
        standardize(points.raw_row(i), points.mean.data(), points.sd.data(), points.d, points.stride,
                    points.x.data() + i * points.stride);
}

}  // namespace

RowTable row_table(const std::vector<SourceColumn>& columns, std::int64_t n_rows) {
    constexpr std::int64_t BLOCK = 64;  // rows whose cache lines stay in the cache while all columns are written
    RowTable out;
    for (const SourceColumn& column : columns)
        out.position_of.push_back(column.kind == Kind::numeric ? out.width++ : -1);
    out.cells.resize(static_cast<std::size_t>(n_rows) * out.width);
    for (std::int64_t from = 0; from < n_rows; from += BLOCK)
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (out.position_of[c] < 0) continue;
            for (std::int64_t i = from; i < std::min(n_rows, from + BLOCK); ++i)
                out.cells[i * out.width + out.position_of[c]] = columns[c].reals[i];
        }
    return out;
}

void fill_points(const RowTable& table, const std::vector<std::int32_t>& columns,
                 const std::vector<std::uint32_t>& rows, Points& out) {
    out.n = static_cast<std::int64_t>(rows.size());
    std::vector<std::int32_t> numeric, position;
    for (const std::int32_t column : columns)
        if (table.position_of[column] >= 0) {
            numeric.push_back(column);
            position.push_back(table.position_of[column]);
        }
    const auto m = static_cast<int>(numeric.size());
    out.raw.resize(numeric.size() * rows.size());
    ColumnStats found(numeric.size());
    double total = 0;

    for (std::int64_t i = 0; i < out.n; ++i) {
        double* row = out.raw.data() + i * m;
        table.fetch(rows[std::min(i + 16, out.n - 1)]);
        const double* cells = table.row(rows[i]);
        for (int j = 0; j < m; ++j) row[j] = cells[position[j]];
        total += out.weights[i];
        add_row(row, out.weights[i], m, found);
    }
    Vector& mean = found.sum;
    for (int j = 0; j < m; ++j) mean[j] /= found.known[j];
    for (std::int64_t i = 0; i < out.n; ++i)
        add_squares(out.raw.data() + i * m, out.weights[i], m, mean.data(), found.squares.data());
    out.d = 0;
    out.original.clear();
    out.columns.clear();
    out.mean.clear();
    out.sd.clear();
    std::vector<int> varies;
    for (int j = 0; j < m; ++j) {
        const double sd = std::sqrt(found.squares[j] / total);
        const bool is_finite = std::isfinite(found.low[j]) && std::isfinite(found.high[j]) && std::isfinite(mean[j]);
        const double largest = std::max(std::abs(found.low[j]), std::abs(found.high[j]));
        if (!(found.high[j] - found.low[j] > CONSTANT * largest) || !is_finite || !std::isfinite(sd) || !(sd > 0))
            continue;
        varies.push_back(j);
        out.original.push_back(out.d++);
        out.columns.push_back(numeric[j]);
        out.mean.push_back(mean[j]);
        out.sd.push_back(sd);
    }
    // Removes the constant columns from the rows.
    for (std::int64_t i = 0; out.d < m && i < out.n; ++i)
        for (int j = 0; j < out.d; ++j) out.raw[i * out.d + j] = out.raw[i * m + varies[j]];
    out.raw.resize(static_cast<std::size_t>(out.d) * out.n);
    write_rows(out);
}

Points without_column(const Points& points, int dropped) {
    Points out;
    out.n = points.n;
    out.weights = points.weights;
    for (int j = 0; j < points.d; ++j) {
        if (j == dropped) continue;
        ++out.d;
        out.columns.push_back(points.columns[j]);
        out.original.push_back(points.original[j]);
        out.mean.push_back(points.mean[j]);
        out.sd.push_back(points.sd[j]);
    }
    for (std::int64_t i = 0; i < points.n; ++i)
        for (int j = 0; j < points.d; ++j)
            if (j != dropped) out.raw.push_back(points.raw_row(i)[j]);
    write_rows(out);
    return out;
}

// Sums eight rows in parallel, each in the order of its terms.
template <class Term>
void sum_terms(std::int64_t n, std::size_t n_terms, const Term& term, Vector& out) {
    constexpr std::int64_t LANES = 8;
    out.resize(n);
    std::int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        double total[LANES] = {};
        for (std::size_t t = 0; t < n_terms; ++t)
            for (std::int64_t lane = 0; lane < LANES; ++lane) total[lane] += term(i + lane, t);
        std::copy_n(total, LANES, out.data() + i);
    }
    for (; i < n; ++i) {
        out[i] = 0.0;
        for (std::size_t t = 0; t < n_terms; ++t) out[i] += term(i, t);
    }
}

void weighted_sum(const Points& points, const std::vector<int>& named, const Vector& w, Vector& z) {
    sum_terms(
        points.n, named.size(), [&](std::int64_t i, std::size_t t) { return w[t] * points.raw_row(i)[named[t]]; }, z);
}

void squared_distance(const Points& points, const Vector& center, const Vector& scale, Vector& out) {
    sum_terms(
        points.n, center.size(),
        [&](std::int64_t i, std::size_t j) {
            const double step = (points.raw_row(i)[j] - center[j]) / scale[j];
            return step * step;
        },
        out);
}

bool make_canonical(Vector& direction) {
    double squares = 0;
    for (const double v : direction) squares += v * v;
    const double length = std::sqrt(squares);
    if (!(std::isfinite(length) && length > 0)) return false;
    double largest = 0;
    for (double& v : direction) {
        v /= length;
        largest = std::max(largest, std::abs(v));
    }
    const auto first =
        std::find_if(direction.begin(), direction.end(), [&](double v) { return std::abs(v) >= largest - 1e-9; });
    const double sign = *first > 0 ? 1.0 : -1.0;
    for (double& v : direction) v = std::nearbyint(sign * v * 0x1.0p32) * 0x1.0p-32;
    return true;
}

void scatter(const Points& points, const std::function<const double*(std::int64_t)>& center, Vector& out) {
    const int stride = (points.d + 7) & ~7;
    Vector off, weights;
    for (std::int64_t i = 0; i < points.n; ++i) {
        const double* from = center(i);
        if (!from) continue;
        for (int j = 0; j < stride; ++j) off.push_back(j < points.d ? points.row(i)[j] - from[j] : 0.0);
        weights.push_back(points.weights[i]);
    }
    weighted_gram({off.data(), std::ssize(weights), points.d, stride}, weights.data(), out);
}

void covariance(const Points& points, const std::function<bool(std::int64_t)>& inside, Vector& mean, Vector& out) {
    mean.assign(points.d, 0.0);
    double total = 0;
    for (std::int64_t i = 0; i < points.n; ++i) {
        if (!inside(i)) continue;
        for (int j = 0; j < points.d; ++j) mean[j] += points.weights[i] * points.row(i)[j];
        total += points.weights[i];
    }
    for (double& m : mean) m /= total;
    scatter(points, [&](std::int64_t i) { return inside(i) ? mean.data() : nullptr; }, out);
    for (double& c : out) c /= total;
}

}  // namespace hornbeam
