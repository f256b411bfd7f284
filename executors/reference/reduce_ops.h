#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace fulgurite::reference::reductions {

/// What partial results are kept in.
template <class C>
using Total = std::conditional_t<std::is_same_v<C, float>, double, C>;

struct Sum {
    static constexpr const char* name = "sum";
    static constexpr bool has_identity = true;
    template <class C>
    static constexpr C identity() {
        return C{0};
    }
    template <class C>
    static C combine(C a, C b) {
        if constexpr (std::is_integral_v<C>) {
            return static_cast<C>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
        } else {
            return a + b;
        }
    }
};

struct Product {
    static constexpr const char* name = "prod";
    static constexpr bool has_identity = true;
    template <class C>
    static constexpr C identity() {
        return C{1};
    }
    template <class C>
    static C combine(C a, C b) {
        if constexpr (std::is_integral_v<C>) {
            return static_cast<C>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
        } else {
            return a * b;
        }
    }
};

template <class C>
constexpr C lowest() {
    if constexpr (std::is_integral_v<C>) {
        return std::numeric_limits<C>::min();
    } else {
        return -std::numeric_limits<C>::infinity();
    }
}

template <class C>
constexpr C highest() {
    if constexpr (std::is_integral_v<C>) {
        return std::numeric_limits<C>::max();
    } else {
        return std::numeric_limits<C>::infinity();
    }
}

struct Maximum {
    static constexpr const char* name = "amax";
    static constexpr const char* place_name = "argmax";
    static constexpr bool has_identity = false;
    template <class C>
    static constexpr C identity() {
        return lowest<C>();
    }
    template <class C>
    static C combine(C a, C b) {
        return a > b || a != a ? a : b;
    }
    template <class C>
    static bool better(C a, C b) {
        return a > b;
    }
};

struct Minimum {
    static constexpr const char* name = "amin";
    static constexpr const char* place_name = "argmin";
    static constexpr bool has_identity = false;
    template <class C>
    static constexpr C identity() {
        return highest<C>();
    }
    template <class C>
    static C combine(C a, C b) {
        return a < b || a != a ? a : b;
    }
    template <class C>
    static bool better(C a, C b) {
        return a < b;
    }
};

}  // namespace fulgurite::reference::reductions
