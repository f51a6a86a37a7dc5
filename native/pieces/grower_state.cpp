#include "pieces/grower_state.hpp"

#include <cstring>
#include <iterator>
#include <stdexcept>
#include <type_traits>

namespace hornbeam {
namespace {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// Writes values as bytes, or reads them: each value in the order in which it is visited.
class Archive {
  public:
    Archive() = default;
    explicit Archive(std::string_view bytes) : left_(bytes), reads_(true) {}

    template <class... T>
    void operator()(T&... values) {
        (visit(values), ...);
    }
    std::string take() { return std::move(bytes_); }
    void check_end() const {
        if (!left_.empty()) throw std::invalid_argument("The state of a growth is too long.");
    }

  private:
    void require(std::uint64_t size) const {
        if (size > left_.size()) throw std::invalid_argument("The state of a growth is truncated.");
    }
    template <Plain T>
    void visit(T& value) {
        if (!reads_) {
            bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
            return;
        }
        require(sizeof(T));
        std::memcpy(&value, left_.data(), sizeof(T));
        left_.remove_prefix(sizeof(T));
    }
    template <class T>
    void visit(std::vector<T>& values) {
        auto size = static_cast<std::uint64_t>(values.size());
        visit(size);
        if (reads_) {
            require(size);
            values.assign(size, T{});
        }
        for (T& value : values) visit(value);
    }
    template <class T>
    void visit(std::shared_ptr<T>& value) {
        bool has_value = value != nullptr;
        visit(has_value);
        auto copy = std::make_shared<std::remove_const_t<T>>();
        if (has_value && !reads_) *copy = *value;
        if (has_value) visit(*copy);
        if (reads_) value = has_value ? std::move(copy) : nullptr;
    }
    template <class T>
    void visit(T& value) {
        visit_state(*this, value);
    }

    std::string bytes_;
    std::string_view left_;
    bool reads_ = false;
};

void visit_state(Archive& archive, Totals& x) {
    archive(x.id, x.rows, x.weight, x.cell, x.squares, x.is_one_number, x.deviance, x.mean, x.spread, x.risk,
            x.prediction);
}

void visit_state(Archive& archive, Grouping& x) { archive(x.levels, x.branch, x.branch_of); }

// Without what other searches found, and without questions about many columns, which pieces do not have.
void visit_state(Archive& archive, Candidate& x) {
    archive(x.type, x.column, x.score, x.gain, x.information, x.is_free, x.below, x.code, x.low, x.high, x.n_branches,
            x.missing_branch, x.is_multiway, x.groups, x.cuts);
}

void visit_state(Archive& archive, KeptQuestion& x) {
    archive(x.column, x.tests_missing, x.is_multiway, x.is_flipped, x.cut, x.cuts, x.branch_of, x.first, x.second);
}

void visit_state(Archive& archive, Record& x) {
    std::int64_t rows = x.rows;  // a bit field
    archive(x.first_child, x.n_branches, x.moved_to, x.stats_at, x.column, x.tests_missing, x.is_multiway, x.cut,
            x.map_at, x.many_at, x.cuts_at, x.n_cuts, x.missing_branch, x.kept_at, x.n_surrogates, x.n_competitors,
            x.depth, x.reason, rows, x.weight, x.mean, x.spread, x.impurity, x.gain, x.score, x.prediction);
    x.rows = rows;
}

void visit_state(Archive& archive, Fragment& x) { archive(x.records, x.cells, x.maps, x.cuts, x.kept); }

void visit_state(Archive& archive, RouteQuestion& x) { archive(x.column, x.branch_of); }

void visit_state(Archive& archive, TreeRoutes& x) { archive(x.questions, x.otherwise); }

// Without the sums of its columns.
void visit_state(Archive& archive, PieceNode& x) {
    archive(x.record, x.depth, x.id, x.n_done, x.used, x.totals, x.impurity, x.best, x.surrogates, x.competitors,
            x.active, x.questions, x.missing_branch, x.branches, x.undecided);
}

}  // namespace

bool GrowerState::is_complete(const PieceGrower& grower) {
    return grower.is_planted_ && grower.families_.empty() && grower.taken_.empty() && grower.finished_.empty();
}

std::string GrowerState::saved(PieceGrower& grower) {
    Archive archive;
    archive(grower.fragments_, grower.routes_, grower.open_.queue_, grower.open_.small_, grower.open_.leaves_);
    return archive.take();
}

void GrowerState::restore(PieceGrower& grower, std::string_view bytes) {
    Archive archive(bytes);
    archive(grower.fragments_, grower.routes_, grower.open_.queue_, grower.open_.small_, grower.open_.leaves_);
    archive.check_end();
    grower.is_planted_ = true;
    grower.families_.clear();
    // Which nodes are small depends on the memory, which may be another one now.
    OpenNodes& open = grower.open_;
    if (!open.keeps_order()) {
        std::vector<PieceNode> nodes = std::move(open.queue_);
        std::move(open.small_.begin(), open.small_.end(), std::back_inserter(nodes));
        open.queue_.clear(), open.small_.clear();
        open.add(std::move(nodes));
    }
}

}  // namespace hornbeam
