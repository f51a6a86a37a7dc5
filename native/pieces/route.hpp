// The node of a row: from the node it was at before, by the questions of the nodes below.
#pragma once

#include "pieces/request.hpp"

namespace hornbeam {

class Router {
  public:
    Router(const PieceRequest& request, const std::vector<PieceCodes>& codes) : request_(request), codes_(codes) {}

    // The branch of a row at a node by its questions `first` to `last`, -1 if none decides.
    std::int32_t branch(std::int32_t first, std::int32_t last, std::int64_t row) const {
        for (std::int32_t q = first; q < last; ++q) {
            const std::uint32_t code = codes_[request_.question_column[q]][row];
            const std::int32_t branch = request_.maps[request_.question_map[q] + code];
            if (branch >= 0) return branch;
        }
        return -1;
    }

    std::int32_t node(std::int32_t node, std::int64_t row) const {
        while (request_.first_child[node] >= 0) {
            std::int32_t to = branch(request_.first_question[node], request_.first_question[node + 1], row);
            if (to < 0) to = request_.otherwise[node];
            if (to < 0) return node;
            node = request_.first_child[node] + to;
        }
        return node;
    }

  private:
    const PieceRequest& request_;
    const std::vector<PieceCodes>& codes_;
};

}  // namespace hornbeam
