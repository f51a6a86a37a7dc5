// CutSearch: the number of ascending cuts below each of many values.
//
// The cuts are padded to a power of two, so that every search takes the same steps without a branch. Eight searches run
// in parallel to hide the latency of the loads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace hornbeam {

class CutSearch {
  public:
    explicit CutSearch(std::span<const double> cuts) {
        while (half_ * 2 <= cuts.size()) half_ *= 2;
        padded_.assign(cuts.begin(), cuts.end());
        padded_.resize(half_ * 2, std::numeric_limits<double>::infinity());
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
    static constexpr std::size_t WIDTH = 8;

    template <std::size_t N, class Code>
    void code_some(const double* values, Code missing, Code* codes) const {
        std::size_t below[N] = {};
        for (std::size_t step = half_; step > 0; step /= 2)
            for (std::size_t i = 0; i < N; ++i) below[i] += padded_[below[i] + step - 1] < values[i] ? step : 0;
        for (std::size_t i = 0; i < N; ++i) codes[i] = values[i] != values[i] ? missing : static_cast<Code>(below[i]);
    }

    std::size_t half_ = 1;
    std::vector<double> padded_;
};

}  // namespace hornbeam
