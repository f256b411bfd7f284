#include <fulgurite/transforms/dce.h>

#include <algorithm>

namespace fulgurite {

namespace {
void need(std::vector<bool>& needed, const std::vector<ValueId>& values) {
    for (const ValueId id : values) {
        if (id != no_value) needed[static_cast<std::size_t>(id)] = true;
    }
}

/// Values of the enclosing trace that a body uses freely count as needed; marking its own does no harm.
void need_free_values(std::vector<bool>& needed, const BoundSymbol& symbol) {
    for (const Region& region : symbol.regions) {
        need(needed, region.results);
        for (const BoundSymbolPtr& inner : region.body) {
            need(needed, inner->operands);
            need_free_values(needed, *inner);
        }
    }
}
}  // namespace

Trace dce(const Trace& trace) {
    std::vector<bool> needed(trace.values->size(), false);
    need(needed, trace.outputs);
    std::vector<BoundSymbolPtr> kept;
    for (auto symbol = trace.body.rbegin(); symbol != trace.body.rend(); ++symbol) {
        const BoundSymbol& bound = **symbol;
        const bool wanted = bound.has(Tag::effect) ||
                            std::any_of(bound.results.begin(), bound.results.end(),
                                        [&](ValueId id) { return needed[static_cast<std::size_t>(id)]; });
        if (!wanted) continue;
        need(needed, bound.operands);
        need_free_values(needed, bound);
        for (const BoundSymbolPtr& part : bound.subsymbols)
            need(needed, part->operands);  // free values of a composite
        kept.push_back(*symbol);
    }
    std::reverse(kept.begin(), kept.end());

    Trace out = trace;
    out.body = std::move(kept);
    return out;
}

}  // namespace fulgurite
