#include "searches/cell_scores.hpp"

#include <algorithm>

namespace hornbeam {

CellScores::CellScores(const AnyStatistic& statistic, const Criterion& criterion, const RowTargets& rows,
                       const CutNode& node)
    : statistic_(&statistic),
      criterion_(&criterion),
      rows_(rows),
      whole_(node.cell.data()),
      unknown_(node.unknown),
      mean_(node.mean),
      left_(node.cell.size(), 0),
      right_(node.cell.begin(), node.cell.end()),
      parent_(node.cell.size(), 0.0),
      sides_(2 * node.cell.size() + node.third.size()) {
    statistic.add_real(whole_, whole_, parent_.data());
    for (std::size_t k = 0; k < node.third.size(); ++k) parent_[k] += node.third[k];
    std::copy(node.third.begin(), node.third.end(), sides_.end() - static_cast<std::ptrdiff_t>(node.third.size()));
}

CellScores::CellScores(const CellScores&) = default;
CellScores& CellScores::operator=(const CellScores&) = default;
CellScores::~CellScores() = default;

void CellScores::add(std::uint32_t row) {
    std::visit(
        [&](const auto& statistic) {
            statistic.add(rows_, row, left_.data());
            statistic.add(rows_, row, right_.data(), -1);
        },
        *statistic_);
}

void CellScores::add_counts(const std::int64_t* cell) {
    for (std::size_t k = 0; k < left_.size(); ++k) {
        left_[k] += cell[k];
        right_[k] -= cell[k];
    }
}

void CellScores::write(CutScratch& s, std::int32_t at) {
    const std::size_t width = left_.size();
    std::fill_n(sides_.begin(), 2 * width, 0.0);
    statistic_->add_real(left_.data(), whole_, sides_.data());
    statistic_->add_real(right_.data(), whole_, sides_.data() + width);
    const int n_branches = sides_.size() > 2 * width ? 3 : 2;
    s.score[at] = criterion_->score(
        {parent_.data(), sides_.data(), n_branches, static_cast<int>(width), unknown_, nullptr, mean_});
}

bool CellScores::allows(const MinSize& min_size) const {
    return statistic_->weight(left_.data()) >= min_size.weight && statistic_->weight(right_.data()) >= min_size.weight;
}

void CellScores::finish(CutScratch& s, std::int32_t count, double tolerance, Cut& best) const {
    take_best(s.score, count, tolerance, best);
}

}  // namespace hornbeam
