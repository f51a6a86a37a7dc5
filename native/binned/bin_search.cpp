#include "binned/bin_search.hpp"

#include "nodes/cut_kernel.hpp"
#include "nodes/level_groups.hpp"

namespace hornbeam {
Candidate BinSearch::best(const Bins& bins, std::int32_t column, const Totals& totals, double impurity,
                          Scratch& scratch) const {
    Candidate out;
    out.column = column;
    if (bins.count < 2) {
        out.type = Candidate::Type::constant;
        return out;
    }
    const BinnedColumn& binned = table_.columns[column];
    const auto set_sides = [&](int place) {
        out.code = bins.present[place];
        out.low = binned.high[bins.present[place]];
        out.high = binned.low[bins.present[place + 1]];
    };
    if (binned.kind == Kind::nominal || scoring_.kernel == CutKernel::any) {
        fill_levels(bins, totals, column, scratch);
        if (binned.kind == Kind::nominal)
            judge_groups(scoring_, scratch.levels, totals, impurity, out);
        else if (const int place = judge_cuts(scratch.levels, totals, impurity, out); place >= 0)
            set_sides(place);
        return out;
    }
    const std::int64_t* missing = bins.cells + static_cast<std::size_t>(binned.n_bins) * width_;
    const bool has_missing = binned.has_missing && source_.rows_in(missing) > 0;
    Totals of_known;
    if (has_missing) {
        unpack(missing, scratch.second_counts);
        of_known = scoring_.without(totals, source_.rows_in(missing), scratch.second_counts.data());
    }
    const Totals& sums = has_missing ? of_known : totals;
    const double share = has_missing ? scoring_.mass(sums) / scoring_.mass(totals) : 1.0;
    const Cut cut = best_cut(bins, sums, scoring_.tolerance(impurity) / share, scratch);
    if (cut.at < 0) return out;
    out.type = Candidate::Type::cut;
    set_sides(cut.at);
    out.score = cut.score;
    scoring_.finish(out, share, cut.tried, totals);
    return out;
}

// The cell of the statistic from that of a bin.
void BinSearch::unpack(const std::int64_t* bin, std::vector<std::int64_t>& cell) const {
    const int width = scoring_.statistic.width();
    cell.assign(bin, bin + (source_.kind == CellKind::two_classes ? 1 : width));
    if (source_.kind == CellKind::two_classes) {
        const std::int64_t second = bin[0] >> 32;
        cell = {(bin[0] & 0xFFFFFFFF) - second, second};
    } else if (source_.kind == CellKind::numbers || source_.kind == CellKind::weighed_numbers) {
        cell = {bin[1], bin[0]};
    }
}

template <class Kernel>
Cut BinSearch::scan(const Bins& bins, const Totals& known, const Kernel& whole, double tolerance,
                    Scratch& scratch) const {
    const Least least = scoring_.least(known.weight, true);
    CutScratch& batch = scratch.cuts;
    Kernel kernel = whole;
    const double base = whole.base();
    Cut best;
    best.score = least.start(base);
    std::int32_t count = 0;
    const auto judge = [&] {
        Cut of_batch{best.score, -1, 0};
        whole.finish(batch, count, tolerance, of_batch);
        best.tried += count;
        if (of_batch.at >= 0) best.score = of_batch.score, best.at = batch.at[of_batch.at];
        count = 0;
    };
    std::vector<std::int64_t>& counts = scratch.second_counts;
    std::int64_t rows = 0;
    for (int i = 0; i + 1 < bins.count; ++i) {
        const std::int64_t* cell = bins.cells + static_cast<std::size_t>(bins.present[i]) * width_;
        unpack(cell, counts);
        kernel.add_counts(counts.data());
        rows += source_.rows_in(cell);
        kernel.write(batch, count);
        batch.rows[count] = static_cast<std::int32_t>(rows);
        batch.at[count] = i;
        count += (rows >= least.rows) & (known.rows - rows >= least.rows) & kernel.allows(least);
        if (count == CutScratch::BATCH) judge();
    }
    judge();
    best.score -= base;
    return best;
}

Cut BinSearch::best_cut(const Bins& bins, const Totals& known, double tolerance, Scratch& scratch) const {
    if (scoring_.kernel != CutKernel::moments)
        return with_kernel(scoring_, block_, known, 0.0, scratch, [&](const auto& kernel, double to_gain) {
            return scan(bins, known, kernel, tolerance / to_gain, scratch);
        });
    // Numbers are centered on a scaled mean, whether or not rows have weights.
    const double unit = scoring_.plan.target.unit;
    const ScaledMean mean = scoring_.scaled_mean(known);
    const double to_gain = unit * unit * mean.unit_of_squares();
    Cut cut = scan(bins, known, Moments<std::int64_t, true>(nullptr, nullptr, mean, known.weight), tolerance / to_gain,
                   scratch);
    cut.score *= to_gain;
    return cut;
}

// Any criterion at all; returns the last place below the cut, -1 for none.
int BinSearch::judge_cuts(const LevelTable& table, const Totals& totals, double impurity, Candidate& out) const {
    const double share = table.unknown > 0 ? table.mass() / scoring_.mass(totals) : 1.0;
    const Least least = scoring_.least(table.total_weight, true);
    const double tolerance = scoring_.tolerance(impurity) / share;
    TwoSides sides(table, *scoring_.criterion);
    double best = least.start(0.0);
    int below = -1, tried = 0;
    for (int i = 0; i + 1 < table.size(); ++i) {
        sides.add(i);
        if (!sides.allows(least)) continue;
        ++tried;
        const double score = sides.score();
        if (score - best > tolerance) best = score, below = i;
    }
    if (below < 0) return -1;
    out.type = Candidate::Type::cut;
    out.score = best;
    scoring_.finish(out, share, tried, totals);
    return below;
}

void BinSearch::fill_levels(const Bins& bins, const Totals& totals, std::int32_t column, Scratch& scratch) const {
    LevelTable& out = scratch.levels;
    std::vector<std::int64_t>& cell = scratch.second_counts;
    out.width = scoring_.statistic.width();
    out.is_number = !scoring_.plan.target.is_class();
    out.present.assign(bins.present, bins.present + bins.count);
    out.rows.resize(bins.count);
    out.weight.resize(bins.count);
    out.stats.assign(static_cast<std::size_t>(bins.count) * out.width, 0.0);
    out.parent.assign(out.width, 0.0);
    out.total_rows = out.total_weight = 0;
    scoring_.set_target_scale(totals, out);
    for (int i = 0; i < bins.count; ++i) {
        const std::int64_t* bin = bins.cells + static_cast<std::size_t>(bins.present[i]) * width_;
        double* stats = out.stats.data() + static_cast<std::size_t>(i) * out.width;
        unpack(bin, cell);
        out.rows[i] = source_.rows_in(bin);
        out.weight[i] = scoring_.statistic.weight(cell.data());
        scoring_.statistic.add_real(cell.data(), totals.cell.data(), stats);
        for (int k = 0; k < out.width; ++k) out.parent[k] += stats[k];
        out.total_rows += out.rows[i];
        out.total_weight += out.weight[i];
    }
    const bool has_missing = out.total_rows < totals.rows && table_.columns[column].has_missing;
    out.unknown = has_missing ? scoring_.mass(totals) - out.mass() : 0.0;
}

}  // namespace hornbeam
