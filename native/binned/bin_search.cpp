#include "binned/bin_search.hpp"

#include <algorithm>

#include "nodes/cut_kernel.hpp"
#include "nodes/level_groups.hpp"

namespace hornbeam {
namespace {

// Calls `with` with a function that converts the cell of a bin to a cell of the statistic.
template <class With>
void with_unpack(const CellSource& source, int width, const With& with) {
    if (source.kind == CellKind::two_classes) {
        with([](const std::int64_t* bin, std::int64_t* cell) {
            cell[1] = bin[0] >> 32;
            cell[0] = (bin[0] & 0xFFFFFFFF) - cell[1];
        });
    } else if (source.kind == CellKind::numbers || source.kind == CellKind::weighted_numbers) {
        with([](const std::int64_t* bin, std::int64_t* cell) { cell[0] = bin[1], cell[1] = bin[0]; });
    } else {
        with([width](const std::int64_t* bin, std::int64_t* cell) { std::copy_n(bin, width, cell); });
    }
}

}  // namespace

Candidate BinSearch::best(const Bins& bins, std::int32_t column, const Totals& totals, double impurity,
                          Scratch& scratch) const {
    Candidate out;
    out.column = column;
    if (bins.count < 2) {
        out.type = Candidate::Type::constant;
        return out;
    }
    const BinnedColumn& binned = table_.columns[column];
    CodeTable& table = scratch.codes;
    fill(bins, binned, totals.rows, table);
    int index = -1;
    if (binned.kind == Kind::nominal || scoring_.kernel == CutKernel::any) {
        fill_levels(scoring_, totals, scoring_.columns[column].n_codes, scratch);
        if (binned.kind == Kind::nominal)
            score_groups(scoring_, scratch.levels, totals, impurity, out);
        else
            index = score_cuts(scratch.levels, totals, impurity, out);
    } else {
        index = best_cut(totals, impurity, scratch, out);
    }
    table.clear(binned.n_bins);
    if (index < 0) return out;
    out.code = bins.present[index];
    out.low = binned.high[bins.present[index]];
    out.high = binned.low[bins.present[index + 1]];
    return out;
}

// Copies the sums of the bins of a node to a table of codes.
void BinSearch::fill(const Bins& bins, const BinnedColumn& binned, std::int64_t n_rows, CodeTable& out) const {
    out.reserve(binned.n_bins, scoring_.statistic.width());
    out.present.assign(bins.present, bins.present + bins.count);
    with_unpack(source_, out.width, [&](const auto& unpack) {
        const auto set = [&](std::uint32_t code) {
            const std::int64_t* bin = bins.cells + static_cast<std::size_t>(code) * width_;
            unpack(bin, out.of(code));
            out.rows[code] = source_.rows_in(bin);
        };
        for (const std::uint32_t code : out.present) set(code);
        if (binned.has_missing) set(binned.n_bins);
    });
    out.known = n_rows - out.rows[binned.n_bins];
}

int BinSearch::best_cut(const Totals& totals, double impurity, Scratch& scratch, Candidate& out) const {
    const CodeTable& table = scratch.codes;
    const bool is_complete = table.known == totals.rows;
    Totals of_known;
    if (!is_complete)
        of_known = scoring_.without(totals, totals.rows - table.known, table.of(table_.columns[out.column].n_bins));
    const Totals& known = is_complete ? totals : of_known;
    const double fraction = is_complete ? 1.0 : scoring_.mass(known) / scoring_.mass(totals);
    const double tolerance = scoring_.tolerance(impurity) / fraction;
    const MinSize min_size = scoring_.fixed_min_size;
    const auto scan = [&](const auto& kernel, double to_gain) {
        return best_code_cut(table, kernel, min_size, tolerance / to_gain, scratch.cuts,
                             [](std::uint32_t, std::uint32_t) { return true; });
    };
    Cut cut;
    if (scoring_.kernel != CutKernel::moments) {
        cut = with_kernel(scoring_, block_, known, 0.0, scratch, scan);
    } else {
        // Targets are centered on a scaled mean, with or without row weights.
        const double unit = scoring_.plan.target.unit;
        const ScaledMean mean = scoring_.scaled_mean(known);
        const double to_gain = unit * unit * mean.unit_of_squares();
        cut = scan(Moments<std::int64_t, true>(nullptr, nullptr, mean, known.weight), to_gain);
        cut.score *= to_gain;
    }
    if (cut.at < 0) return -1;
    out.type = Candidate::Type::cut;
    out.score = cut.score;
    scoring_.finish(out, fraction, cut.tried, totals);
    return cut.at;
}

int BinSearch::score_cuts(const LevelTable& table, const Totals& totals, double impurity, Candidate& out) const {
    const double fraction = table.unknown > 0 ? table.mass() / scoring_.mass(totals) : 1.0;
    const MinSize min_size = scoring_.fixed_min_size;
    const double tolerance = scoring_.tolerance(impurity) / fraction;
    TwoSides sides(table, *scoring_.criterion);
    double best = min_size.start(0.0);
    int below = -1, tried = 0;
    for (int i = 0; i + 1 < table.size(); ++i) {
        sides.add(i);
        if (!sides.allows(min_size)) continue;
        ++tried;
        const double score = sides.score();
        if (score - best > tolerance) best = score, below = i;
    }
    if (below < 0) return -1;
    out.type = Candidate::Type::cut;
    out.score = best;
    scoring_.finish(out, fraction, tried, totals);
    return below;
}

}  // namespace hornbeam
