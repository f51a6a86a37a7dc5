// Python bindings for single rows: converts a dict, list, tuple or array to values and codes without creating an array.
// Unusual input (another type, an infinite value, a wrong length) gives None: tree/predictor.py then calls `predict`,
// which supports it or raises an error.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "bind/arrays.hpp"
#include "walking/one_row.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

constexpr double MAX_EXACT = 9007199254740992.0;  // 2^53: larger integers may not be exact as doubles

// A column: its name, and the code of each level unless it is numeric.
struct RowColumn {
    nb::object name;
    nb::object codes;  // a dict, or None for a numeric column
    bool is_text = false;
};

struct Row {
    std::vector<double> numbers;
    std::vector<std::int32_t> codes;
};

// The value of a Python number; nothing for other types and infinite values.
std::optional<double> number_of(PyObject* value) {
    double number;
    if (PyFloat_CheckExact(value) || PyFloat_Check(value)) {
        number = PyFloat_AsDouble(value);
    } else if (PyLong_CheckExact(value)) {
        number = PyLong_AsDouble(value);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            return {};
        }
        if (std::abs(number) >= MAX_EXACT) return {};
    } else if (value == Py_None) {
        number = std::numeric_limits<double>::quiet_NaN();
    } else {
        return {};
    }
    if (std::isinf(number)) return {};
    return number;
}

// The code of a level; nothing if the type of the value does not match the levels.
std::optional<std::int32_t> code_of(const RowColumn& column, PyObject* value) {
    if (value == Py_None) return MISSING_CODE;
    const bool is_text = PyUnicode_CheckExact(value) != 0;
    if (!is_text && PyFloat_CheckExact(value) && std::isnan(PyFloat_AsDouble(value))) return MISSING_CODE;
    if (is_text != column.is_text) return {};
    if (!is_text && !PyFloat_CheckExact(value) && !PyLong_CheckExact(value)) return {};
    PyObject* found = PyDict_GetItemWithError(column.codes.ptr(), value);
    if (found != nullptr) return static_cast<std::int32_t>(PyLong_AsLong(found));
    if (PyErr_Occurred()) throw nb::python_error();
    return UNSEEN_CODE;
}

class RowPredictor {
  public:
    RowPredictor(OneRow model, nb::object walker, nb::list columns, nb::object labels)
        : model_(std::move(model)), walker_(std::move(walker)), labels_(std::move(labels)) {
        for (const nb::handle item : columns) {
            const auto fields = nb::cast<nb::tuple>(item);
            columns_.push_back({nb::borrow(fields[0]), nb::borrow(fields[1]), nb::cast<bool>(fields[2])});
            all_numbers_ &= columns_.back().codes.is_none();
        }
    }

    // The predicted label or value of a row, or None.
    nb::object predict(nb::handle given) const {
        std::vector<double> values(static_cast<std::size_t>(model_.width()));
        const std::int32_t code = fill(given, values);
        if (code < 0) return nb::none();
        if (!model_.is_class()) return nb::float_(values[0]);
        return nb::borrow(labels_[code]);
    }

    // The class probabilities (or the predicted value) of a row as a tuple, or None.
    nb::object probabilities(nb::handle given) const {
        std::vector<double> values(static_cast<std::size_t>(model_.width()));
        if (fill(given, values) < 0) return nb::none();
        nb::object out = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
        for (std::size_t i = 0; i < values.size(); ++i)
            PyTuple_SetItem(out.ptr(), static_cast<Py_ssize_t>(i), PyFloat_FromDouble(values[i]));
        return out;
    }

  private:
    // Fills the values of the prediction; returns the class, or -1 if the row cannot be read.
    std::int32_t fill(nb::handle given, std::vector<double>& values) const {
        Row row;
        row.numbers.resize(columns_.size());
        if (!all_numbers_) row.codes.resize(columns_.size());
        return read_row(given.ptr(), row) ? model_.predict(row.numbers.data(), row.codes.data(), values.data()) : -1;
    }

    bool read_row(PyObject* given, Row& row) const {
        if (PyDict_CheckExact(given)) {
            for (std::size_t i = 0; i < columns_.size(); ++i) {
                PyObject* value = PyDict_GetItemWithError(given, columns_[i].name.ptr());
                if (value == nullptr && PyErr_Occurred()) throw nb::python_error();
                if (value == nullptr || !read_cell(i, value, row)) return false;
            }
            return true;
        }
        const auto n = static_cast<Py_ssize_t>(columns_.size());
        if (PyList_CheckExact(given) || PyTuple_CheckExact(given)) {
            if (PySequence_Size(given) != n) return false;
            const bool is_list = PyList_CheckExact(given);
            for (Py_ssize_t i = 0; i < n; ++i) {
                PyObject* value = is_list ? PyList_GetItem(given, i) : PyTuple_GetItem(given, i);
                if (value == nullptr) throw nb::python_error();
                if (!read_cell(static_cast<std::size_t>(i), value, row)) return false;
            }
            return true;
        }
        return all_numbers_ && read_buffer(given, row);
    }

    bool read_cell(std::size_t column, PyObject* value, Row& row) const {
        if (columns_[column].codes.is_none()) {
            const std::optional<double> number = number_of(value);
            if (number) row.numbers[column] = *number;
            return number.has_value();
        }
        const std::optional<std::int32_t> code = code_of(columns_[column], value);
        if (code) row.codes[column] = *code;
        return code.has_value();
    }

    // Reads an array of floats through the buffer protocol.
    bool read_buffer(PyObject* given, Row& row) const {
        if (PyUnicode_Check(given) || PyBytes_Check(given)) return false;
        Py_buffer view;
        if (PyObject_GetBuffer(given, &view, PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
            PyErr_Clear();
            return false;
        }
        const char kind = view.format != nullptr && std::strlen(view.format) == 1 ? view.format[0] : '?';
        bool is_valid = view.ndim == 1 && view.shape[0] == static_cast<Py_ssize_t>(columns_.size());
        const auto copy = [&]<class T>(T value) {
            for (std::size_t i = 0; i < columns_.size(); ++i) {
                std::memcpy(&value, static_cast<const char*>(view.buf) + static_cast<Py_ssize_t>(i) * view.strides[0],
                            sizeof(T));
                row.numbers[i] = static_cast<double>(value);
                is_valid &= !std::isinf(row.numbers[i]);
            }
        };
        if (is_valid && kind == 'd')
            copy(double{});
        else if (is_valid && kind == 'f')
            copy(float{});
        else
            is_valid = false;
        PyBuffer_Release(&view);
        return is_valid;
    }

    OneRow model_;
    nb::object walker_;  // owns the data that the model refers to
    std::vector<RowColumn> columns_;
    nb::object labels_;
    bool all_numbers_ = true;
};

RowPredictor of_tree(nb::object walker, Matrix<const double> values, Array<double> labels_of_nodes, nb::list columns,
                     nb::object labels) {
    const OneRow model(nb::cast<const Walker&>(walker), span_of(values), span_of(labels_of_nodes),
                       static_cast<std::int64_t>(values.shape(1)));
    return RowPredictor(model, std::move(walker), std::move(columns), std::move(labels));
}

RowPredictor of_forest(nb::object walker, Array<double> base, double divisor, int link, nb::list columns,
                       nb::object labels) {
    const OneRow model(nb::cast<const ForestWalker&>(walker), span_of(base), divisor, static_cast<Link>(link),
                       !labels.is_none());
    return RowPredictor(model, std::move(walker), std::move(columns), std::move(labels));
}

}  // namespace

void register_one_row(nb::module_& m) {
    nb::class_<RowPredictor>(m, "RowPredictor", "Predictions of a model for one row at a time.")
        .def_static("of_tree", &of_tree, "walker"_a, "values"_a, "answer"_a, "columns"_a, "labels"_a.none())
        .def_static("of_forest", &of_forest, "walker"_a, "base"_a, "divisor"_a, "link"_a, "columns"_a,
                    "labels"_a.none())
        .def("answer", &RowPredictor::predict, "row"_a.none(),
             "The predicted label or value of a row; None if the row needs the general path.")
        .def("shares", &RowPredictor::probabilities, "row"_a.none(),
             "The class probabilities of a row; None if the row needs the general path.");
}
