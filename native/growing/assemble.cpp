#include "growing/assemble.hpp"

#include <algorithm>

#include "core/stop.hpp"

namespace hornbeam {
namespace {

struct RecordIndex {
    std::int32_t fragment = 0, record = 0;
};

class Assembly {
  public:
    Assembly(const Plan& plan, const std::vector<Fragment>& fragments, const std::vector<ReadyColumn>& columns)
        : plan_(plan), fragments_(fragments), columns_(columns) {
        const std::size_t numbers = std::max<std::size_t>(plan.target.several.size(), 1);
        out_.width = plan.target.is_class() ? plan.target.n_classes : static_cast<int>(numbers) + 2;
        std::size_t n_nodes = 0;
        for (const Fragment& fragment : fragments) {
            number_.emplace_back(fragment.records.size(), -1);
            n_nodes += fragment.records.size();
        }
        reserve(n_nodes);
        out_.whole_start = {0};
        out_.reals_start = {0};
    }

    Grown run() {
        add_node(resolved({0, 0}), -1);
        std::vector<RecordIndex> stack = {resolved({0, 0})};
        while (!stack.empty()) {
            const RecordIndex at = stack.back();
            stack.pop_back();
            const Record& record = of(at);
            if (record.is_leaf()) continue;
            const std::int32_t node = number_[at.fragment][at.record];
            out_.first_child[node] = static_cast<std::int32_t>(out_.parent.size());
            for (std::int32_t b = 0; b < record.n_branches; ++b)
                add_node(resolved({at.fragment, record.first_child + b}), node);
            for (std::int32_t b = record.n_branches; b-- > 0;)
                stack.push_back(resolved({at.fragment, record.first_child + b}));
        }
        for (std::size_t node = 0; node < records_.size(); ++node)
            if (out_.first_child[node] >= 0)
                out_.question[node] =
                    add_question(question_of(of(records_[node]), fragments_[records_[node].fragment]));
        if (plan_.missing.surrogates >= 0 || plan_.competitors > 0) add_kept();
        return std::move(out_);
    }

  private:
    // The location of a record: one that moved to its own fragment is node 0 there.
    RecordIndex resolved(RecordIndex at) const {
        const std::int32_t moved = fragments_[at.fragment].records[at.record].moved_to;
        return moved >= 0 ? RecordIndex{moved, 0} : at;
    }
    const Record& of(RecordIndex at) const { return fragments_[at.fragment].records[at.record]; }

    // Reserves all nodes at once: growing arrays fragment the memory.
    void reserve(std::size_t n_nodes) {
        records_.reserve(n_nodes);
        for (auto* each :
             {&out_.parent, &out_.first_child, &out_.n_branches, &out_.question, &out_.missing_branch, &out_.depth})
            each->reserve(n_nodes);
        for (auto* each : {&out_.weight, &out_.impurity, &out_.gain, &out_.score}) each->reserve(n_nodes);
        out_.reason.reserve(n_nodes), out_.rows.reserve(n_nodes), out_.stats.reserve(n_nodes * out_.width);
        if (plan_.target.is_class() || plan_.criterion.leaf_quantile >= 0) out_.prediction.reserve(n_nodes);
    }

    void add_node(RecordIndex at, std::int32_t parent) {
        const Record& record = of(at);
        const Target& target = plan_.target;
        check_stop(target.n_classes);
        number_[at.fragment][at.record] = static_cast<std::int32_t>(out_.parent.size());
        records_.push_back(at);
        const std::int64_t* cell = fragments_[at.fragment].cells.data() + record.stats_at;
        append_node(record, target, out_);
        out_.first_child.back() = -1;  // its children have no index yet
        out_.parent.push_back(parent);
        out_.n_branches.push_back(record.is_leaf() ? 0 : record.n_branches);
        out_.question.push_back(-1);
        out_.missing_branch.push_back(record.missing_branch);
        out_.depth.push_back(record.depth);
        out_.score.push_back(record.is_leaf() ? 0.0 : record.score);
        if (plan_.criterion.leaf_quantile >= 0) out_.prediction.push_back(record.prediction);
        if (target.is_class()) {
            append_class_weights(cell, target, out_);
            out_.prediction.push_back(majority_class(cell, target.n_classes));
        } else if (target.several.empty()) {
            append_moments(record.mean, record.spread, out_);
        } else {
            out_.stats.push_back(out_.weight.back());
            for (std::size_t t = 0; t < target.several.size(); ++t)
                out_.stats.push_back(target.several[t].origin + static_cast<double>(cell[1 + t]) /
                                                                    static_cast<double>(cell[0]) *
                                                                    target.several[t].unit);
            out_.stats.push_back(record.spread);
        }
    }

    // The first class of largest weight; fractional weights within 1e-12 of it tie.
    static double majority_class(const std::int64_t* counts, int n_classes) {
        const auto largest = static_cast<double>(*std::max_element(counts, counts + n_classes));
        const auto* first = std::find_if(counts, counts + n_classes, [=](std::int64_t count) {
            return static_cast<double>(count) >= largest - 1e-12 * largest;
        });
        return static_cast<double>(first - counts);
    }

    KeptQuestion question_of(const Record& record, const Fragment& fragment) const {
        KeptQuestion out;
        out.column = record.column;
        out.tests_missing = record.tests_missing;
        out.is_multiway = record.is_multiway;
        out.cut = record.cut;
        if (record.cuts_at >= 0) {
            const auto* cuts = fragment.cuts.data() + record.cuts_at;
            out.cuts.assign(cuts, cuts + record.n_cuts);
        }
        if (record.many_at >= 0) out.many = fragment.many[record.many_at];
        if (record.map_at >= 0) {
            const auto* map = fragment.maps.data() + record.map_at;
            out.branch_of.assign(map, map + columns_[record.column].n_codes);
        }
        return out;
    }

    // Appends a row to the question table.
    std::int32_t add_question(const KeptQuestion& question) {
        if (question.many) return add_many(*question.many);
        if (question.tests_missing) {
            out_.whole.push_back(plan_.columns[question.column].n_levels);
            return out_.add(question.column, IS_MISSING, Encoding::cuts);
        }
        if (!question.branch_of.empty()) {
            out_.whole.insert(out_.whole.end(), question.branch_of.begin(), question.branch_of.end());
            return out_.add(question.column, question.is_multiway ? EACH_VALUE : SUBSET, Encoding::map);
        }
        if (!question.cuts.empty()) {
            out_.reals.insert(out_.reals.end(), question.cuts.begin(), question.cuts.end());
            const bool is_one = question.cuts.size() == 1;
            return out_.add(question.column, is_one ? THRESHOLD : INTERVALS, Encoding::cuts);
        }
        out_.reals.push_back(question.cut);
        return out_.add(question.column, THRESHOLD, Encoding::cuts);
    }

    // Surrogates and competitors of all nodes, in the order of nodes.
    void add_kept() {
        out_.surrogate_start = out_.competitor_start = {0};
        for (const RecordIndex at : records_) {
            const Record& record = of(at);
            const KeptQuestion* kept = fragments_[at.fragment].kept.data() + std::max(record.kept_at, 0);
            const bool is_leaf = record.is_leaf();
            for (std::int32_t i = 0; !is_leaf && i < record.n_surrogates; ++i, ++kept) {
                out_.surrogate_question.push_back(add_question(*kept));
                out_.surrogate_flipped.push_back(kept->is_flipped);
                out_.surrogate_agree.push_back(kept->first);
                out_.surrogate_adjusted.push_back(kept->second);
            }
            for (std::int32_t i = 0; !is_leaf && i < record.n_competitors; ++i, ++kept) {
                out_.competitor_question.push_back(add_question(*kept));
                out_.competitor_gain.push_back(kept->first);
                out_.competitor_score.push_back(kept->second);
            }
            out_.surrogate_start.push_back(static_cast<std::int64_t>(out_.surrogate_question.size()));
            out_.competitor_start.push_back(static_cast<std::int64_t>(out_.competitor_question.size()));
        }
    }

    std::int32_t add_many(const ManyQuestion& question) {
        if (question.kind == ManyQuestion::Kind::all) return add_all(question);
        if (question.given) return out_.add(question.given->place, question.number(), Encoding::cuts);
        const bool is_cut = question.kind == ManyQuestion::Kind::threshold,
                   is_ball = question.kind == ManyQuestion::Kind::ball;
        out_.reals.insert(out_.reals.end(), question.reals.begin(), question.reals.end());
        if (is_cut) return out_.add(question.terms[0], question.number(), Encoding::cuts);
        out_.whole.insert(out_.whole.end(), question.terms.begin(), question.terms.end());
        return out_.add(-1, question.number(), is_ball ? Encoding::ball : Encoding::plane);
    }

    // Adds the questions of the literals first; then is_any, and the row and negation of each literal.
    std::int32_t add_all(const ManyQuestion& question) {
        std::vector<std::int32_t> whole = {0};
        for (const Literal& literal : question.literals) {
            KeptQuestion one;
            one.column = literal.column;
            one.cut = literal.cut;
            one.branch_of = literal.branch_of;
            one.tests_missing = literal.tests_missing;
            whole.push_back(add_question(one));
            whole.push_back(literal.is_negated);
        }
        out_.whole.insert(out_.whole.end(), whole.begin(), whole.end());
        return out_.add(-1, question.number(), Encoding::combined);
    }

    const Plan& plan_;
    const std::vector<Fragment>& fragments_;
    const std::vector<ReadyColumn>& columns_;
    std::vector<std::vector<std::int32_t>> number_;
    std::vector<RecordIndex> records_;  // per node
    Grown out_;
};

}  // namespace

Grown assembled(const Plan& plan, const std::vector<Fragment>& fragments, const std::vector<ReadyColumn>& columns) {
    return Assembly(plan, fragments, columns).run();
}

}  // namespace hornbeam
