// A small test runner:  TEST("a sentence that is true") { CHECK(1 + 1 == 2); }
#pragma once

#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hornbeam::tests {

inline std::vector<std::pair<std::string, std::function<void()>>>& all() {
    static std::vector<std::pair<std::string, std::function<void()>>> tests;
    return tests;
}

struct Registered {
    Registered(std::string name, std::function<void()> body) { all().emplace_back(std::move(name), std::move(body)); }
};

inline void check(bool is_true, const char* what, const char* file, int line) {
    if (!is_true) throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

}  // namespace hornbeam::tests

#define HB_JOIN2(a, b) a##b
#define HB_JOIN(a, b) HB_JOIN2(a, b)
#define TEST(sentence)                                                                                           \
    static void HB_JOIN(test_, __LINE__)();                                                                      \
    static const hornbeam::tests::Registered HB_JOIN(registered_, __LINE__)(sentence, HB_JOIN(test_, __LINE__)); \
    static void HB_JOIN(test_, __LINE__)()
#define CHECK(condition) hornbeam::tests::check((condition), #condition, __FILE__, __LINE__)
