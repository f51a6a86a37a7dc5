// See forest.hpp. This file walks; forest_layout.cpp makes the layout.
#include "walking/forest.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace hornbeam {
namespace {

constexpr std::int64_t kRows = 512;        // a block: its codes stay in the innermost cache
constexpr std::int64_t kManyRows = 16384;  // a block where the trees do not stay there: each is fetched once a block
constexpr std::size_t kCache = 1 << 20;    // bytes of trees that stay in the cache from block to block
constexpr std::int64_t kFewRows = 64;      // below this, waking threads costs more than walking

// How many cuts lie below x, for sixteen x at once: the steps of the search are the same for all, so they overlap, and
// none depends on a guess.
constexpr std::int64_t kSide = 16;
constexpr std::int64_t kFewLeft = 4;  // so few are searched one by one

template <class Code>
void count_below(const std::vector<double>& cuts, const double* x, Code* out) {
    const double* const all = cuts.data();
    std::int32_t at[kSide] = {};
    auto left = static_cast<std::int32_t>(cuts.size());
    while (left > 1) {
        const std::int32_t half = left / 2;
        for (std::int64_t i = 0; i < kSide; ++i)
            at[i] += half & -static_cast<std::int32_t>(all[at[i] + half - 1] < x[i]);
        left -= half;
    }
    for (std::int64_t i = 0; i < kSide; ++i) out[i] = static_cast<Code>(at[i] + (all[at[i]] < x[i] ? 1 : 0));
}

template <class Code>
void count_all_below(const std::vector<double>& cuts, const double* x, std::int64_t n, Code* out) {
    std::int64_t at = 0;
    for (; at + kSide <= n; at += kSide) count_below(cuts, x + at, out + at);
    if (n - at <= kFewLeft) {
        for (; at < n; ++at)
            out[at] = static_cast<Code>(std::lower_bound(cuts.begin(), cuts.end(), x[at]) - cuts.begin());
        return;
    }
    double rest[kSide] = {};
    Code codes[kSide];
    std::copy(x + at, x + n, rest);
    count_below(cuts, rest, codes);
    std::copy_n(codes, n - at, out + at);
}

}  // namespace

// Working memory of one thread.
struct ForestWalker::Room {
    std::vector<std::uint64_t> codes;  // of the block, column after column; missing as the least and as the greatest
    std::vector<const void*> base;     // twice a column in use: missing goes left, missing goes right
    std::vector<std::int32_t> nodes;
    std::vector<std::uint8_t> met;
    std::vector<WalkColumn> own;  // the columns of one tree
    std::vector<std::int64_t> rows;
    std::vector<std::int32_t> starts;
    std::vector<double> mixed;
};

// Turns the block's numbers into codes. Says whether some value is missing or unseen.
template <class Code>
bool ForestWalker::fill_codes(std::span<const WalkColumn> columns, std::int64_t begin, std::int64_t count,
                              Room& room) const {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Code);
    room.codes.resize((2 * used_.size() * bytes + 7) / 8);
    room.base.resize(2 * used_.size());
    auto* to = reinterpret_cast<Code*>(room.codes.data());
    bool is_any = false;
    for (std::size_t place = 0; place < used_.size(); ++place) {
        const WalkColumn& column = columns[static_cast<std::size_t>(used_[place])];
        room.base[2 * place] = room.base[2 * place + 1] = to;
        bool is_missing = false;
        if (column.numbers != nullptr) {
            const double* x = column.numbers + begin;
            if (cuts_[place].empty())
                std::fill_n(to, count, Code{0});
            else
                count_all_below(cuts_[place], x, count, to);
            for (std::int64_t i = 0; i < count; ++i) is_missing |= std::isnan(x[i]);
            if (is_missing) {
                Code* high = to + count;
                std::copy_n(to, count, high);
                for (std::int64_t i = 0; i < count; ++i) {
                    if (!std::isnan(x[i])) continue;
                    to[i] = 0;
                    high[i] = NEVER<Code>;
                }
                room.base[2 * place + 1] = high;
                to = high;
            }
        } else {
            // A level's bit in the masks: 0 unseen, 1 missing, then the levels.
            const std::int32_t* codes = column.codes + begin;
            for (std::int64_t i = 0; i < count; ++i) {
                to[i] = static_cast<Code>(codes[i] + 2);
                is_missing |= codes[i] < 0;
            }
        }
        is_any |= is_missing;
        to += count;
    }
    return is_any;
}

// All rows take as many steps as the longest path has; those that have arrived stay where they are. No step depends on
// a guess, and sixteen rows are under way at once.
template <class N, class Code>
void ForestWalker::even_loop(const N* nodes, const Member& member, std::int64_t count, Room& room) const {
    const auto* const* base = reinterpret_cast<const Code* const*>(room.base.data());
    const N* tree = nodes + member.first;
    std::int32_t* ends = room.nodes.data();
    std::int64_t row = 0;
    for (; row + kSide <= count; row += kSide) {
        std::int32_t at[kSide] = {};
        for (std::int32_t step = 0; step < member.steps; ++step) {
            for (std::int64_t i = 0; i < kSide; ++i) {
                const N node = tree[at[i]];
                at[i] = node.child + (base[node.column][row + i] > node.code ? 1 : 0);
            }
        }
        std::copy_n(at, kSide, ends + row);
    }
    for (; row < count; ++row) {
        std::int32_t at = 0;
        for (std::int32_t step = 0; step < member.steps; ++step)
            at = tree[at].child + (base[tree[at].column][row] > tree[at].code ? 1 : 0);
        ends[row] = at;
    }
}

// Eight rows are under way at once, so that their memory accesses overlap; one that arrives makes room for the next.
template <class N, class Code, bool Masks, bool Flags>
void ForestWalker::coded_loop(const N* nodes, const Member& member, std::int64_t count, Room& room) const {
    constexpr std::int32_t kLanes = 8;
    const auto* const* base = reinterpret_cast<const Code* const*>(room.base.data());
    const N* tree = nodes + member.first;
    const std::uint64_t* masks = Masks ? masks_.data() + member.first : nullptr;
    const std::uint64_t* unseen = Flags ? unseen_.data() + member.first : nullptr;
    std::int32_t* ends = room.nodes.data();
    const auto n_rows = static_cast<std::int32_t>(count);
    std::int32_t rows[kLanes], at[kLanes] = {};
    const auto moved = [&](std::int32_t lane) {
        const N node = tree[at[lane]];
        std::int32_t right;
        if (Masks && (node.column & MASK_BIT<Code>) != 0) {
            const Code code = base[node.column & (MASK_BIT<Code> - 1)][rows[lane]];
            right = static_cast<std::int32_t>(masks[at[lane]] >> code) & 1;
            if constexpr (Flags) room.met[static_cast<std::size_t>(rows[lane])] |= (unseen[at[lane]] >> code) & 1;
        } else {
            right = base[node.column][rows[lane]] > node.code ? 1 : 0;
        }
        const std::int32_t next = node.child + right;
        const bool is_under_way = next != at[lane];
        at[lane] = next;
        return is_under_way;
    };
    std::int32_t waiting = std::min(n_rows, kLanes);
    const std::int32_t lanes = waiting;
    for (std::int32_t lane = 0; lane < lanes; ++lane) rows[lane] = lane;
    while (waiting < n_rows) {
        for (std::int32_t lane = 0; lane < kLanes; ++lane) {
            if (moved(lane)) [[likely]]
                continue;
            ends[rows[lane]] = at[lane];
            rows[lane] = std::min(waiting++, n_rows - 1);
            at[lane] = 0;
        }
    }
    for (std::int32_t lane = 0; lane < lanes; ++lane) {
        while (moved(lane)) {
        }
        ends[rows[lane]] = at[lane];
    }
}

template <class N, class Code>
void ForestWalker::run_coded(const std::vector<N>& nodes, const Member& member, std::int64_t count, Room& room,
                             bool flags) const {
    if (member.size == 1)
        std::fill_n(room.nodes.data(), count, 0);
    else if (!member.has_masks && member.steps > 0)
        even_loop<N, Code>(nodes.data(), member, count, room);
    else if (!member.has_masks)
        coded_loop<N, Code, false, false>(nodes.data(), member, count, room);
    else if (flags)
        coded_loop<N, Code, true, true>(nodes.data(), member, count, room);
    else
        coded_loop<N, Code, true, false>(nodes.data(), member, count, room);
}

// Adds what the nodes where rows end say.
void ForestWalker::tell(const Member& member, const std::int32_t* nodes, std::int64_t count, double* out) const {
    if (member.is_vote) {
        const std::int32_t* labels = labels_.data() + member.values_at;
        for (std::int64_t i = 0; i < count; ++i) out[i * width_ + labels[nodes[i]]] += member.weight;
        return;
    }
    const double* values = values_.data() + member.values_at;
    if (member.per_node == 1) {
        double* to = out + member.output;
        for (std::int64_t i = 0; i < count; ++i) to[i * width_] += values[nodes[i]];
        return;
    }
    const std::int32_t* said = said_.data() + member.said_at;
    if (width_ == 2) {
        for (std::int64_t i = 0; i < count; ++i) {
            const double* row = values + 2 * static_cast<std::int64_t>(said[nodes[i]]);
            out[2 * i] += row[0];
            out[2 * i + 1] += row[1];
        }
    } else {
        for (std::int64_t i = 0; i < count; ++i) {
            const double* row = values + said[nodes[i]] * width_;
            for (std::int64_t k = 0; k < width_; ++k) out[i * width_ + k] += row[k];
        }
    }
}

// A tree walked by its own Walker; rows that are shared out get the mixture of what their parts are told.
std::int64_t ForestWalker::walk_alone(const Member& member, std::span<const WalkColumn> columns, std::int64_t begin,
                                      std::int64_t count, Room& room, double* out, std::uint8_t* shared) const {
    const Walker& walker = *member.walker;
    room.own.clear();
    for (const std::int32_t column : walker.columns()) {
        WalkColumn own = columns[static_cast<std::size_t>(column)];
        if (own.numbers != nullptr) own.numbers += begin;
        if (own.codes != nullptr) own.codes += begin;
        room.own.push_back(own);
    }
    // Blocks are small: the walk stays on this thread.
    Stop stop;
    const std::int64_t refused = walker.walk(room.own, count, 1, stop, room.nodes.data(), room.met.data());
    if (refused >= 0) return begin + refused;
    room.rows.clear();
    room.starts.clear();
    for (std::int64_t i = 0; i < count; ++i) {
        if (room.nodes[static_cast<std::size_t>(i)] >= 0) continue;
        room.rows.push_back(i);
        room.starts.push_back(~room.nodes[static_cast<std::size_t>(i)]);
    }
    if (room.rows.empty()) {
        tell(member, room.nodes.data(), count, out);
        return -1;
    }
    room.mixed.resize(room.rows.size() * static_cast<std::size_t>(member.per_node));
    walker.mix(room.own, room.rows, room.starts.data(), member.values.data(), member.per_node, 1, stop,
               room.mixed.data());
    std::size_t next = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        if (next >= room.rows.size() || room.rows[next] != i) {
            tell(member, room.nodes.data() + i, 1, out + i * width_);
            continue;
        }
        if (shared != nullptr) shared[i] = 1;
        const double* mixture = room.mixed.data() + next++ * static_cast<std::size_t>(member.per_node);
        double* to = out + i * width_;
        if (member.is_vote)
            to[std::max_element(mixture, mixture + width_) - mixture] += member.weight;
        else if (member.per_node == 1)
            to[member.output] += member.weight * mixture[0];
        else
            for (std::int64_t k = 0; k < width_; ++k) to[k] += member.weight * mixture[k];
    }
    return -1;
}

std::int64_t ForestWalker::walk_block(std::span<const WalkColumn> columns, std::int64_t begin, std::int64_t count,
                                      Room& room, double* out, std::uint8_t* shared, std::uint8_t* met_unseen) const {
    room.nodes.resize(static_cast<std::size_t>(count));
    room.met.assign(static_cast<std::size_t>(count), 0);
    const bool is_any = is_wide_ ? fill_codes<std::uint32_t>(columns, begin, count, room)
                                 : fill_codes<std::uint16_t>(columns, begin, count, room);
    const bool flags = met_unseen != nullptr;
    for (const Member& member : members_) {
        const bool is_coded = member.is_coded && (member.takes_missing || !is_any);
        if (is_coded) {
            if (is_wide_)
                run_coded<WideNode, std::uint32_t>(wide_, member, count, room, flags);
            else
                run_coded<Node, std::uint16_t>(nodes_, member, count, room, flags);
            tell(member, room.nodes.data(), count, out);
        } else {
            const std::int64_t refused = walk_alone(member, columns, begin, count, room, out, shared);
            if (refused >= 0) return refused;
        }
        if (flags && (!is_coded || member.has_masks)) {
            for (std::int64_t i = 0; i < count; ++i) met_unseen[i] |= room.met[static_cast<std::size_t>(i)];
            std::fill(room.met.begin(), room.met.end(), std::uint8_t{0});
        }
    }
    return -1;
}

// Trees that fit in the cache stay there while small blocks pass; larger ones are worth fetching for many rows only.
std::int64_t ForestWalker::block_rows(std::int64_t n_rows, int threads) const {
    const std::size_t bytes = nodes_.size() * sizeof(Node) + wide_.size() * sizeof(WideNode) +
                              values_.size() * sizeof(double) + (said_.size() + labels_.size()) * sizeof(std::int32_t);
    return bytes <= kCache ? kRows : std::clamp(n_rows / (4 * threads), kRows, kManyRows);
}

std::int64_t ForestWalker::add_up(std::span<const WalkColumn> columns, std::int64_t n_rows, int threads, Stop& stop,
                                  double* out, std::uint8_t* shared, std::uint8_t* met_unseen) const {
    std::atomic<std::int64_t> refused{std::numeric_limits<std::int64_t>::max()};
    const std::int64_t size = block_rows(n_rows, usable_threads(threads));
    const auto block = [&](std::int64_t index, Room& room) {
        const std::int64_t begin = index * size, count = std::min(size, n_rows - begin);
        const std::int64_t row =
            walk_block(columns, begin, count, room, out + begin * width_, shared == nullptr ? nullptr : shared + begin,
                       met_unseen == nullptr ? nullptr : met_unseen + begin);
        if (row < 0) return;
        std::int64_t seen = refused.load();
        while (row < seen && !refused.compare_exchange_weak(seen, row)) {
        }
    };
    const std::int64_t blocks = (n_rows + size - 1) / size;
    if (n_rows <= kFewRows) {
        Room room;
        for (std::int64_t index = 0; index < blocks; ++index) block(index, room);
    } else {
        std::vector<Room> rooms(static_cast<std::size_t>(usable_threads(threads)));
        parallel_for(blocks, threads, stop,
                     [&](std::int64_t index, int worker) { block(index, rooms[static_cast<std::size_t>(worker)]); });
    }
    const std::int64_t first = refused.load();
    return first == std::numeric_limits<std::int64_t>::max() ? -1 : first;
}

}  // namespace hornbeam
