#include "pieces/round_request.hpp"

namespace hornbeam {
namespace {

void add_question(const RouteQuestion& question, RequestArrays& out) {
    out.question_column.push_back(question.column);
    out.question_map.push_back(static_cast<std::int64_t>(out.maps.size()));
    out.maps.insert(out.maps.end(), question.branch_of.begin(), question.branch_of.end());
}

}  // namespace

RoundRequest::RoundRequest(const TreeRoutes& routes, const std::vector<Record>& records,
                           const std::vector<ReadyColumn>& columns, const CellShape& shape) {
    RequestArrays& out = arrays_;
    out.shape = shape;
    const std::size_t n = records.size();
    out.first_child.resize(n);
    out.slot.assign(n, -1);
    out.total.assign(n, -1);
    out.otherwise = routes.otherwise;
    for (const ReadyColumn& column : columns) out.n_codes.push_back(column.n_codes);
    out.first_question = {0};
    for (std::size_t i = 0; i < n; ++i) {
        out.first_child[i] = records[i].first_child;
        for (const RouteQuestion& question : routes.questions[i]) add_question(question, out);
        out.first_question.push_back(static_cast<std::int32_t>(out.question_column.size()));
    }
}

void RoundRequest::set_sides(const std::vector<PieceNode>& nodes) {
    arrays_.shape = CellShape{3, arrays_.shape.is_weighted};
    arrays_.by_side = true;
    for (const PieceNode& node : nodes) add_slot(node.record);
}

void RoundRequest::set_columns(const std::vector<char>& is_wanted) {
    auto start = std::make_shared<std::vector<std::int64_t>>(is_wanted.size(), -1);
    slot_size_ = 0;
    for (std::size_t c = 0; c < is_wanted.size(); ++c) {
        if (!is_wanted[c]) continue;
        arrays_.columns.push_back(static_cast<std::int32_t>(c));
        (*start)[c] = slot_size_;
        slot_size_ += (arrays_.n_codes[c] + 1) * static_cast<std::int64_t>(arrays_.shape.width());
    }
    column_start_ = std::move(start);
}

}  // namespace hornbeam
