// Runs every native test and prints how many passed; exit code 1 if one failed or none ran.
#include "tests/test.hpp"

int main() {
    int failed = 0;
    for (const auto& [name, body] : hornbeam::tests::all()) {
        try {
            body();
        } catch (const std::exception& error) {
            ++failed;
            std::printf("FAILED %s\n       %s\n", name.c_str(), error.what());
        }
    }
    const int total = static_cast<int>(hornbeam::tests::all().size());
    std::printf("%d passed, %d failed\n", total - failed, failed);
    return failed > 0 || total == 0 ? 1 : 0;
}
