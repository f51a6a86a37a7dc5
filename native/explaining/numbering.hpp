// Numbering: numbers distinct words in the order of their first appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hornbeam {

// Uses a table while the words are short, else a hash map.
class Numbering {
  public:
    void start(std::size_t bits) {
        for (const std::uint64_t word : seen_) table_[word] = NONE;
        seen_.clear();
        hashed_.clear();
        is_short_ = bits <= MAX_TABLE_BITS;
        if (is_short_ && table_.size() < (std::size_t{1} << bits)) table_.resize(std::size_t{1} << bits, NONE);
        count_ = 0;
    }

    // The number of a word, and whether the word is new.
    std::pair<std::size_t, bool> operator()(std::uint64_t word) {
        if (!is_short_) {
            const auto [found, is_new] = hashed_.try_emplace(word, count_);
            count_ += is_new ? 1 : 0;
            return {found->second, is_new};
        }
        if (table_[word] != NONE) return {table_[word], false};
        seen_.push_back(word);
        table_[word] = static_cast<std::uint32_t>(count_);
        return {count_++, true};
    }

  private:
    static constexpr std::size_t MAX_TABLE_BITS = 16;
    static constexpr std::uint32_t NONE = 0xffffffffU;
    std::vector<std::uint32_t> table_;
    std::vector<std::uint64_t> seen_;
    std::unordered_map<std::uint64_t, std::size_t> hashed_;
    std::size_t count_ = 0;
    bool is_short_ = true;
};

}  // namespace hornbeam
