// Python's door to many trees: a plan and a task in, the arrays of every tree out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "bind/call.hpp"
#include "bind/growth.hpp"
#include "ensembles/forest.hpp"
#include "ensembles/lean.hpp"

namespace nb = nanobind;
using namespace hornbeam;

namespace {

template <class T>
void take(const nb::dict& from, const char* name, T& to) {
    if (from.contains(name)) to = nb::cast<T>(from[name]);
}

ForestTask task_of(const nb::dict& given) {
    ForestTask task;
    if (given.contains("by")) task.draw.by = static_cast<DrawBy>(nb::cast<int>(given["by"]));
    take(given, "replace", task.draw.replace);
    take(given, "share", task.draw.share);
    take(given, "first", task.first);
    take(given, "n_trees", task.n_trees);
    return task;
}

// `progress(done)` is called by the waiting thread, lock held, whenever it looks for Ctrl-C and a tree has ended.
nb::list grow_trees(const nb::dict& given, const nb::dict& given_task, const nb::object& progress) {
    const Plan plan = bind::plan_of(given);
    const ForestTask task = task_of(given_task);
    std::atomic<std::int64_t> done{0};
    std::int64_t told = 0;
    std::vector<Grown> grown;
    const auto poll = [&] {
        nb::gil_scoped_acquire lock;
        const std::int64_t now = done.load(std::memory_order_relaxed);
        if (!progress.is_none() && now > told) {
            told = now;
            PyObject* answer = PyObject_CallFunction(progress.ptr(), "L", static_cast<long long>(now));
            if (!answer) return true;
            Py_DECREF(answer);
        }
        return PyErr_CheckSignals() != 0;
    };
    bind::call_core([&](Stop& stop) { grown = grow_forest(plan, task, stop, done); }, poll);
    nb::list out;
    for (Grown& tree : grown) out.append(bind::arrays_of(std::move(tree)));
    return out;
}

bool is_lean_plan(const nb::dict& given) { return is_lean(bind::plan_of(given)); }

using Classes = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// How often each row is drawn for a tree.
nb::object drawn_times(const nb::dict& given, const Classes& target, int n_classes, std::uint64_t seed,
                       std::uint64_t tree) {
    const std::vector<std::uint16_t> classes(target.data(), target.data() + target.size());
    auto* times =
        new std::vector<std::uint32_t>(multiplicities(task_of(given).draw, static_cast<std::int64_t>(target.size()),
                                                      n_classes > 0 ? classes.data() : nullptr, n_classes, seed, tree));
    nb::capsule owner(times, [](void* p) noexcept { delete static_cast<std::vector<std::uint32_t>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>>(times->data(), {times->size()}, owner));
}

}  // namespace

void register_ensembles(nb::module_& m) {
    m.def("grow_forest", &grow_trees, nb::arg("plan"), nb::arg("task"), nb::arg("progress") = nb::none(),
          "Grow many trees, each on rows drawn for it: a list of what grow returns. The plan must be lean.");
    m.def("is_lean", &is_lean_plan, nb::arg("plan"), "Whether grow_forest serves a plan.");
    m.def("drawn_times", &drawn_times, nb::arg("task"), nb::arg("target"), nb::arg("n_classes"), nb::arg("seed"),
          nb::arg("tree"), "How often each row is drawn for a tree.");
}
