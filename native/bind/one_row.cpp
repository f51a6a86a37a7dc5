// Python's door to a single row: a dict, list, tuple or array as Python holds it becomes numbers and codes, with no
// array made. Whatever is out of the ordinary (another type, an infinite number, a wrong length) is answered with None:
// tree/predictor.py then goes the way of `predict`, which knows what it means or says what is wrong with it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "walking/one_row.hpp"

namespace nb = nanobind;
using namespace hornbeam;

namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

constexpr double kLargestExact = 9007199254740992.0;  // 2^53: whole numbers beyond it may not be doubles
constexpr std::int32_t kMissingCode = -1, kUnseenCode = -2;

// A column: its name, and the code of each level unless it holds numbers.
struct RowColumn {
    nb::object name;
    nb::object codes;  // a dict, or None
    bool is_text = false;
};

struct Row {
    std::vector<double> numbers;
    std::vector<std::int32_t> codes;
};

// A number that Python holds; nothing where it is not plainly one.
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
        if (std::abs(number) >= kLargestExact) return {};
    } else if (value == Py_None) {
        number = std::numeric_limits<double>::quiet_NaN();
    } else {
        return {};
    }
    if (std::isinf(number)) return {};
    return number;
}

// The code of a level; nothing where that takes a closer look.
std::optional<std::int32_t> code_of(const RowColumn& column, PyObject* value) {
    if (value == Py_None) return kMissingCode;
    const bool is_text = PyUnicode_CheckExact(value) != 0;
    if (!is_text && PyFloat_CheckExact(value) && std::isnan(PyFloat_AsDouble(value))) return kMissingCode;
    if (is_text != column.is_text) return {};
    if (!is_text && !PyFloat_CheckExact(value) && !PyLong_CheckExact(value)) return {};
    PyObject* found = PyDict_GetItemWithError(column.codes.ptr(), value);
    if (found != nullptr) return static_cast<std::int32_t>(PyLong_AsLong(found));
    if (PyErr_Occurred()) throw nb::python_error();
    return kUnseenCode;
}

class RowPredictor {
  public:
    RowPredictor(OneRow model, nb::object kept, nb::list columns, nb::object labels)
        : model_(std::move(model)), kept_(std::move(kept)), labels_(std::move(labels)) {
        for (const nb::handle item : columns) {
            const auto parts = nb::cast<nb::tuple>(item);
            columns_.push_back({nb::borrow(parts[0]), nb::borrow(parts[1]), nb::cast<bool>(parts[2])});
            all_numbers_ &= columns_.back().codes.is_none();
        }
    }

    // The label or number said of a row, or None.
    nb::object answer(nb::handle given) const {
        std::vector<double> values(static_cast<std::size_t>(model_.width()));
        const std::int32_t code = told(given, values);
        if (code < 0) return nb::none();
        if (!model_.is_class()) return nb::float_(values[0]);
        return nb::borrow(labels_[static_cast<std::size_t>(code)]);
    }

    // The shares of the classes (or the number) of a row as a tuple, or None.
    nb::object shares(nb::handle given) const {
        std::vector<double> values(static_cast<std::size_t>(model_.width()));
        if (told(given, values) < 0) return nb::none();
        nb::object out = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
        for (std::size_t i = 0; i < values.size(); ++i)
            PyTuple_SetItem(out.ptr(), static_cast<Py_ssize_t>(i), PyFloat_FromDouble(values[i]));
        return out;
    }

  private:
    std::int32_t told(nb::handle given, std::vector<double>& values) const {
        Row row;
        row.numbers.resize(columns_.size());
        if (!all_numbers_) row.codes.resize(columns_.size());
        return is_read(given.ptr(), row) ? model_.tell(row.numbers.data(), row.codes.data(), values.data()) : -1;
    }

    bool is_read(PyObject* given, Row& row) const {
        if (PyDict_CheckExact(given)) {
            for (std::size_t i = 0; i < columns_.size(); ++i) {
                PyObject* value = PyDict_GetItemWithError(given, columns_[i].name.ptr());
                if (value == nullptr && PyErr_Occurred()) throw nb::python_error();
                if (value == nullptr || !is_put(i, value, row)) return false;
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
                if (!is_put(static_cast<std::size_t>(i), value, row)) return false;
            }
            return true;
        }
        return all_numbers_ && is_copied(given, row);
    }

    bool is_put(std::size_t column, PyObject* value, Row& row) const {
        if (columns_[column].codes.is_none()) {
            const std::optional<double> number = number_of(value);
            if (number) row.numbers[column] = *number;
            return number.has_value();
        }
        const std::optional<std::int32_t> code = code_of(columns_[column], value);
        if (code) row.codes[column] = *code;
        return code.has_value();
    }

    // An array of numbers, by its buffer.
    bool is_copied(PyObject* given, Row& row) const {
        if (PyUnicode_Check(given) || PyBytes_Check(given)) return false;
        Py_buffer view;
        if (PyObject_GetBuffer(given, &view, PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
            PyErr_Clear();
            return false;
        }
        const char kind = view.format != nullptr && std::strlen(view.format) == 1 ? view.format[0] : '?';
        bool is_good = view.ndim == 1 && view.shape[0] == static_cast<Py_ssize_t>(columns_.size());
        const auto copy = [&]<class T>(T value) {
            for (std::size_t i = 0; i < columns_.size(); ++i) {
                std::memcpy(&value, static_cast<const char*>(view.buf) + static_cast<Py_ssize_t>(i) * view.strides[0],
                            sizeof(T));
                row.numbers[i] = static_cast<double>(value);
                is_good &= !std::isinf(row.numbers[i]);
            }
        };
        if (is_good && kind == 'd')
            copy(double{});
        else if (is_good && kind == 'f')
            copy(float{});
        else
            is_good = false;
        PyBuffer_Release(&view);
        return is_good;
    }

    OneRow model_;
    nb::object kept_;  // the walker that the model looks at
    std::vector<RowColumn> columns_;
    nb::object labels_;
    bool all_numbers_ = true;
};

RowPredictor of_tree(nb::object walker, Values values, Numbers answer, nb::list columns, nb::object labels) {
    const OneRow model(nb::cast<const Walker&>(walker), {values.data(), values.size()}, {answer.data(), answer.size()},
                       static_cast<std::int64_t>(values.shape(1)));
    return RowPredictor(model, std::move(walker), std::move(columns), std::move(labels));
}

RowPredictor of_forest(nb::object walker, Numbers base, double divisor, int link, nb::list columns, nb::object labels) {
    const OneRow model(nb::cast<const ForestWalker&>(walker), {base.data(), base.size()}, divisor,
                       static_cast<Link>(link), !labels.is_none());
    return RowPredictor(model, std::move(walker), std::move(columns), std::move(labels));
}

}  // namespace

void register_one_row(nb::module_& m) {
    nb::class_<RowPredictor>(m, "RowPredictor", "A model laid out for one row at a time.")
        .def_static("of_tree", &of_tree, nb::arg("walker"), nb::arg("values"), nb::arg("answer"), nb::arg("columns"),
                    nb::arg("labels").none())
        .def_static("of_forest", &of_forest, nb::arg("walker"), nb::arg("base"), nb::arg("divisor"), nb::arg("link"),
                    nb::arg("columns"), nb::arg("labels").none())
        .def("answer", &RowPredictor::answer, nb::arg("row").none(), "The label or number of a row; None: look closer.")
        .def("shares", &RowPredictor::shares, nb::arg("row").none(), "The shares of a row; None: look closer.");
}
