// The node of a row: from the node it was at before, by the questions of the nodes below.
#pragma once

#include "pieces/request.hpp"

namespace hornbeam {

class Router {
  public:
    Router(const PieceRequest& request, const std::vector<PieceCodes>& codes) : request_(request), codes_(codes) {
        steps_.reserve(request.first_child.size());
        for (std::size_t node = 0; node < request.first_child.size(); ++node) steps_.push_back(step_of(node));
    }

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
        for (const Step* at = &steps_[node]; at->first_child >= 0; at = &steps_[node]) {
            std::int32_t to = at->codes ? at->map[at->codes[row]] : branch(at->first, at->last, row);
            if (to < 0) to = at->otherwise;
            if (to < 0) return node;
            node = at->first_child + to;
        }
        return node;
    }

  private:
    // What a row does at a node. Most nodes have one question, about codes of one byte.
    struct Step {
        std::int32_t first_child, otherwise;
        std::int32_t first, last;  // the questions
        const std::uint8_t* codes = nullptr;
        const std::int16_t* map = nullptr;
    };

    Step step_of(std::size_t node) const {
        Step out{request_.first_child[node], request_.otherwise[node], request_.first_question[node],
                 request_.first_question[node + 1]};
        if (out.first_child < 0 || out.last - out.first != 1) return out;
        out.codes = codes_[request_.question_column[out.first]].narrow;
        out.map = request_.maps.data() + request_.question_map[out.first];
        return out;
    }

    const PieceRequest& request_;
    const std::vector<PieceCodes>& codes_;
    std::vector<Step> steps_;
};

}  // namespace hornbeam
