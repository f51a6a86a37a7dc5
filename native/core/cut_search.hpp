// CutSearch: the number of ascending cuts below each of many values.
//
// All searches take the same steps, without a branch that depends on the data, so several of them run in parallel to
// hide the latency of the loads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace hornbeam {

class CutSearch {
  public:
    explicit CutSearch(std::span<const double> cuts) : cuts_(cuts.begin(), cuts.end()) {
        if (cuts.empty()) cuts_ = {std::numeric_limits<double>::infinity()};  // which is below no value
    }

    // The number of cuts below a value.
    std::int32_t below(double value) const {
        std::int32_t out = 0;
        code_some<1>(&value, 0, &out);
        return out;
    }

    // The code of each value: the number of cuts below it, or `missing` for NaN.
    template <class Code>
    void code(std::span<const double> values, Code missing, Code* codes) const {
        std::size_t row = 0;
        for (; row + WIDTH <= values.size(); row += WIDTH) code_some<WIDTH>(&values[row], missing, &codes[row]);
        for (; row < values.size(); ++row) code_some<1>(&values[row], missing, &codes[row]);
    }

  private:
    static constexpr std::size_t WIDTH = 16;

    template <std::size_t N, class Code>
    void code_some(const double* values, Code missing, Code* codes) const {
        const double* const cuts = cuts_.data();
        std::int32_t at[N] = {};
        auto left = static_cast<std::int32_t>(cuts_.size());
        while (left > 1) {
            const std::int32_t half = left / 2;
            for (std::size_t i = 0; i < N; ++i)
                at[i] += half & -static_cast<std::int32_t>(cuts[at[i] + half - 1] < values[i]);
            left -= half;
        }
        for (std::size_t i = 0; i < N; ++i)
            codes[i] = values[i] != values[i] ? missing : static_cast<Code>(at[i] + (cuts[at[i]] < values[i]));
    }

    std::vector<double> cuts_;
};

}  // namespace hornbeam
