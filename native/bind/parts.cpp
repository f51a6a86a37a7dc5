// Python bindings of the registries: what the core has, which combinations have no kernel, and errors about parts.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind/growth.hpp"
#include "parts/errors.hpp"
#include "parts/registry.hpp"
#include "parts/without_kernel.hpp"

namespace nb = nanobind;
using namespace hornbeam;
using namespace hornbeam::bind;

namespace {

std::string text_of(nb::handle text) { return nb::borrow<nb::str>(text).c_str(); }

PartValue part_of(nb::handle given);

Setting setting_of(nb::handle value) {
    PyObject* given = value.ptr();
    if (given == Py_None) return {};
    if (PyBool_Check(given)) return given == Py_True;
    if (PyFloat_Check(given)) return PyFloat_AsDouble(given);
    if (PyUnicode_Check(given)) return text_of(value);
    if (PyLong_Check(given)) return nb::cast<std::int64_t>(value);
    if (PyTuple_Check(given) && PyTuple_Size(given) == 3 && PyDict_Check(PyTuple_GetItem(given, 2)))
        return std::make_shared<const PartValue>(part_of(value));
    std::vector<double> numbers;
    if (PyTuple_Check(given) && nb::try_cast(value, numbers)) return numbers;
    return OtherValue{nb::type_name(value.type()).c_str()};
}

// A part from a tuple (part type, name, dict of settings).
PartValue part_of(nb::handle given) {
    if (!PyTuple_Check(given.ptr()) || PyTuple_Size(given.ptr()) != 3)
        throw nb::value_error("A part must be a tuple (part type, name, settings).");
    const auto fields = nb::borrow<nb::tuple>(given);
    PartValue out{converted<std::string>(fields[0]), converted<std::string>(fields[1]), {}};
    for (const auto [key, value] : nb::cast<nb::dict>(fields[2]))
        out.settings.emplace_back(converted<std::string>(key), setting_of(value));
    return out;
}

std::vector<PartValue> parts_in(nb::handle given) {
    std::vector<PartValue> out;
    for (const nb::handle part : given) out.push_back(part_of(part));
    return out;
}

nb::object object_of(const Setting& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return nb::bool_(*flag);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return nb::int_(*whole);
    if (const auto* real = std::get_if<double>(&value)) return nb::float_(*real);
    if (const auto* text = std::get_if<std::string>(&value)) return nb::str(text->c_str());
    return nb::none();
}

nb::dict registered_parts() {
    nb::dict out;
    for (const PartType& type : part_types()) {
        nb::dict parts;
        for (const Registry& registry : type.registries)
            for (const RegisteredPart& part : registry) {
                nb::dict settings;
                for (const auto& [key, usual] : defaults_of(type.name, part)) settings[key.c_str()] = object_of(usual);
                parts[part.name] = settings;
            }
        out[type.name] = parts;
    }
    return out;
}

std::string kernel_lacking(const nb::dict& parts, const nb::dict& dict) {
    GrowthFacts facts;
    DictReader given(dict, "facts");
    given.take("n_rows", facts.n_rows);
    given.take("n_classes", facts.n_classes);
    given.take("n_levels", facts.n_levels);
    given.take("has_missing", facts.has_missing);
    given.take("has_first_question", facts.has_first_question);
    const nb::handle distinct = given.get("distinct_targets");
    facts.distinct_targets = [distinct] { return nb::cast<std::int64_t>(distinct()); };
    given.check_all_read();
    return without_kernel(method_parts_of(parts), facts);
}

// Python's classes of the errors, made once per process.
struct ErrorClasses {
    PyObject *base, *unknown_part, *unknown_setting, *bad_setting;
};
ErrorClasses classes;

PyObject* add_class(nb::module_& m, const char* name, const char* doc, PyObject* base) {
    const std::string full = std::string("hornbeam._native.") + name;
    PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), doc, base, nullptr);
    if (!made) throw nb::python_error();
    m.attr(name) = nb::borrow(made);
    return made;
}

void raise_part_error(const std::exception_ptr& pointer, void*) {
    try {
        std::rethrow_exception(pointer);
    } catch (const PartError& error) {
        PyObject* type = dynamic_cast<const UnknownPart*>(&error)      ? classes.unknown_part
                         : dynamic_cast<const UnknownSetting*>(&error) ? classes.unknown_setting
                                                                       : classes.bad_setting;
        const nb::object made = nb::borrow(type)(error.what());
        made.attr("part_type") = error.part_type;
        made.attr("name") = error.name;
        made.attr("key") = error.key;
        made.attr("known") = error.known;
        PyErr_SetObject(type, made.ptr());
    }
}

}  // namespace

MethodParts bind::method_parts_of(const nb::dict& dict) {
    DictReader given(dict, "parts");
    MethodParts out;
    out.criterion = part_of(given.get("criterion"));
    out.searches = parts_in(given.get("searches"));
    out.missing = part_of(given.get("missing"));
    out.stops = parts_in(given.get("stops"));
    out.order = part_of(given.get("order"));
    if (const nb::handle loss = given.find("loss")) out.loss = part_of(loss);
    given.check_all_read();
    return out;
}

void register_parts(nb::module_& m) {
    classes.base =
        add_class(m, "PartError", "An error about a part: part_type, name, key and the known names.", PyExc_ValueError);
    classes.unknown_part = add_class(m, "UnknownPart", "The core has no part of this name.", classes.base);
    classes.unknown_setting = add_class(m, "UnknownSetting", "The part has no setting of this name.", classes.base);
    classes.bad_setting = add_class(m, "BadSetting", "A setting has another type or value.", classes.base);
    nb::register_exception_translator(raise_part_error);
    m.def("parts", &registered_parts, "The parts of the core: by part type and name, the default of every setting.");
    m.def("without_kernel", &kernel_lacking, "parts"_a, "facts"_a,
          "A description of the part, or of the combination, that has no kernel; empty if the core can grow the tree.");
    m.def("combinations_without_kernel", &combinations_without_kernel,
          "All combinations of parts without a kernel, in general terms.");
}
