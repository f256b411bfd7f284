#include <fulgurite/transforms/custom_vjp.h>

#include <fulgurite/core/op.h>

namespace fulgurite::detail {

namespace {
/// The symbol of every custom_vjp call: tensors in, tensors out; what it does is in its regions.
std::vector<Tensor> no_decomposition(const std::vector<Tensor>& operands) { return operands; }
inline constexpr Composite<"custom_vjp", &no_decomposition> custom_vjp_op;
}  // namespace

std::vector<TensorSpec> specs_of(const std::vector<Tensor>& tensors) {
    std::vector<TensorSpec> specs;
    for (const Tensor& tensor : tensors) specs.push_back(tensor.spec());
    return specs;
}

Region record_region(const std::vector<TensorSpec>& parameters,
                     const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& body) {
    TraceScope scope;
    std::vector<Tensor> handles;
    for (const TensorSpec& spec : parameters) handles.push_back(scope.add_input(spec));
    Region region;
    region.parameters = scope.values_of(handles);
    for (const Tensor& result : body(handles)) {
        region.results.push_back(result.defined() ? scope.value_of(result) : no_value);
    }
    region.body = std::move(scope.body());
    return region;
}

std::vector<Tensor> record_custom_vjp(const std::vector<Tensor>& operands, std::vector<Region> regions) {
    TraceScope& scope = *TraceScope::current();
    auto bound = std::make_shared<BoundSymbol>();
    bound->symbol = &custom_vjp_op.symbol();
    bound->operands = scope.values_of(operands);
    bound->arguments = std::make_shared<const Statics>(tree_flatten(operands).statics);
    bound->where = current_location();
    if (!is_grad_enabled()) bound->tags = Tag::detached;
    std::vector<Tensor> results;
    for (const ValueId id : regions[0].results) {
        const TensorSpec spec = (*scope.root().values)[id].spec;
        bound->results.push_back(scope.root().values->add({spec, {}, 0}));
        results.push_back(scope.handle(bound->results.back()));
    }
    bound->result_structure = tree_flatten(results).statics;
    bound->regions = std::move(regions);
    scope.append(std::move(bound));
    return results;
}

}  // namespace fulgurite::detail
