#include <fulgurite/core/symbol.h>

#include <map>
#include <mutex>
#include <shared_mutex>

#include <fulgurite/core/errors.h>

namespace fulgurite {

namespace {
/// Filled while static tables are made, so it must not depend on any order of them.
struct SymbolTable {
    std::shared_mutex mutex;
    std::map<std::string, std::unique_ptr<const Symbol>, std::less<>> symbols;
};
SymbolTable& symbol_table() {
    static auto* const table = new SymbolTable;
    return *table;
}

/// Whether two symbols are copies of one op (a header's op in two shared libraries), not two ops with one
/// name.
bool same_op(const Symbol& a, const Symbol& b) {
    return a.tags == b.tags && a.is_prim == b.is_prim &&
           a.signature->arguments()->fields.size() == b.signature->arguments()->fields.size();
}
}  // namespace

const Symbol* find_symbol(std::string_view name) {
    SymbolTable& table = symbol_table();
    const std::shared_lock lock(table.mutex);
    const auto entry = table.symbols.find(name);
    return entry == table.symbols.end() ? nullptr : entry->second.get();
}

std::vector<const Symbol*> all_symbols() {
    SymbolTable& table = symbol_table();
    const std::shared_lock lock(table.mutex);
    std::vector<const Symbol*> symbols;
    symbols.reserve(table.symbols.size());
    for (const auto& [name, symbol] : table.symbols) symbols.push_back(symbol.get());
    return symbols;
}

namespace detail {
const Symbol* keep_symbol(Symbol symbol) {
    SymbolTable& table = symbol_table();
    const std::unique_lock lock(table.mutex);
    std::unique_ptr<const Symbol>& slot = table.symbols[symbol.name];
    if (slot && !same_op(*slot, symbol))
        throw InternalError("two different built-in ops are named '" + symbol.name + "'");
    if (!slot) slot = std::make_unique<const Symbol>(std::move(symbol));
    return slot.get();
}
}  // namespace detail

}  // namespace fulgurite
