// A node whose question may meet missing values: they go where the usual value of its rows goes.
#include "growing/worker.hpp"

namespace hornbeam {

void Worker::send_filled(Open& node) const {
    Candidate& best = node.best;
    const double value = job_.search.stands_in(*node.block, node.begin, node.end, best.column);
    if (best.type == Candidate::Type::map)
        best.missing_branch = best.groups->branch_of[static_cast<std::size_t>(value)];
    else
        best.missing_branch = value > threshold(best);
}

}  // namespace hornbeam
