#include <fulgurite/core/executor.h>

#include <atomic>
#include <cstdlib>
#include <mutex>

#include <fulgurite/core/registry.h>
#include <fulgurite/core/tracing.h>

namespace fulgurite {

ClaimResult ErasedImplementation::check(const Statics& statics, const Tensor* tensors) const {
    if (!checker) return {true, {}, {}};
    const NoTraceScope no_trace;
    try {
        return checker(statics, tensors);
    } catch (const Error& error) {
        return {false, error.what(), {}};
    }
}

namespace detail {
void throw_no_plan() {
    fail<ValueError>("register_implementation",
                     "expected a checker that returns the plan, got an implementation with a "
                     "plan and without a checker");
}
}  // namespace detail

namespace {
/// The newest entry for a symbol, or null.
template <class Map>
auto newest(const Map& map, const Symbol& symbol) -> decltype(map.begin()->second.back().get()) {
    const auto entry = map.find(&symbol);
    return entry == map.end() ? nullptr : entry->second.back().get();
}
}  // namespace

const Symbol* OperatorExecutor::add_operator(const std::string& name, Symbol symbol, Kernel kernel,
                                             const OperatorOptions& options) {
    if (name.empty()) fail<ValueError>("register_operator", "expected a name, got an empty one");
    const Symbol* added = nullptr;
    {
        const std::unique_lock lock(mutex_);
        std::unique_ptr<const Symbol>& slot = operators_[name];
        if (slot) {
            fail<ValueError>("register_operator", "expected a new name, got '" + name +
                                                      "', which executor '" + this->name() + "' has already");
        }
        symbol.name = this->name() + "::" + name;
        slot = std::make_unique<const Symbol>(std::move(symbol));
        added = slot.get();
        kernels_[added].push_back(std::make_unique<const Kernel>(std::move(kernel)));
        for (const Symbol* replaced : options.replaces) replacements_[replaced] = added;
    }
    detail::bump_registry_generation();
    return added;
}

void OperatorExecutor::add_implementation(const Symbol& symbol, ErasedImplementation implementation) {
    {
        const std::unique_lock lock(mutex_);
        implementations_[&symbol].push_back(
            std::make_unique<const ErasedImplementation>(std::move(implementation)));
    }
    detail::bump_registry_generation();
}

void OperatorExecutor::add_kernel(const Symbol& symbol, Kernel kernel) {
    {
        const std::unique_lock lock(mutex_);
        kernels_[&symbol].push_back(std::make_unique<const Kernel>(std::move(kernel)));
    }
    detail::bump_registry_generation();
}

const ErasedImplementation* OperatorExecutor::implementation(const Symbol& symbol) const {
    const std::shared_lock lock(mutex_);
    return newest(implementations_, symbol);
}

const Kernel* OperatorExecutor::kernel(const Symbol& symbol) const {
    const std::shared_lock lock(mutex_);
    return newest(kernels_, symbol);
}

const Symbol* OperatorExecutor::find_operator(std::string_view name) const {
    const std::shared_lock lock(mutex_);
    const auto entry = operators_.find(name);
    return entry == operators_.end() ? nullptr : entry->second.get();
}

std::vector<const Symbol*> OperatorExecutor::operators() const {
    const std::shared_lock lock(mutex_);
    std::vector<const Symbol*> symbols;
    for (const auto& [name, symbol] : operators_) symbols.push_back(symbol.get());
    return symbols;
}

Replacements OperatorExecutor::replacements() const {
    const std::shared_lock lock(mutex_);
    return replacements_;
}

Replacements replacements_of(const std::vector<ExecutorPtr>& executors) {
    Replacements all;
    for (const ExecutorPtr& executor : executors) {
        const auto* operators = dynamic_cast<const OperatorExecutor*>(executor.get());
        if (operators) all.merge(operators->replacements());  // keeps what is there: the first executor wins
    }
    return all;
}

namespace {
std::int64_t initial_fuel() {
    const char* text = std::getenv("FULGURITE_FUEL");
    if (!text || !*text) return -1;
    char* end = nullptr;
    const std::int64_t fuel = std::strtoll(text, &end, 10);
    if (*end)
        fail<ValueError>("FULGURITE_FUEL", "expected a number of fusions, got '" + std::string(text) + "'");
    return fuel;
}
std::atomic<std::int64_t>& fuel_left() {
    static std::atomic<std::int64_t> fuel{initial_fuel()};
    return fuel;
}

Statics list_of_tensors(std::size_t count) {
    Statics statics;
    statics.atoms.assign(count + 1, Atom::tensor());
    statics.atoms[0] = Atom::begin(count);
    return statics;
}
}  // namespace

void FusionExecutor::set_fuel(std::int64_t fuel) { fuel_left() = fuel; }

bool FusionExecutor::take_fuel() {
    std::atomic<std::int64_t>& fuel = fuel_left();
    std::int64_t left = fuel;
    while (left > 0 && !fuel.compare_exchange_weak(left, left - 1)) {
    }
    return left != 0;
}

BoundSymbolPtr FusionExecutor::make_fusion(const std::string& name, std::vector<ValueId> inputs,
                                           std::vector<ValueId> outputs, std::vector<BoundSymbolPtr> body,
                                           Kernel kernel) const {
    auto symbol = std::make_shared<Symbol>();
    symbol->name = this->name() + "::" + name;
    symbol->is_prim = true;
    symbol->signature = &detail::SignatureOf<std::vector<Tensor>(std::vector<Tensor>)>::value;
    symbol->executor = this;

    auto bound = std::make_shared<BoundSymbol>();
    bound->symbol = symbol.get();
    bound->arguments = std::make_shared<const Statics>(list_of_tensors(inputs.size()));
    bound->operands = std::move(inputs);
    bound->result_structure = list_of_tensors(outputs.size());
    bound->results = std::move(outputs);
    if (!body.empty()) bound->where = body.front()->where;
    bound->subsymbols = std::move(body);
    bound->owned_symbol = std::move(symbol);
    bound->owned_kernel = std::make_shared<const Kernel>(std::move(kernel));
    bound->executor = shared_from_this();
    return bound;
}

}  // namespace fulgurite
