// A column whose ranks or codes are computed once, at first need, and kept for any number of growths on some of its
// rows.
//
//   listed   the rows in the order of their values, 4 bytes each; the top bit marks the first row of a value
//   coded    one code per row; if most rows have the same code, also the list of the other rows
//
// What is kept never changes. Threads that need it at the same time each compute it, and the first result is kept: no
// lock, so a forked process cannot find one that is held.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/data.hpp"

namespace hornbeam {

// Some rows of a table, each once, and the position of every row of the table among them. They are a table of their
// own, or a node of the table: then values that occur in other rows only are values of the column as well.
class ChosenRows {
  public:
    static constexpr std::uint32_t NOT_CHOSEN = 0xFFFFFFFFu;
    // Throws std::invalid_argument if a row occurs twice or is not below `n_table_rows`.
    ChosenRows(const std::uint32_t* rows, std::int64_t n, std::int64_t n_table_rows, bool is_node);

    std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
    std::int64_t n_table_rows() const { return static_cast<std::int64_t>(position_.size()); }
    const std::uint32_t* rows() const { return rows_.data(); }
    const std::uint32_t* position() const { return position_.data(); }
    bool is_ascending() const { return is_ascending_; }
    bool is_node() const { return is_node_; }

  private:
    std::vector<std::uint32_t> rows_, position_;
    bool is_ascending_ = true, is_node_;
};

class KeptColumn {
  public:
    // Refers to the arrays of the column, which must outlive it.
    KeptColumn(const SourceColumn& source, std::int64_t n_rows);
    ~KeptColumn();
    KeptColumn(const KeptColumn&) = delete;
    KeptColumn& operator=(const KeptColumn&) = delete;

    std::int64_t n_rows() const { return n_rows_; }
    const SourceColumn& source() const { return source_; }
    // The column as `ranked` or `coded` prepare it for growth, then `make_sparse` if requested.
    ReadyColumn ready(bool keep_values, bool may_be_sparse) const;
    // The same for these rows, in their order. Levels only as a node.
    ReadyColumn ready(const ChosenRows& rows, bool keep_values) const;
    // The number of bytes that are kept at present.
    std::int64_t n_bytes() const;

  private:
    struct Form;
    const Form& form() const;
    const ReadyColumn& sparse() const;

    SourceColumn source_;
    std::int64_t n_rows_;
    mutable std::atomic<const Form*> form_{nullptr};
    mutable std::atomic<const ReadyColumn*> sparse_{nullptr};
};

}  // namespace hornbeam
