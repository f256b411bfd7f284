#include <fulgurite/tests/text/traces.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fulgurite/core/executor.h>
#include <fulgurite/core/ops/ops.h>
#include <fulgurite/core/tracing.h>
#include <fulgurite/tests/core/toy_ops.h>

namespace fulgurite::tests {

namespace {

using Tensors = std::vector<Tensor>;
using toy::trace_of;

const TensorSpec matrix({2, 3});
const TensorSpec square({3, 3});

bool takes_operands_only(const Symbol& symbol) {
    const std::vector<Schema::Field>& arguments = symbol.signature->arguments()->fields;
    return !arguments.empty() && !symbol.has(Tag::gradient) &&
           std::all_of(arguments.begin(), arguments.end(), [](const Schema::Field& field) {
               return field.schema->kind == Schema::Kind::tensor ||
                      field.schema->kind == Schema::Kind::operand;
           });
}

/// A trace of one call on square matrices of the first dtype that the op takes.
void add_call(std::vector<NamedTrace>& out, const Symbol& symbol) {
    const std::size_t count = symbol.signature->arguments()->fields.size();
    for (const DType dtype : {DType::float32, DType::int64, DType::bool_}) {
        std::vector<TensorSpec> specs(count, TensorSpec({3, 3}, dtype));
        if (symbol.name.ends_with("where")) specs[0].dtype = DType::bool_;
        try {
            Trace trace = trace_of(specs, [&](const Tensors& in) {
                Flat arguments;
                arguments.statics.atoms.assign(count, Atom::tensor());
                arguments.tensors = in;
                return TraceScope::current()->record(symbol, std::move(arguments)).tensors;
            });
            std::string name = "op_" + symbol.name;
            std::replace(name.begin(), name.end(), ':', '_');
            const bool is_toy = symbol.name.starts_with("toy::");
            out.push_back({std::move(name), std::move(trace), true, !is_toy});
            return;
        } catch (const Error&) {
        }
    }
}

Tensors with_options(const Tensors& in) {
    const Tensor x = in[0], y = in[1];
    const double small = std::numeric_limits<double>::denorm_min();
    return {clamp(x, {.min = -1.5, .max = small}),
            div(x, 3, {.rounding_mode = RoundingMode::floor}),
            gelu(x, {.approximate = GeluApproximation::tanh}),
            add(x, std::numeric_limits<std::int64_t>::min()),
            mul(-std::numeric_limits<double>::infinity(), maximum(y, std::nan(""))),
            where(gt(x, 0), x, true),
            sum(x, {.dim = {0, 1}, .keepdim = true}),
            mean(y, {.dim = {-1}, .dtype = DType::float64}),
            var(x, {.correction = 0.5}),
            argmax(x, {.dim = 1}),
            cumsum(x, 0, {}),
            to(x, {.dtype = DType::bfloat16}),
            linear(x, y),
            linear(x, y, sum(y, {.dim = {0}}))};
}

Tensors with_views(const Tensors& in) {
    const Tensor x = in[0];
    const std::vector<Tensor> parts = split(x, {1, 2}, 1);
    const Tensor row = select(x, 0, 1);
    return {parts[0], transpose(parts[1], 0, 1), reshape(x, {9}),       ops::flatten(x, 0, -1),
            row,      expand(row, {4, 3}),       slice(x, 0, 1),        unsqueeze(row, -1),
            x,        narrow(in[1], 1, 1, 2),    permute(in[1], {1, 0})};
}

Tensors with_creation(const Tensors& in) {
    return {full({2, 2}, 1.25), zeros_like(in[0]), arange(0, 10, 3), eye(3), prims::cat({in[0], in[0]}, 1)};
}

Tensors without_grad(const Tensors& in) {
    const Tensor x = exp(in[0]);
    const NoGradGuard guard;
    return {mul(x, x), split(x, {1, 2})[1]};
}

class Fuser : public FusionExecutor {
public:
    using FusionExecutor::FusionExecutor;
    ClaimResult can_fuse(const BoundSymbol&, const Trace&) const override { return {true, {}, {}}; }
    Trace fuse(const Trace& trace) override {
        Trace fused = trace;
        fused.body = {make_fusion("fusion0", trace.inputs, trace.outputs, trace.body, {})};
        return fused;
    }
};

Tensors branching(const Tensors& in) {
    const Tensor x = add(in[0], in[1]);
    return {mul(x, 2), sum(exp(x))};
}

/// An op with two regions; the first computes its result.
Tensors with_regions(const Tensors& in) {
    TraceScope& scope = *TraceScope::current();
    auto bound = std::make_shared<BoundSymbol>();
    bound->symbol = &toy::custom.symbol();
    const Flat arguments = tree_flatten(in);
    bound->arguments = std::make_shared<const Statics>(arguments.statics);
    bound->operands = scope.values_of(in);
    for (int i = 0; i < 2; ++i) {
        TraceScope inner;
        const Tensor a = inner.add_input(in[0].spec(), "a"), b = inner.add_input(in[1].spec(), "b");
        const Tensor product = mul(add(a, b), in[0]);
        Region region{inner.values_of({a, b}), {}, inner.values_of({product})};
        if (i == 1) region.results.push_back(no_value);
        region.body = std::move(inner.body());
        bound->regions.push_back(std::move(region));
    }
    bound->results = {scope.root().values->add({in[0].spec(), {}, 0})};
    bound->result_structure = tree_flatten(Tensors{in[0]}).statics;
    const ValueId result = bound->results[0];
    scope.append(std::move(bound));
    return {exp(scope.handle(result))};
}

OperatorExecutor& text_executor() {
    static OperatorExecutor& executor = register_executor("text_compile", {.add_to_default = false});
    return executor;
}

/// Calls of an executor's operators.
Tensors with_operators(const Tensors& in) {
    static const auto every = text_executor().register_operator(
        "every",
        [](const Tensor& x, const toy::Options&, const Tensors&) { return std::tuple(x.spec(), x.spec()); },
        [](const Tensor& x, const toy::Options&, const Tensors&) { return std::tuple(x, x); });
    static const auto one = text_executor().register_operator(
        "one", [](const Tensor& x) { return x.spec(); }, [](const Tensor& x) { return x; });
    const toy::Options options{.flag = true,
                               .label = "a\tb",
                               .mode = toy::Mode::fancy,
                               .dims = Dims{1, 2},
                               .extra = 2.5,
                               .bias = in[1],
                               .weights = {1, 2},
                               .table = {{"k", 2}, {"l", -1}}};
    const auto [a, b] = every(in[0], options, in);
    return {one(a), b};
}

}  // namespace

std::vector<NamedTrace> text_traces() {
    std::vector<NamedTrace> out;
    for (const Symbol* symbol : all_symbols()) {
        if (takes_operands_only(*symbol)) add_call(out, *symbol);
    }
    const std::vector<TensorSpec> two{square, square};
    out.push_back({"with_options", trace_of(two, with_options, {"params.x", "class"})});
    out.push_back({"with_views", trace_of(two, with_views)});
    out.push_back({"with_creation", trace_of(two, with_creation)});
    out.push_back({"without_grad", trace_of(two, without_grad, {"x", "x"})});
    const Trace plain = trace_of(two, branching);
    out.push_back({"fused", std::make_shared<Fuser>("fuser")->fuse(plain), false, false});
    out.push_back({"with_regions", trace_of(two, with_regions), false});
    out.push_back({"with_operators", trace_of(two, with_operators)});
    return out;
}

}  // namespace fulgurite::tests
