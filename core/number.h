#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include <fulgurite/core/dtype.h>

namespace fulgurite {

/// A C++ type that is taken for a number: bool, the integers, float and double.
template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

/// A C++ number as an operand. It is weak: it takes part in promotion by its category alone (PyTorch's
/// wrapped numbers, JAX's weak types).
class Number {
public:
    constexpr Number() = default;
    template <Arithmetic T>
    constexpr Number(T value) {
        if constexpr (std::is_same_v<T, bool>) {
            category_ = Category::boolean;
            integer_ = value ? 1 : 0;
        } else if constexpr (std::is_integral_v<T>) {
            integer_ = static_cast<std::int64_t>(value);
        } else {
            category_ = Category::floating;
            floating_ = static_cast<double>(value);
        }
    }

    constexpr Category category() const { return category_; }
    constexpr double as_double() const {
        return category_ == Category::floating ? floating_ : static_cast<double>(integer_);
    }
    constexpr std::int64_t as_int() const {
        return category_ == Category::floating ? static_cast<std::int64_t>(floating_) : integer_;
    }
    constexpr bool as_bool() const {
        return category_ == Category::floating ? floating_ != 0 : integer_ != 0;
    }
    /// The dtype it has where no tensor decides: bool_, int64 or the default dtype.
    DType dtype() const;

    friend constexpr bool operator==(const Number& a, const Number& b) {
        return a.category_ == b.category_ && a.integer_ == b.integer_ && a.floating_ == b.floating_;
    }

private:
    Category category_ = Category::integer;
    std::int64_t integer_ = 0;
    double floating_ = 0;
};

}  // namespace fulgurite
