#include "oblique/points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hornbeam {
namespace {

// Fills a column of `raw`; false when it does not vary here or is not finite.
bool measure(const double* reals, const std::vector<std::uint32_t>& rows, const Vector& weights, double total,
             double* raw, double& mean, double& sd) {
    const auto n = static_cast<std::int64_t>(rows.size());
    double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0, known = 0;
    bool has_holes = false;
    for (std::int64_t i = 0; i < n; ++i) {
        const double value = raw[i] = reals[rows[i]];
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

void write_rows(Points& points) {
    const int d = points.d;
    points.stride = (d + 1 + 3) & ~3;
    points.x.assign(static_cast<std::size_t>(points.n) * points.stride, 0.0);
    constexpr std::int64_t BLOCK = 64;  // rows whose lines stay in the cache while all columns are written
    for (std::int64_t from = 0; from < points.n; from += BLOCK) {
        const std::int64_t to = std::min(points.n, from + BLOCK);
        for (int j = 0; j < d; ++j) {
            const double* raw = points.raw_of(j);
            const double mean = points.mean[j], sd = points.sd[j];
            for (std::int64_t i = from; i < to; ++i) points.x[i * points.stride + j] = (raw[i] - mean) / sd;
        }
        for (std::int64_t i = from; i < to; ++i) points.x[i * points.stride + d] = 1.0;
    }
}

}  // namespace

Points points_of(const std::vector<SourceColumn>& table, const std::vector<std::int32_t>& columns,
                 const std::vector<std::uint32_t>& rows, Vector weights) {
    Points out;
    out.n = static_cast<std::int64_t>(rows.size());
    out.weights = std::move(weights);
    double total = 0;
    for (const double w : out.weights) total += w;
    out.raw.resize(columns.size() * rows.size());
    for (const std::int32_t column : columns) {
        if (table[column].kind != Kind::numeric) continue;
        double mean = 0, sd = 0;
        double* raw = out.raw.data() + static_cast<std::size_t>(out.d) * out.n;
        if (!measure(table[column].reals, rows, out.weights, total, raw, mean, sd)) continue;
        out.kept.push_back(out.d++);
        out.columns.push_back(column);
        out.mean.push_back(mean);
        out.sd.push_back(sd);
    }
    out.raw.resize(static_cast<std::size_t>(out.d) * out.n);
    write_rows(out);
    return out;
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
