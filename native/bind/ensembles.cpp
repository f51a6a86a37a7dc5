// Python bindings of forests: a job and a task in, the arrays of every tree out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "bind/arrays.hpp"
#include "bind/call.hpp"
#include "bind/dict_reader.hpp"
#include "bind/growth.hpp"
#include "ensembles/forest.hpp"
#include "ensembles/forest_tree_grower.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

ForestTask task_of(const nb::dict& dict) {
    ForestTask task;
    DictReader given(dict, "task");
    given.take_enum("by", task.sampling.by);
    given.take("replace", task.sampling.replace);
    given.take("share", task.sampling.fraction);
    given.take("first", task.first);
    given.take("n_trees", task.n_trees);
    given.check_all_read();
    return task;
}

// The waiting thread calls progress(done) with the interpreter lock when it checks for Ctrl-C and a tree has finished.
nb::list grow_trees(const nb::dict& given, const nb::dict& given_task, const nb::object& progress) {
    const Plan plan = plan_of(given);
    const ForestTask task = task_of(given_task);
    std::atomic<std::int64_t> done{0};
    std::int64_t reported = 0;
    const auto poll = [&] {
        nb::gil_scoped_acquire lock;
        const std::int64_t now = done.load(std::memory_order_relaxed);
        if (!progress.is_none() && now > reported) {
            reported = now;
            PyObject* result = PyObject_CallFunction(progress.ptr(), "L", static_cast<long long>(now));
            if (!result) return true;
            Py_DECREF(result);
        }
        return is_interrupted();
    };
    std::vector<Grown> grown = call_core([&](Stop& stop) { return grow_forest(plan, task, stop, done); }, poll);
    nb::list out;
    for (Grown& tree : grown) out.append(arrays_of(std::move(tree)));
    return out;
}

// Where all columns compete, sorted columns are faster.
bool grows_at_once(const nb::dict& given) {
    const Plan plan = plan_of(given);
    return (plan.max_features >= 0 || plan.cuts.random) && has_forest_grower(plan);
}

// The number of times that each row is in the sample of a tree.
nb::object drawn_times(const nb::dict& given, const Array<std::int64_t>& target, int n_classes, std::uint64_t seed,
                       std::uint64_t tree) {
    const std::vector<std::uint16_t> classes(target.data(), target.data() + target.size());
    return owned(multiplicities(task_of(given).sampling, static_cast<std::int64_t>(target.size()),
                                n_classes > 0 ? classes.data() : nullptr, n_classes, seed, tree));
}

}  // namespace

void register_ensembles(nb::module_& m) {
    m.def("grow_forest", &grow_trees, "job"_a, "task"_a, "progress"_a = nb::none(),
          "Grow many trees, each on its own sample of rows; returns the list of what grow returns. grows_at_once(job) "
          "must be true.");
    m.def("grows_at_once", &grows_at_once, "job"_a,
          "Whether grow_forest supports a job, and is faster than growing one tree after the other.");
    m.def("drawn_times", &drawn_times, "task"_a, "target"_a, "n_classes"_a, "seed"_a, "tree"_a,
          "The number of times that each row is in the sample of a tree.");
}
