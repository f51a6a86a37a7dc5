// Who splits a node?  A worker: it divides the rows, records the children, stops or searches them, and queues what is
// to be split further. It writes into a fragment of the tree that is its own at the time.
#pragma once

#include <functional>
#include <vector>

#include "growing/assemble.hpp"
#include "growing/search.hpp"

namespace hornbeam {

struct Agreeing;

// What all workers of one growth share, and only read.
struct Job {
    const Plan& plan;
    const std::vector<ReadyColumn>& columns;
    const ColumnSearch& search;
    bool has_sparse = false;  // whether any column is sparse
    const RowTable& cells;    // of questions about many columns; empty when there are none
};

class Worker {
  public:
    // Runs body(i, scratch) for every i below count: here, or spread over the crew.
    using EachColumn = std::function<void(std::int64_t count, const std::function<void(std::int64_t, Scratch&)>& body)>;

    Worker(const Job& job, Scratch& scratch, Fragment& fragment) : job_(job), scratch_(scratch), fragment_(fragment) {}
    virtual ~Worker() = default;
    void use_crew(EachColumn each) { each_ = std::move(each); }

    // Records the root and queues it if it is to be split.
    void plant(Open&& root, std::vector<Open>& queue);
    // Splits a node and queues those of its children that are to be split, branch 0 first.
    void expand(Open& open, std::vector<Open>& queue);
    // Makes a leaf of a node after all.
    void close(const Open& open, Reason reason);

  protected:
    // How a node's rows fall: the first place of every branch, of the rows that end here, and the end.
    struct Parting {
        std::vector<std::int32_t> starts;
        bool in_two = false;  // `right` says the branch, else `branch` does
        std::int32_t missing_branch = -1;
        std::vector<std::int64_t> known;  // the weight of the rows that each branch has by the question itself
    };

    virtual Parting part_rows(Open& open);
    // The best question of every active column for the nodes to search: the root, or the children of a split. `spans`
    // of all nodes are filled where columns are sparse.
    virtual void search_columns(std::vector<Open>& nodes, std::vector<Open*>& searched,
                                const std::vector<std::int32_t>& active, const Open* parent, const Parting* parting,
                                std::vector<std::vector<Candidate>>& found, std::vector<std::vector<Span>>& spans);
    std::int32_t larger_branch(const Open& open, const std::vector<std::int64_t>& weight) const;
    template <class Body>
    void each_column(std::int64_t count, const Body& body) {
        if (each_) return each_(count, body);
        for (std::int64_t i = 0; i < count; ++i) body(i, scratch_);
    }

    const Job& job_;
    Scratch& scratch_;

  private:
    // Divides one column's list, or its entries, among the nodes.
    void part_column(std::vector<Open>& nodes, std::int32_t column, std::int64_t place, const Open* parent,
                     const Parting* parting, std::vector<std::vector<Span>>& spans, Scratch& scratch) const;
    void search_pairs(std::vector<Open>& nodes, std::vector<Open*>& searched, const std::vector<std::int32_t>& active,
                      const Open* parent, const Parting* parting, std::vector<std::vector<Candidate>>& found,
                      std::vector<std::vector<Span>>& spans);
    void mark_cut(Open& open, Parting& parting);
    void mark_codes(Open& open, Parting& parting);
    void mark_many(Open& open, Parting& parting);
    void ask_surrogates(Open& open, Parting& parting, const std::vector<std::int64_t>& known);
    void agree_by_codes(const Open& open, std::int32_t place, Agreeing& table) const;
    void keep_competitors(Open& node, std::vector<Candidate>& found, int chosen, double impurity);
    void mark(Open& open, Parting& parting);
    bool has_unknown(const Open& open) const;
    void expand_shared(Open& open, std::vector<Open>& queue);
    bool finish_column(Open& open) const;
    void mark_missing(Open& open, Parting& parting);
    void mark_reals(Open& open, Parting& parting);
    void part_list(AnyBlock& block, std::int32_t column, const Open& open, const Parting& parting,
                   Scratch& scratch) const;
    void part_sparse(AnyBlock& block, std::int32_t column, Span span, const Parting* parting, Scratch& scratch) const;
    const std::uint16_t* unpacked(const Open& open);
    void write_split(const Open& open, const Parting& parting, std::int32_t first);
    void write_node(const Open& open);
    void settle(std::vector<Open>& nodes, const std::vector<std::int32_t>& active, const Open* parent,
                const Parting* parting, std::vector<Open>& queue);
    void draw_columns(Open& node, std::vector<Candidate>& found, const std::vector<std::int32_t>& active,
                      const std::vector<Span>& spans) const;
    void search_many(Open& node, std::vector<Candidate>& found, Scratch& scratch) const;
    void look_ahead(Open& node, std::vector<Candidate>& found) const;
    void decide(Open& node, std::vector<Candidate>& found, std::vector<Open>& queue);
    void keep_drawn(const Open& node, std::vector<Candidate>& found) const;
    void settle_at_random(Open& node, const std::vector<std::int32_t>& active, std::vector<Open>& queue);
    std::vector<std::int32_t> looked_at(const Open& node, const std::vector<std::int32_t>& active,
                                        std::vector<Look>& looks, std::vector<Candidate>& found);
    Reason early_reason(const Open& open) const;
    bool all_alike(const Open& open) const;
    Reason late_reason(const Open& open) const;
    double threshold(const Candidate& best) const;

    Fragment& fragment_;
    EachColumn each_;
    // Used again for every node: what the columns of each child offer, and whether no other can offer more.
    std::vector<std::vector<Candidate>> found_;
    std::vector<char> is_parted_;
};

}  // namespace hornbeam
