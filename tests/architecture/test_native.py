"""The C++ core keeps its limits: layers, no include cycles, small classes, short signatures; debts only shrink."""

from __future__ import annotations

import pytest
from tests.architecture.native_code import Class, includes, read
from tests.architecture.native_measures import cycles, differences, files, folder_order, listed, measured, upward


def test_what_exceeds_a_limit_is_a_listed_debt_of_exactly_this_size():
    advice = "python -m tests.architecture.native_measures --write lists debts that have shrunk or are gone"
    assert differences(measured(), listed()) == [], advice


def test_every_folder_has_a_place_in_the_order():
    assert {path.partition("/")[0] for path in files()} == set(folder_order())


def test_a_debt_that_is_new_grown_shrunk_or_gone_is_reported():
    found = {"members": {"a": 20, "b": 17, "c": 30}}
    debts = {"members": {"b": 18, "c": 29, "d": 16}}
    assert [line.partition(":")[0] for line in differences(found, debts)] == ["new", "shrunk", "grown", "gone"]


def test_includes_that_point_up_and_cycles_are_found():
    graph = {"low/a.hpp": ["high/b.hpp"], "high/b.hpp": ["low/c.hpp"], "low/c.hpp": ["low/a.hpp"], "low/d.hpp": []}
    assert upward(graph, ["high", "low"]) == {"low -> high": 1}
    assert cycles(graph) == {"high/b.hpp": 3}
    assert includes('#include "core/a.hpp"\n#include <vector>\n// #include "core/b.hpp"\n') == ["core/a.hpp"]


@pytest.mark.parametrize(
    ("text", "members", "fields"),
    [
        ("struct A { int a = 0, b = 1; std::map<int, int> c; };", 0, 3),
        ("class A final : public B { public: A() : a_(1), b_{2} {} ~A(); private: int a_, b_{0}; };", 2, 2),
        ("struct A { std::function<void(int, int)> call; double (*rule)(int); static int n; };", 0, 2),
        ("struct A { bool operator()(int a) const { return a < 1; } A& operator=(const A&) = delete; };", 1, 0),
        (
            "struct A { // int x;\n struct B { int y; } b; enum class C { d, e }; using D = int; friend class F; };",
            0,
            0,
        ),
        ("template <class T, int N> struct A { template <class U> void f(U u) { g<U>(u); } T t[N] = {}; };", 1, 1),
        ("struct alignas(64) A { [[nodiscard]] int f() const; std::vector<int> v = {1, 2}, w; };", 1, 2),
    ],
)
def test_member_functions_and_fields_are_counted(text, members, fields):
    found = read(text).classes[0]
    assert found == Class("A", members, fields)


def test_parameters_are_counted_with_defaults_templates_and_callbacks():
    text = """
    namespace n { namespace {
    void none();
    int two(std::map<int, int> a, int b = f(1, 2));
    template <class T> T C<T>::three(const T (&x)[3], std::function<void(int, int)> y, int z) const { return x[0]; }
    template void C<int>::four(int, int, int, int);
    const auto value = call(1, 2, 3);
    } }
    """
    assert read(text).signatures == [("none", 0), ("two", 2), ("C::three", 3)]
