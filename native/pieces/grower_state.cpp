#include "pieces/grower_state.hpp"

#include <cstring>
#include <iterator>
#include <stdexcept>
#include <type_traits>

namespace hornbeam {
namespace {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class StateWriter {
  public:
    template <class... T>
    void operator()(T&... values) {
        (put(values), ...);
    }
    std::string take() { return std::move(bytes_); }

  private:
    template <Plain T>
    void put(T& value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    }
    template <class T>
    void put(std::vector<T>& values) {
        auto size = static_cast<std::uint64_t>(values.size());
        put(size);
        for (T& value : values) put(value);
    }
    template <class T>
    void put(std::shared_ptr<T>& value) {
        bool has_value = value != nullptr;
        put(has_value);
        if (!has_value) return;
        std::remove_const_t<T> copy = *value;
        put(copy);
    }
    template <class T>
    void put(T& value) {
        visit_state(*this, value);
    }

    std::string bytes_;
};

class StateReader {
  public:
    explicit StateReader(std::string_view bytes) : left_(bytes) {}

    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }
    void check_end() const {
        if (!left_.empty()) throw std::invalid_argument("The state of a growth is too long.");
    }

  private:
    template <Plain T>
    void get(T& value) {
        if (left_.size() < sizeof(T)) throw std::invalid_argument("The state of a growth is truncated.");
        std::memcpy(&value, left_.data(), sizeof(T));
        left_.remove_prefix(sizeof(T));
    }
    template <class T>
    void get(std::vector<T>& values) {
        std::uint64_t size = 0;
        get(size);
        if (size > left_.size()) throw std::invalid_argument("The state of a growth is truncated.");
        values.assign(size, T{});
        for (T& value : values) get(value);
    }
    template <class T>
    void get(std::shared_ptr<T>& value) {
        bool has_value = false;
        get(has_value);
        value.reset();
        if (!has_value) return;
        auto found = std::make_shared<std::remove_const_t<T>>();
        get(*found);
        value = std::move(found);
    }
    template <class T>
    void get(T& value) {
        visit_state(*this, value);
    }

    std::string_view left_;
};

template <class Archive>
void visit_state(Archive& archive, Totals& x) {
    archive(x.id, x.rows, x.weight, x.cell, x.squares, x.is_one_number, x.deviance, x.mean, x.spread, x.risk,
            x.prediction);
}

template <class Archive>
void visit_state(Archive& archive, Grouping& x) {
    archive(x.levels, x.branch, x.branch_of);
}

// Without what other searches found, and without questions about many columns, which pieces do not have.
template <class Archive>
void visit_state(Archive& archive, Candidate& x) {
    archive(x.type, x.column, x.score, x.gain, x.information, x.is_free, x.below, x.code, x.low, x.high, x.n_branches,
            x.missing_branch, x.is_multiway, x.groups, x.cuts);
}

template <class Archive>
void visit_state(Archive& archive, KeptQuestion& x) {
    archive(x.column, x.tests_missing, x.is_multiway, x.is_flipped, x.cut, x.cuts, x.branch_of, x.first, x.second);
}

template <class Archive>
void visit_state(Archive& archive, Record& x) {
    std::int64_t rows = x.rows;  // a bit field
    archive(x.first_child, x.n_branches, x.moved_to, x.stats_at, x.column, x.tests_missing, x.is_multiway, x.cut,
            x.map_at, x.many_at, x.cuts_at, x.n_cuts, x.missing_branch, x.kept_at, x.n_surrogates, x.n_competitors,
            x.depth, x.reason, rows, x.weight, x.mean, x.spread, x.impurity, x.gain, x.score, x.prediction);
    x.rows = rows;
}

template <class Archive>
void visit_state(Archive& archive, Fragment& x) {
    archive(x.records, x.cells, x.maps, x.cuts, x.kept);
}

template <class Archive>
void visit_state(Archive& archive, RouteQuestion& x) {
    archive(x.column, x.branch_of);
}

template <class Archive>
void visit_state(Archive& archive, TreeRoutes& x) {
    archive(x.questions, x.otherwise);
}

// Without the sums of its columns.
template <class Archive>
void visit_state(Archive& archive, PieceNode& x) {
    archive(x.record, x.depth, x.id, x.n_done, x.used, x.totals, x.impurity, x.best, x.surrogates, x.competitors,
            x.active, x.questions, x.missing_branch, x.branches, x.undecided);
}

}  // namespace

template <class Archive>
void GrowerState::visit(Archive& archive, PieceGrower& grower) {
    archive(grower.fragments_, grower.routes_, grower.open_.queue_, grower.open_.small_, grower.open_.leaves_);
}

bool GrowerState::is_complete(const PieceGrower& grower) {
    return grower.is_planted_ && grower.families_.empty() && grower.taken_.empty() && grower.finished_.empty();
}

std::string GrowerState::saved(PieceGrower& grower) {
    StateWriter writer;
    visit(writer, grower);
    return writer.take();
}

void GrowerState::restore(PieceGrower& grower, std::string_view bytes) {
    StateReader reader(bytes);
    visit(reader, grower);
    reader.check_end();
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
