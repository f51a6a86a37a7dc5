// What does a search of many columns need to know of a node's target?  Growing answers (growing/judge.cpp); the fits
// never see the target itself but as groups and sides.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/random.hpp"
#include "oblique/dense.hpp"

namespace hornbeam {

using RowSides = std::vector<std::int8_t>;  // the branch of every row of the node; -1: unknown

// The best question about one column, as far as the fits look at it.
struct Rival {
    bool is_there = false;
    RowSides branch;           // empty unless it has two branches
    std::int32_t column = -1;  // of a cut of numbers
    double cut = 0.0;
    bool is_cut = false;
};

// Memory that the judge of one node after another uses again.
struct JudgeRoom {
    struct Item {
        std::uint64_t key;
        std::uint32_t position;
    };
    std::vector<std::uint32_t> rows;
    std::vector<std::uint16_t> classes;
    std::vector<Item> items, spare;
    std::vector<std::uint64_t> list;
    Vector ascending, numbers;
};

class Judge {
  public:
    explicit Judge(JudgeRoom& room) : classes(room.classes), numbers(room.numbers) {}
    virtual ~Judge() = default;
    int n_classes = 0;                    // 0: numbers
    std::vector<std::uint16_t>& classes;  // of every row of the node
    Vector& numbers;                      // room for one number a row
    Rival rival;

    virtual double tolerance() const = 0;
    bool beats(double score, double other) const { return score - other > tolerance(); }
    // The best cut of the rows by a number each; false when none is admissible.
    virtual bool cut(const Vector& numbers, double& score, double& at) = 0;
    // Between the lower weighted median of the known numbers and the next larger one. `is_exact`: numbers are equal
    // only if they are the same, not when they differ by rounding alone.
    virtual bool median(const Vector& numbers, bool is_exact, double& at) = 0;
    // The score of given sides; false when the limits forbid them.
    virtual bool score(const RowSides& sides, double& out) = 0;
    // Where every row costs less (+1: branch 1), and its weight times how much less.
    virtual void wanted_sides(const RowSides& sides, Vector& signs, Vector& weights) = 0;
    // Rows change sides one after the other, `joins` saying whether to the right one; the best moment among that before
    // all and those after the rows `ends`. Returns its score, minus infinity when there is none.
    virtual double sweep(const std::vector<std::uint8_t>& right, const std::vector<std::uint32_t>& turning,
                         const std::vector<std::uint8_t>& joins, const std::vector<std::uint32_t>& ends,
                         std::size_t& best) = 0;
    // The node's draws for oblique questions.
    virtual Stream stream() const = 0;
};

}  // namespace hornbeam
