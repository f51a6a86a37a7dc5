#include "oblique/points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hornbeam {
namespace {

// Mean and spread of a column of `raw`, which gets the mean where it has holes; false when it does not vary here or is
// not finite.
bool measure(double* raw, std::int64_t n, const Vector& weights, double total, double& mean, double& sd) {
    double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0, known = 0;
    bool has_holes = false;
    for (std::int64_t i = 0; i < n; ++i) {
        const double value = raw[i];
        if (std::isnan(value)) {
            has_holes = true;
            continue;
        }
        low = std::min(low, value);
        high = std::max(high, value);
        sum += weights[i] * value;
        known += weights[i];
    }
    if (!(low < high) || std::isinf(low) || std::isinf(high)) return false;
    mean = sum / known;
    double squares = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        if (has_holes && std::isnan(raw[i])) continue;
        const double off = raw[i] - mean;
        squares += weights[i] * (off * off);
    }
    sd = std::sqrt(squares / total);
    if (has_holes)
        for (std::int64_t i = 0; i < n; ++i)
            if (std::isnan(raw[i])) raw[i] = mean;
    return std::isfinite(mean) && std::isfinite(sd) && sd > 0;
}

constexpr std::int64_t BLOCK = 64;  // rows whose lines stay in the cache while all columns are written

void write_rows(Points& points) {
    const int d = points.d;
    points.stride = (d + 1 + 3) & ~3;
    points.x.resize(static_cast<std::size_t>(points.n) * points.stride);
    for (std::int64_t from = 0; from < points.n; from += BLOCK) {
        const std::int64_t to = std::min(points.n, from + BLOCK);
        for (int j = 0; j < d; ++j) {
            const double* raw = points.raw_of(j);
            const double mean = points.mean[j], sd = points.sd[j];
            for (std::int64_t i = from; i < to; ++i) points.x[i * points.stride + j] = (raw[i] - mean) / sd;
        }
        for (std::int64_t i = from; i < to; ++i)
            for (int j = d; j < points.stride; ++j) points.x[i * points.stride + j] = j == d ? 1.0 : 0.0;
    }
}

}  // namespace

RowTable row_table(const std::vector<SourceColumn>& columns, std::int64_t n_rows) {
    RowTable out;
    for (const SourceColumn& column : columns) out.place.push_back(column.kind == Kind::numeric ? out.width++ : -1);
    out.cells.resize(static_cast<std::size_t>(n_rows) * out.width);
    for (std::int64_t from = 0; from < n_rows; from += BLOCK)
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (out.place[c] < 0) continue;
            for (std::int64_t i = from; i < std::min(n_rows, from + BLOCK); ++i)
                out.cells[i * out.width + out.place[c]] = columns[c].reals[i];
        }
    return out;
}

void fill_points(const RowTable& table, const std::vector<std::int32_t>& columns,
                 const std::vector<std::uint32_t>& rows, Vector weights, Points& out) {
    out.n = static_cast<std::int64_t>(rows.size());
    out.weights = std::move(weights);
    out.d = 0;
    out.kept.clear();
    out.columns.clear();
    out.mean.clear();
    out.sd.clear();
    double total = 0;
    for (const double w : out.weights) total += w;
    std::vector<std::int32_t> numeric;
    for (const std::int32_t column : columns)
        if (table.place[column] >= 0) numeric.push_back(column);
    out.raw.resize(numeric.size() * rows.size());
    for (std::int64_t from = 0; from < out.n; from += BLOCK)
        for (std::size_t j = 0; j < numeric.size(); ++j)
            for (std::int64_t i = from; i < std::min(out.n, from + BLOCK); ++i)
                out.raw[j * out.n + i] = table.row(rows[i])[table.place[numeric[j]]];
    for (std::size_t j = 0; j < numeric.size(); ++j) {
        double mean = 0, sd = 0;
        double* raw = out.raw.data() + j * out.n;
        if (!measure(raw, out.n, out.weights, total, mean, sd)) continue;
        // Columns that do not vary leave no gap.
        if (out.d < static_cast<int>(j))
            std::copy_n(raw, out.n, out.raw.data() + static_cast<std::size_t>(out.d) * out.n);
        out.kept.push_back(out.d++);
        out.columns.push_back(numeric[j]);
        out.mean.push_back(mean);
        out.sd.push_back(sd);
    }
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
        out.kept.push_back(points.kept[j]);
        out.mean.push_back(points.mean[j]);
        out.sd.push_back(points.sd[j]);
        out.raw.insert(out.raw.end(), points.raw_of(j), points.raw_of(j) + points.n);
    }
    write_rows(out);
    return out;
}

void weighted_sum(const Points& points, const std::vector<int>& named, const Vector& w, Vector& z) {
    z.assign(points.n, 0.0);
    for (std::size_t t = 0; t < named.size(); ++t) {
        const double* raw = points.raw_of(named[t]);
        const double weight = w[t];
        for (std::int64_t i = 0; i < points.n; ++i) z[i] += weight * raw[i];
    }
}

bool make_canonical(Vector& direction) {
    double squares = 0;
    for (const double v : direction) squares += v * v;
    const double length = std::sqrt(squares);
    if (!(std::isfinite(length) && length > 0)) return false;
    double most = 0;
    for (double& v : direction) {
        v /= length;
        most = std::max(most, std::abs(v));
    }
    const auto first =
        std::find_if(direction.begin(), direction.end(), [&](double v) { return std::abs(v) >= most - 1e-9; });
    const double sign = *first > 0 ? 1.0 : -1.0;
    for (double& v : direction) v = std::nearbyint(sign * v * 0x1.0p32) * 0x1.0p-32;
    return true;
}

void covariance(const Points& points, const std::function<bool(std::int64_t)>& inside, Vector& mean, Vector& out) {
    const int d = points.d;
    mean.assign(d, 0.0);
    double total = 0;
    for (std::int64_t i = 0; i < points.n; ++i) {
        if (!inside(i)) continue;
        const double* row = points.x.data() + i * points.stride;
        for (int j = 0; j < d; ++j) mean[j] += points.weights[i] * row[j];
        total += points.weights[i];
    }
    for (double& m : mean) m /= total;
    const int stride = (d + 3) & ~3;
    Vector off, weights;
    for (std::int64_t i = 0; i < points.n; ++i) {
        if (!inside(i)) continue;
        const double* row = points.x.data() + i * points.stride;
        for (int j = 0; j < stride; ++j) off.push_back(j < d ? row[j] - mean[j] : 0.0);
        weights.push_back(points.weights[i]);
    }
    weighted_gram({off.data(), static_cast<std::int64_t>(weights.size()), d, stride}, weights.data(), out);
    for (double& c : out) c /= total;
}

}  // namespace hornbeam
