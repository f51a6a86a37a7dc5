// portable::Lanes: N numbers that are computed together, in standard C++, for compilers without vector types. Operators
// work lane by lane; a scalar counts as N equal lanes; a comparison gives -1 (true) or 0 per lane.
#pragma once

#include <cstdint>
#include <type_traits>

namespace hornbeam::portable {

template <std::size_t Bytes>
using SignedOf = std::conditional_t<
    Bytes == 1, std::int8_t,
    std::conditional_t<Bytes == 2, std::int16_t, std::conditional_t<Bytes == 4, std::int32_t, std::int64_t>>>;

template <class T, int N>
struct Lanes {
    using Mask = Lanes<SignedOf<sizeof(T)>, N>;
    T lane[N];

    constexpr T& operator[](std::size_t i) { return lane[i]; }
    constexpr const T& operator[](std::size_t i) const { return lane[i]; }

    static constexpr Lanes all(T value) {
        Lanes out{};
        for (T& lane : out.lane) lane = value;
        return out;
    }
    constexpr Lanes operator-() const {
        Lanes out{};
        for (int i = 0; i < N; ++i) out.lane[i] = wrapped(-wide(lane[i]));
        return out;
    }

#define HORNBEAM_LANE_OPERATOR(op)                                                             \
    friend constexpr Lanes operator op(const Lanes& a, const Lanes& b) {                       \
        Lanes out{};                                                                           \
        for (int i = 0; i < N; ++i) out.lane[i] = wrapped(wide(a.lane[i]) op wide(b.lane[i])); \
        return out;                                                                            \
    }                                                                                          \
    friend constexpr Lanes operator op(const Lanes& a, T b) { return a op all(b); }            \
    friend constexpr Lanes operator op(T a, const Lanes& b) { return all(a) op b; }            \
    constexpr Lanes& operator op## = (const Lanes& other) { return *this = *this op other; }   \
    constexpr Lanes& operator op## = (T other) { return *this = *this op other; }
    HORNBEAM_LANE_OPERATOR(+)
    HORNBEAM_LANE_OPERATOR(-)
    HORNBEAM_LANE_OPERATOR(*)
    HORNBEAM_LANE_OPERATOR(&)
    HORNBEAM_LANE_OPERATOR(|)
#undef HORNBEAM_LANE_OPERATOR

#define HORNBEAM_LANE_SHIFT(op)                                                           \
    friend constexpr Lanes operator op(const Lanes& a, const Lanes& b) {                  \
        Lanes out{};                                                                      \
        for (int i = 0; i < N; ++i) out.lane[i] = static_cast<T>(a.lane[i] op b.lane[i]); \
        return out;                                                                       \
    }                                                                                     \
    friend constexpr Lanes operator op(const Lanes& a, T b) { return a op all(b); }
    HORNBEAM_LANE_SHIFT(<<)
    HORNBEAM_LANE_SHIFT(>>)
#undef HORNBEAM_LANE_SHIFT

#define HORNBEAM_LANE_COMPARISON(op)                                               \
    friend constexpr Mask operator op(const Lanes& a, const Lanes& b) {            \
        Mask out{};                                                                \
        for (int i = 0; i < N; ++i) out.lane[i] = a.lane[i] op b.lane[i] ? -1 : 0; \
        return out;                                                                \
    }
    HORNBEAM_LANE_COMPARISON(<)
    HORNBEAM_LANE_COMPARISON(<=)
    HORNBEAM_LANE_COMPARISON(>)
    HORNBEAM_LANE_COMPARISON(==)
#undef HORNBEAM_LANE_COMPARISON

  private:
    // Integers are computed without a sign, so that sums wrap.
    static constexpr auto wide(T value) {
        if constexpr (std::is_integral_v<T>)
            return static_cast<std::uint64_t>(value);
        else
            return value;
    }
    template <class R>
    static constexpr T wrapped(R value) {
        return static_cast<T>(value);
    }
};

template <class T, int N>
constexpr Lanes<T, N> select(const typename Lanes<T, N>::Mask& mask, const Lanes<T, N>& yes, const Lanes<T, N>& no) {
    Lanes<T, N> out{};
    for (int i = 0; i < N; ++i) out.lane[i] = mask.lane[i] ? yes.lane[i] : no.lane[i];
    return out;
}

}  // namespace hornbeam::portable
