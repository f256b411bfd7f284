#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <ostream>
#include <sstream>

#include <fulgurite/core/tensor.h>

// Follows torch's defaults: precision 4, summarised above 1000 elements with 3 at each edge, lines of 80
// columns.
namespace fulgurite {

namespace {
constexpr std::int64_t summary_threshold = 1000;
constexpr std::int64_t edge_items = 3;
constexpr int line_width = 80;

double element(const Tensor& tensor, std::int64_t index) {
    const char* data = static_cast<const char*>(tensor.data()) + index * size_of(tensor.dtype());
    const auto as = [data]<class T>(T) { return static_cast<double>(*reinterpret_cast<const T*>(data)); };
    switch (tensor.dtype()) {
        case DType::bool_:
        case DType::uint8:
            return as(std::uint8_t{});
        case DType::int8:
            return as(std::int8_t{});
        case DType::int16:
            return as(std::int16_t{});
        case DType::int32:
            return as(std::int32_t{});
        case DType::int64:
            return as(std::int64_t{});
        case DType::float16:
            return static_cast<float>(*reinterpret_cast<const Half*>(data));
        case DType::bfloat16:
            return static_cast<float>(*reinterpret_cast<const BFloat16*>(data));
        case DType::float32:
            return as(float{});
        case DType::float64:
            return as(double{});
    }
    return 0;
}

/// How the shown elements of one tensor are written, all at one width.
class ElementFormat {
public:
    ElementFormat(const Tensor& tensor, const std::vector<std::int64_t>& shown) : tensor_(tensor) {
        choose_notation(shown);
        for (const std::int64_t index : shown) width_ = std::max(width_, plain(index).size());
    }
    std::string operator()(std::int64_t index) const {
        const std::string text = plain(index);
        return std::string(width_ - text.size(), ' ') + text;
    }
    std::size_t width() const { return width_; }

private:
    void choose_notation(const std::vector<std::int64_t>& shown) {
        double least = std::numeric_limits<double>::infinity(), most = 0;
        for (const std::int64_t index : shown) {
            const double value = std::abs(element(tensor_, index));
            if (!std::isfinite(value) || value == 0) continue;
            whole_ &= value == std::floor(value);
            least = std::min(least, value);
            most = std::max(most, value);
        }
        if (most == 0) return;
        scientific_ = most / least > 1000 || most > 1e8 || (!whole_ && least < 1e-4);
        if (whole_) scientific_ = most >= 1e9;
    }

    std::string plain(std::int64_t index) const {
        if (tensor_.dtype() == DType::bool_) return element(tensor_, index) != 0 ? "true" : "false";
        if (tensor_.dtype() == DType::int64) {
            return std::to_string(static_cast<const std::int64_t*>(tensor_.data())[index]);
        }
        const double value = element(tensor_, index);
        if (std::isnan(value)) return "nan";
        if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
        char text[40];
        if (!is_floating_point(tensor_.dtype()))
            std::snprintf(text, sizeof text, "%.0f", value);
        else
            std::snprintf(text, sizeof text, scientific_ ? "%.4e" : whole_ ? "%.0f." : "%.4f", value);
        return text;
    }

    const Tensor& tensor_;
    bool whole_ = true;
    bool scientific_ = false;
    std::size_t width_ = 0;
};

class Printer {
public:
    explicit Printer(const Tensor& tensor)
        : tensor_(tensor),
          summarise_(tensor.numel() > summary_threshold),
          format_(tensor, shown_elements()) {}

    std::string text() { return nested(0, 0, 7); }

private:
    /// Positions along a dimension that are shown; -1 stands for the dots.
    std::vector<std::int64_t> positions(int dim) const {
        const std::int64_t size = tensor_.shape()[dim];
        std::vector<std::int64_t> out;
        for (std::int64_t i = 0; i < size; ++i) {
            if (summarise_ && size > 2 * edge_items && i == edge_items) {
                out.push_back(-1);
                i = size - edge_items;
            }
            out.push_back(i);
        }
        return out;
    }

    std::vector<std::int64_t> shown_elements() const {
        std::vector<std::int64_t> shown{0};
        for (int dim = 0; dim < tensor_.dim(); ++dim) {
            std::vector<std::int64_t> next;
            for (const std::int64_t base : shown) {
                for (const std::int64_t at : positions(dim)) {
                    if (at >= 0) next.push_back(base + at * tensor_.strides()[dim]);
                }
            }
            shown = std::move(next);
        }
        return shown;
    }

    std::string nested(int dim, std::int64_t offset, int indent) {
        if (dim == tensor_.dim()) return format_(offset);
        const bool innermost = dim + 1 == tensor_.dim();
        std::string text = "[";
        std::size_t column = static_cast<std::size_t>(indent) + 1;
        bool first = true;
        for (const std::int64_t at : positions(dim)) {
            if (!first) text += separator(dim, innermost, column, indent);
            first = false;
            text += at < 0 ? "..." : nested(dim + 1, offset + at * tensor_.strides()[dim], indent + 1);
            column += format_.width() + 2;
        }
        return text + "]";
    }

    std::string separator(int dim, bool innermost, std::size_t& column, int indent) const {
        const std::string pad(static_cast<std::size_t>(indent) + 1, ' ');
        if (!innermost)
            return "," + std::string(static_cast<std::size_t>(tensor_.dim() - dim - 1), '\n') + pad;
        if (column + format_.width() + 2 <= line_width) return ", ";
        column = static_cast<std::size_t>(indent) + 1;
        return ",\n" + pad;
    }

    const Tensor& tensor_;
    bool summarise_;
    ElementFormat format_;
};

std::string suffix(const Tensor& tensor) {
    std::string text;
    if (tensor.numel() == 0 && tensor.dim() != 1) text += ", size=" + to_string(tensor.shape());
    const DType dtype = tensor.dtype();
    if (dtype != DType::float32 && dtype != DType::int64 && dtype != DType::bool_) {
        text += ", dtype=" + std::string(name_of(dtype));
    }
    return text;
}
}  // namespace

std::string to_string(const Tensor& tensor) {
    if (!tensor.defined()) return "tensor(undefined)";
    if (!tensor.is_concrete())
        return (tensor.is_traced() ? "traced " : "abstract ") + to_string(tensor.spec());
    if (tensor.device() != cpu) return to_string(tensor.to(cpu));
    if (tensor.numel() == 0) return "tensor([]" + suffix(tensor) + ")";
    const Tensor dense = tensor.contiguous();
    return "tensor(" + Printer(dense).text() + suffix(tensor) + ")";
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) { return out << to_string(tensor); }

}  // namespace fulgurite
