// call_core: calls the core without the interpreter lock; Ctrl-C stops the call and raises the pending Python
// exception.
//
//     Grown grown = call_core([&](Stop& stop) { return grow(plan, stop); });
#pragma once

#include <nanobind/nanobind.h>

#include "core/pool.hpp"

namespace hornbeam::bind {

namespace nb = nanobind;

// Whether Ctrl-C was pressed, or another thread has raised an exception in this one, which running Python code notices:
// here a function that does nothing. The caller holds the interpreter lock.
inline bool is_interrupted() {
    if (PyErr_Occurred() || PyErr_CheckSignals() != 0) return true;  // the first: by an earlier call
    static PyObject* nothing = nb::module_::import_("builtins").attr("eval")("lambda: None").release().ptr();
    PyObject* result = PyObject_CallObject(nothing, nullptr);
    Py_XDECREF(result);
    return result == nullptr;
}

inline bool signal_is_pending() {
    nb::gil_scoped_acquire lock;
    return is_interrupted();
}

// Returns what the body returns.
template <class Body>
auto call_core(const Body& body, std::function<bool()> poll = signal_is_pending) {
    Stop stop(std::move(poll));
    try {
        nb::gil_scoped_release unlocked;
        const StopScope scope(stop, true);
        return body(stop);
    } catch (const Stopped&) {
        if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw nb::python_error();
    }
}

}  // namespace hornbeam::bind
