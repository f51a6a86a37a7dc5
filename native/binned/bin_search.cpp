#include "binned/bin_search.hpp"

namespace hornbeam {
namespace {

// Collects candidates into batches and keeps the best: the rule of searches/cut.hpp.
template <class Finish>
class Batches {
  public:
    Batches(CutScratch& scratch, const Least& least, double base, const Finish& finish)
        : s_(scratch), base_(base), finish_(finish) {
        best_.score = least.start(base);
    }
    // The place where the next candidate is written; `take` keeps it.
    std::int32_t at() const { return count_; }
    void take(std::int32_t place, bool is_admitted) {
        s_.at[count_] = place;
        count_ += is_admitted;
        if (count_ == CutScratch::BATCH) judge();
    }
    Cut result() {
        judge();
        best_.score -= base_;
        return best_;
    }

  private:
    void judge() {
        Cut of_batch{best_.score, -1, 0};
        finish_(count_, of_batch);
        best_.tried += count_;
        if (of_batch.at >= 0) best_.score = of_batch.score, best_.at = s_.at[of_batch.at];
        count_ = 0;
    }
    CutScratch& s_;
    double base_;
    const Finish& finish_;
    Cut best_;
    std::int32_t count_ = 0;
};

}  // namespace

std::int64_t BinSearch::weight_of(const std::int64_t* cell) const {
    switch (source_.kind) {
        case CellKind::weighed_numbers:
            return cell[1];
        case CellKind::weighed_classes: {
            std::int64_t sum = 0;
            for (int k = 0; k < source_.n_classes; ++k) sum += cell[k];
            return sum;
        }
        default:
            return source_.rows_in(cell);
    }
}

Totals BinSearch::known(const std::int64_t* missing, const Totals& totals) const {
    Totals out = totals;
    out.rows -= source_.rows_in(missing);
    out.weight -= weight_of(missing);
    for (std::size_t k = 0; k < out.counts.size(); ++k) out.counts[k] -= count_of(missing, static_cast<int>(k));
    if (!plan_.target.is_class()) out.sum -= missing[0];
    return out;
}

Candidate BinSearch::best(const std::int64_t* cells, const std::uint16_t* present, int count, std::int32_t column,
                          const Totals& totals, double impurity, Scratch& scratch) const {
    Candidate out;
    out.column = column;
    if (count < 2) {
        out.type = Candidate::Type::constant;
        return out;
    }
    const BinnedColumn& bins = table_.columns[column];
    const auto set_sides = [&](int place) {
        out.code = present[place];
        out.low = bins.high[present[place]];
        out.high = bins.low[present[place + 1]];
    };
    if (bins.kind == Kind::nominal || search_.kernel() == ColumnSearch::Kernel::any) {
        fill_levels(cells, present, count, totals, column, scratch.levels);
        if (bins.kind == Kind::nominal)
            search_.judge_groups(scratch.levels, totals, impurity, out);
        else if (const int place = judge_cuts(scratch.levels, totals, impurity, out); place >= 0)
            set_sides(place);
        return out;
    }
    const std::int64_t* missing = cells + static_cast<std::size_t>(bins.n_bins) * width_;
    const bool has_missing = bins.has_missing && source_.rows_in(missing) > 0;
    Totals of_known;
    if (has_missing) of_known = known(missing, totals);
    const Totals& sums = has_missing ? of_known : totals;
    const double share = has_missing ? search_.mass(sums) / search_.mass(totals) : 1.0;
    double to_gain = 1.0;
    const Scan scan{cells, present, count, search_.least(sums.weight, true), search_.tolerance(impurity) / share};
    const Cut cut = this->cut(scan, sums, scratch, to_gain);
    if (cut.at < 0) return out;
    out.type = Candidate::Type::cut;
    set_sides(cut.at);
    out.score = cut.score * to_gain;
    search_.finish(out, share, cut.tried, totals);
    return out;
}

Cut BinSearch::cut(const Scan& scan, const Totals& known, Scratch& scratch, double& to_gain) const {
    const auto weight = static_cast<double>(known.weight);
    switch (search_.kernel()) {
        case ColumnSearch::Kernel::two_classes:
            to_gain = search_.is_gini() ? 2.0 : 1.0;
            return cut_two_classes(scan, known, to_gain, scratch.cuts);
        case ColumnSearch::Kernel::moments:
            return cut_numbers(scan, known, to_gain, scratch.cuts);
        case ColumnSearch::Kernel::squares:
            to_gain = (search_.is_gini() ? 1.0 : 0.5) / weight;
            return cut_squares(scan, known, to_gain, scratch);
        default:
            to_gain = 1.0 / weight;
            return cut_logs(scan, known, to_gain, scratch);
    }
}

Cut BinSearch::cut_two_classes(const Scan& scan, const Totals& known, double to_gain, CutScratch& s) const {
    const auto total = static_cast<double>(known.weight);
    const double mean = static_cast<double>(known.counts[1]) / total, bar = scan.tolerance / to_gain;
    const auto finish = [&](std::int32_t n, Cut& best) {
        best_of(MomentScores{total, mean}, s.first, s.first, s.weight, s.score, n, bar, best);
    };
    Batches batches(s, scan.least, 0.0, finish);
    const std::int64_t low = scan.least.rows, high = known.rows - scan.least.rows;
    std::int64_t sum = 0;
    for (int i = 0; i + 1 < scan.count; ++i) {
        sum += scan.cells[scan.present[i]];
        const std::int64_t rows = sum & 0xFFFFFFFF;
        s.first[batches.at()] = sum >> 32;
        s.weight[batches.at()] = static_cast<double>(rows);
        batches.take(i, (rows >= low) & (rows <= high));
    }
    return batches.result();
}

Cut BinSearch::cut_numbers(const Scan& scan, const Totals& known, double& to_gain, CutScratch& s) const {
    const ScaledMean mean = search_.scaled_mean(known);
    to_gain = plan_.target.unit * plan_.target.unit * mean.unit_of_squares();
    const double bar = scan.tolerance / to_gain;
    const auto finish = [&](std::int32_t n, Cut& best) {
        best_of(WeightedMomentScores{mean.rest}, s.first, s.second, s.weight, s.score, n, bar, best);
    };
    Batches batches(s, scan.least, 0.0, finish);
    std::int64_t sum = 0, rows = 0, weight = 0;
    for (int i = 0; i + 1 < scan.count; ++i) {
        const std::int64_t* cell = scan.cells + static_cast<std::size_t>(scan.present[i]) * width_;
        sum += cell[0];
        weight += cell[1];
        rows += cell[width_ - 1];
        s.first[batches.at()] = mean.of(weight, sum);
        s.second[batches.at()] = known.weight - weight;
        s.weight[batches.at()] = static_cast<double>(weight);
        batches.take(i, rows >= scan.least.rows && known.rows - rows >= scan.least.rows &&
                            weight >= scan.least.weight && known.weight - weight >= scan.least.weight);
    }
    return batches.result();
}

// Squares of class weights left and right, kept by differences as in searches/cut_kernels.hpp.
Cut BinSearch::cut_squares(const Scan& scan, const Totals& known, double to_gain, Scratch& scratch) const {
    CutScratch& s = scratch.cuts;
    const int n_classes = source_.n_classes;
    std::int64_t squares = 0, left = 0, cross = 0, weight = 0, rows = 0;
    for (const std::int64_t c : known.counts) squares += c * c;
    const auto total = static_cast<double>(known.weight);
    const double bar = scan.tolerance / to_gain;
    const auto finish = [&](std::int32_t n, Cut& best) {
        best_of(SquareScores{total}, s.first, s.second, s.weight, s.score, n, bar, best);
    };
    Batches batches(s, scan.least, static_cast<double>(squares) / total, finish);
    scratch.counts.assign(n_classes, 0);
    for (int i = 0; i + 1 < scan.count; ++i) {
        const std::int64_t* cell = scan.cells + static_cast<std::size_t>(scan.present[i]) * width_;
        for (int k = 0; k < n_classes; ++k) {
            const std::int64_t w = count_of(cell, k);
            left += w * (2 * scratch.counts[k] + w);
            scratch.counts[k] += w;
            cross += w * known.counts[k];
            weight += w;
        }
        rows += source_.rows_in(cell);
        s.first[batches.at()] = left;
        s.second[batches.at()] = squares - 2 * cross + left;
        s.weight[batches.at()] = static_cast<double>(weight);
        batches.take(i, rows >= scan.least.rows && known.rows - rows >= scan.least.rows &&
                            weight >= scan.least.weight && known.weight - weight >= scan.least.weight);
    }
    return batches.result();
}

Cut BinSearch::cut_logs(const Scan& scan, const Totals& known, double to_gain, Scratch& scratch) const {
    CutScratch& s = scratch.cuts;
    const LogTable& table = search_.logs(known.weight);
    const std::int64_t* xlog = table.values.data();
    const int n_classes = source_.n_classes;
    std::int64_t left = 0, right = 0, weight = 0, rows = 0;
    for (const std::int64_t c : known.counts) right += xlog[c];
    const std::int64_t whole = right - xlog[known.weight];
    const double bar = scan.tolerance / to_gain;
    const auto finish = [&](std::int32_t n, Cut& best) { take_best(s.score, n, bar, best); };
    Batches batches(s, scan.least, 0.0, finish);
    scratch.counts.assign(n_classes, 0);
    for (int i = 0; i + 1 < scan.count; ++i) {
        const std::int64_t* cell = scan.cells + static_cast<std::size_t>(scan.present[i]) * width_;
        for (int k = 0; k < n_classes; ++k) {
            const std::int64_t w = count_of(cell, k);
            if (w == 0) continue;
            const std::int64_t before = scratch.counts[k], after = before + w, all = known.counts[k];
            left += xlog[after] - xlog[before];
            right += xlog[all - after] - xlog[all - before];
            scratch.counts[k] = after;
            weight += w;
        }
        rows += source_.rows_in(cell);
        s.score[batches.at()] =
            static_cast<double>(left + right - xlog[weight] - xlog[known.weight - weight] - whole) * table.unit;
        batches.take(i, rows >= scan.least.rows && known.rows - rows >= scan.least.rows &&
                            weight >= scan.least.weight && known.weight - weight >= scan.least.weight);
    }
    return batches.result();
}

// Any criterion at all; returns the last place below the cut, -1 for none.
int BinSearch::judge_cuts(const LevelTable& table, const Totals& totals, double impurity, Candidate& out) const {
    const double of_known = table.is_number ? table.parent[0] : total(table.parent.data(), table.width);
    const double share = table.unknown > 0 ? of_known / search_.mass(totals) : 1.0;
    const Least least = search_.least(table.total_weight, true);
    const double tolerance = search_.tolerance(impurity) / share;
    TwoSides sides(table, search_.criterion());
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
    search_.finish(out, share, tried, totals);
    return below;
}

void BinSearch::fill_levels(const std::int64_t* cells, const std::uint16_t* present, int count, const Totals& totals,
                            std::int32_t column, LevelTable& out) const {
    const bool is_class = plan_.target.is_class();
    const std::vector<double>& factor = search_.factor();
    out.width = is_class ? source_.n_classes : 2;
    out.is_number = !is_class;
    out.present.assign(present, present + count);
    out.rows.resize(count);
    out.weight.resize(count);
    out.stats.resize(static_cast<std::size_t>(count) * out.width);
    out.parent.assign(out.width, 0.0);
    out.total_rows = out.total_weight = 0;
    search_.set_target_scale(totals, out);
    for (int i = 0; i < count; ++i) {
        const std::int64_t* cell = cells + static_cast<std::size_t>(present[i]) * width_;
        double* stats = out.stats.data() + static_cast<std::size_t>(i) * out.width;
        out.rows[i] = source_.rows_in(cell);
        out.weight[i] = weight_of(cell);
        if (is_class) {
            for (int k = 0; k < out.width; ++k) stats[k] = static_cast<double>(count_of(cell, k)) * factor[k];
        } else {
            stats[0] = static_cast<double>(out.weight[i]) * factor[0];
            stats[1] = totals.center().of(out.weight[i], cell[0]) * factor[1];
        }
        for (int k = 0; k < out.width; ++k) out.parent[k] += stats[k];
        out.total_rows += out.rows[i];
        out.total_weight += out.weight[i];
    }
    const double of_known = is_class ? total(out.parent.data(), out.width) : out.parent[0];
    const bool has_missing = out.total_rows < totals.rows;
    out.unknown = has_missing && table_.columns[column].has_missing ? search_.mass(totals) - of_known : 0.0;
}

}  // namespace hornbeam
