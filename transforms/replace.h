#pragma once

#include <functional>
#include <vector>

#include <fulgurite/core/tracing.h>

namespace fulgurite {

/// Records `emit(operands)` in a scope of its own and returns what it recorded, with its results renamed to
/// those of `old`: whoever reads the old results then reads the new ones. The result metadata of `old` is
/// kept as promised: a result of other strides gets a visible layout op. Throws InternalError for another
/// count, shape or dtype.
std::vector<BoundSymbolPtr> replacement_for(
    const BoundSymbol& old, const std::function<Flat(const std::vector<Tensor>& operands)>& emit);

}  // namespace fulgurite
