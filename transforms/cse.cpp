#include <fulgurite/transforms/cse.h>

#include <algorithm>
#include <unordered_map>

#include <fulgurite/core/tracing.h>

namespace fulgurite {

namespace {
bool mergeable(const BoundSymbol& symbol) {
    return !symbol.has(Tag::random) && !symbol.has(Tag::effect) && symbol.regions.empty() &&
           std::all_of(symbol.subsymbols.begin(), symbol.subsymbols.end(),
                       [](const auto& s) { return mergeable(*s); });
}

bool same_call(const BoundSymbol& a, const BoundSymbol& b) {
    return a.symbol == b.symbol && a.executor == b.executor && a.tags == b.tags && a.operands == b.operands &&
           (a.arguments == b.arguments || *a.arguments == *b.arguments);
}

std::size_t hash_call(const BoundSymbol& symbol) {
    std::size_t hash = std::hash<const void*>{}(symbol.symbol);
    const auto mix = [&hash](std::size_t value) {
        hash = (hash ^ value) * 0x9e3779b97f4a7c15u + (hash >> 29);
    };
    for (const ValueId id : symbol.operands) mix(static_cast<std::size_t>(id));
    for (const Atom& atom : symbol.arguments->atoms)
        mix(static_cast<std::size_t>(atom.bits) * 31 + static_cast<std::size_t>(atom.kind));
    return hash;
}
}  // namespace

Trace cse(const Trace& trace) {
    std::unordered_multimap<std::size_t, BoundSymbolPtr> seen;
    ValueMap renamed;
    Trace out = trace;
    out.body.clear();
    for (const BoundSymbolPtr& original : trace.body) {
        const BoundSymbolPtr symbol = substitute(original, renamed);
        if (!mergeable(*symbol)) {
            out.body.push_back(symbol);
            continue;
        }
        const std::size_t hash = hash_call(*symbol);
        const auto [begin, end] = seen.equal_range(hash);
        const auto twin =
            std::find_if(begin, end, [&](const auto& entry) { return same_call(*entry.second, *symbol); });
        if (twin == end) {
            seen.emplace(hash, symbol);
            out.body.push_back(symbol);
        } else {
            for (std::size_t i = 0; i < symbol->results.size(); ++i) {
                renamed[symbol->results[i]] = twin->second->results[i];
            }
        }
    }
    for (ValueId& id : out.outputs) id = mapped(renamed, id);
    return out;
}

}  // namespace fulgurite
