// call_core: calls the core without the interpreter lock; Ctrl-C stops the call and raises the pending Python
// exception.
//
//     call_core([&](Stop& stop) { grow(plan, threads, stop); });
#pragma once

#include <nanobind/nanobind.h>

#include "core/pool.hpp"

namespace hornbeam::bind {

namespace nb = nanobind;

inline bool signal_is_pending() {
    nb::gil_scoped_acquire lock;
    return PyErr_CheckSignals() != 0;
}

template <class Body>
void call_core(Body&& body, std::function<bool()> poll = signal_is_pending) {
    Stop stop(std::move(poll));
    try {
        nb::gil_scoped_release unlocked;
        const StopScope scope(stop, true);
        body(stop);
    } catch (const Stopped&) {
        if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw nb::python_error();
    }
}

}  // namespace hornbeam::bind
