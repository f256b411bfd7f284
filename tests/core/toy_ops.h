#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <fulgurite/core/op.h>
#include <fulgurite/core/tracing.h>

/// Ops with every kind of argument and result, for the tests of what knows ops by their schemas only.
namespace fulgurite::toy {

enum class Mode { plain, fancy = 3 };

struct Inner {
    double scale = 1;
    Dims dims = {};
};

struct Options {
    double p = 0.5;
    bool flag = false;
    std::int64_t count = 0;
    std::string label = "none";
    Mode mode = Mode::plain;
    DType dtype = DType::float32;
    Device device = cpu;
    std::optional<Dims> dims = {};
    std::optional<Inner> inner = {};
    Operand extra = 0;
    Tensor bias = {};
    std::vector<double> weights = {};
    std::map<std::string, std::int64_t> table = {};
    std::pair<std::int64_t, double> pair = {1, 2.0};
};

inline Tensor mul_meta(const Operand& a, const Operand& b) {
    const Tensor& like = a.is_tensor() ? a.tensor() : b.tensor();
    if (a.is_tensor() && b.is_tensor() && a.tensor().shape() != b.tensor().shape()) {
        fail<ShapeError>("mul", "expected equal shapes, got " + to_string(a.tensor().spec()) + " and " +
                                    to_string(b.tensor().spec()));
    }
    return TensorSpec(like.shape(), like.dtype(), like.device());
}
inline constexpr Prim<"toy::mul", &mul_meta, Tag::pointwise> mul;

inline Tensor row_meta(const Tensor& x, const std::int64_t& index) {
    if (x.dim() == 0) fail<ShapeError>("row", "expected dimensions, got a 0-dim tensor");
    if (index < 0 || index >= x.shape()[0])
        fail<IndexError>("row", "expected a row, got " + std::to_string(index));
    TensorSpec spec = x.spec();
    const std::int64_t offset = index * spec.strides[0];
    spec.shape.erase(0);
    spec.strides.erase(0);
    return Tensor::abstract_view(spec, offset);
}
inline constexpr Prim<"toy::row", &row_meta, Tag::view> row;

inline std::tuple<Tensor, Tensor> pair_meta(const Tensor& x) { return {x.spec(), x.spec()}; }
inline constexpr Prim<"toy::pair", &pair_meta> pair;

inline std::vector<Tensor> copies_meta(const Tensor& x, const std::int64_t& count) {
    if (count < 0 || count > 100)
        fail<ValueError>("copies", "expected 0 to 100, got " + std::to_string(count));
    return std::vector<Tensor>(static_cast<std::size_t>(count), Tensor(x.spec()));
}
inline constexpr Prim<"toy::copies", &copies_meta> copies;

inline std::tuple<Tensor, Tensor> maybe_meta(const Tensor& x, const Tensor& mask) {
    return {x.spec(), mask.defined() ? Tensor(mask.spec()) : Tensor()};
}
inline constexpr Prim<"toy::maybe", &maybe_meta> maybe;

inline Tensor everything_meta(const Tensor& x, const Options&, const std::vector<Tensor>&) {
    return x.spec();
}
inline constexpr Prim<"toy::everything", &everything_meta> everything;

inline void note_meta(const Tensor&, const std::string&) {}
inline constexpr Prim<"toy::note", &note_meta, Tag::effect> note;

inline void put_meta(const Tensor&, const Tensor&) {}
inline constexpr Prim<"toy::put_grad", &put_meta, Tag::effect | Tag::gradient> put_grad;

inline Tensor cube_rule(const Tensor& x) { return mul(mul(x, x), x); }
inline constexpr Composite<"toy::cube", &cube_rule> cube;

inline std::vector<Tensor> custom_meta(const std::vector<Tensor>&);
inline constexpr Prim<"toy::custom", &custom_meta> custom;
inline std::vector<Tensor> custom_meta(const std::vector<Tensor>& x) { return x; }

/// Records a trace of f on inputs of these specs.
template <class F>
Trace trace_of(const std::vector<TensorSpec>& specs, F&& f, const std::vector<std::string>& names = {}) {
    TraceScope scope;
    Trace trace;
    trace.name = "test";
    std::vector<Tensor> inputs;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        inputs.push_back(scope.add_input(specs[i], i < names.size() ? names[i] : std::string()));
        trace.inputs.push_back(scope.value_of(inputs.back()));
    }
    const std::vector<Tensor> outputs = f(inputs);
    for (const Tensor& output : outputs)
        trace.outputs.push_back(output.defined() ? scope.value_of(output) : no_value);
    trace.values = scope.root().values;
    trace.captures = scope.root().captures;
    trace.body = std::move(scope.body());
    return trace;
}

}  // namespace fulgurite::toy
