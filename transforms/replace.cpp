#include <fulgurite/transforms/replace.h>

#include <algorithm>

#include <fulgurite/core/ops/layout.h>
#include <fulgurite/core/ops/prims.h>

namespace fulgurite {

namespace {
bool defined_in(const std::vector<BoundSymbolPtr>& body, ValueId id) {
    return std::any_of(body.begin(), body.end(), [id](const BoundSymbolPtr& symbol) {
        return std::find(symbol->results.begin(), symbol->results.end(), id) != symbol->results.end();
    });
}

/// A copy whose dimensions lie in memory in the order of `strides`.
Tensor dense_copy(const Tensor& x, const Strides& strides) {
    if (same_layout(x.shape(), contiguous_strides(x.shape()), strides)) return prims::clone(x);
    Dims order, back = Dims::filled(strides.size(), 0);
    for (int i = 0; i < strides.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return strides[static_cast<int>(a)] > strides[static_cast<int>(b)];
    });
    for (int i = 0; i < order.size(); ++i) back[static_cast<int>(order[i])] = i;
    return prims::permute(prims::clone(prims::permute(x, order)), back);
}

/// The new result as the old one promised it.
Tensor with_layout(const BoundSymbol& old, const Tensor& result, const TensorSpec& promised) {
    if (result.shape() != promised.shape || result.dtype() != promised.dtype ||
        result.device() != promised.device) {
        throw InternalError("[" + old.symbol->name + "] a replacement was to return " + to_string(promised) +
                            " and returns " + to_string(result.spec()));
    }
    if (result.spec() == promised) return result;
    const Tensor copy = dense_copy(result, promised.strides);
    if (same_layout(promised.shape, copy.strides(), promised.strides)) return copy;
    throw InternalError("[" + old.symbol->name + "] no layout op leads from " + to_string(result.spec()) +
                        " to " + to_string(promised));
}
}  // namespace

std::vector<BoundSymbolPtr> replacement_for(
    const BoundSymbol& old, const std::function<Flat(const std::vector<Tensor>& operands)>& emit) {
    const LocationScope location(old.where);
    TraceScope scope;
    std::vector<Tensor> operands;
    for (const ValueId id : old.operands) operands.push_back(scope.handle(id));
    const Flat results = emit(operands);
    if (results.tensors.size() != old.results.size()) {
        throw InternalError("[" + old.symbol->name + "] a replacement was to return " +
                            std::to_string(old.results.size()) + " tensors and returns " +
                            std::to_string(results.tensors.size()));
    }
    ValueMap names;
    for (std::size_t i = 0; i < old.results.size(); ++i) {
        const TensorSpec& promised = (*scope.root().values)[old.results[i]].spec;
        ValueId id = scope.value_of(with_layout(old, results.tensors[i], promised));
        if (!defined_in(scope.body(), id) || names.contains(id))
            id = scope.value_of(prims::alias(scope.handle(id)));
        names.emplace(id, old.results[i]);
        scope.root().values->at(old.results[i]).offset = (*scope.root().values)[id].offset;
    }
    std::vector<BoundSymbolPtr> body;
    for (const BoundSymbolPtr& symbol : scope.body()) body.push_back(substitute(symbol, names));
    return body;
}

}  // namespace fulgurite
