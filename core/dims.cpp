#include <fulgurite/core/dims.h>

#include <fulgurite/core/errors.h>

namespace fulgurite {

void Dims::throw_rank(std::size_t rank) {
    throw ShapeError(error_text("shape", "a tensor has at most " + std::to_string(max_rank) +
                                             " dimensions, got " + std::to_string(rank)));
}

std::string to_string(const Dims& dims) {
    std::string text = "[";
    for (int i = 0; i < dims.size(); ++i) {
        if (i) {
            text += ", ";
        }
        text += std::to_string(dims[i]);
    }
    return text + ']';
}

std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
    std::int64_t product;
    if (__builtin_mul_overflow(a, b, &product)) {
        fail<ShapeError>("shape", std::to_string(a) + " * " + std::to_string(b) + " does not fit in int64");
    }
    return product;
}

std::int64_t checked_add(std::int64_t a, std::int64_t b) {
    std::int64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) {
        fail<ShapeError>("shape", std::to_string(a) + " + " + std::to_string(b) + " does not fit in int64");
    }
    return sum;
}

std::int64_t numel_of(const Shape& shape) {
    if (shape.contains(0)) {
        return 0;
    }
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        if (size < 0) {
            fail<ShapeError>("shape", "sizes must not be negative, got " + to_string(shape));
        }
        count = checked_mul(count, size);
    }
    return count;
}

Strides contiguous_strides(const Shape& shape) {
    Strides strides = Dims::filled(shape.size(), 1);
    for (int i = shape.size() - 2; i >= 0; --i) {
        strides[i] = checked_mul(strides[i + 1], std::max<std::int64_t>(shape[i + 1], 1));
    }
    return strides;
}

bool is_contiguous(const Shape& shape, const Strides& strides) {
    if (shape.contains(0)) {
        return true;
    }
    std::int64_t expected = 1;
    for (int i = shape.size() - 1; i >= 0; --i) {
        if (shape[i] == 1) {
            continue;
        }
        if (strides[i] != expected) {
            return false;
        }
        expected *= shape[i];
    }
    return true;
}

int wrap_dim(std::int64_t dim, int rank, const char* op) {
    const std::int64_t count = std::max(rank, 1);
    if (dim < -count || dim >= count) {
        fail<IndexError>(op, "expected a dimension from " + std::to_string(-count) + " to " +
                                 std::to_string(count - 1) + ", got " + std::to_string(dim));
    }
    return static_cast<int>(dim < 0 ? dim + count : dim);
}

Shape broadcast_shapes(const Shape& a, const Shape& b, const char* op) {
    const Shape& longer = a.size() >= b.size() ? a : b;
    const Shape& shorter = a.size() >= b.size() ? b : a;
    const int offset = longer.size() - shorter.size();
    Shape result = longer;
    for (int i = 0; i < shorter.size(); ++i) {
        const std::int64_t from_long = longer[offset + i], from_short = shorter[i];
        if (from_long != from_short && from_long != 1 && from_short != 1) {
            fail<ShapeError>(op, "shapes " + to_string(a) + " and " + to_string(b) + " do not broadcast");
        }
        result[offset + i] = from_long == 1 ? from_short : from_long;
    }
    return result;
}

}  // namespace fulgurite
