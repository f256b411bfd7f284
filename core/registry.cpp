#include <fulgurite/core/registry.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include <fulgurite/core/compile_context.h>

namespace fulgurite {

namespace {
using Executors = std::vector<ExecutorPtr>;

struct Registry {
    std::mutex mutex;
    std::map<std::string, ExecutorPtr, std::less<>> executors;
    Executors defaults, always;
    std::atomic<std::uint64_t> generation{0};
    std::atomic<bool> has_builtins{false};
    std::once_flag builtins_once;
};
Registry& raw_registry() {
    static auto* const registry = new Registry;
    return *registry;
}

/// The registry with the built-in executors in it. While they are being registered this thread sees it as it
/// is.
Registry& registry() {
    Registry& registry = raw_registry();
    if (registry.has_builtins.load(std::memory_order_acquire)) return registry;
    thread_local bool inside = false;
    if (inside) return registry;
    struct Inside {
        Inside() { inside = true; }
        ~Inside() { inside = false; }
    } const guard;
    std::call_once(registry.builtins_once, ensure_builtin_executors);
    registry.has_builtins.store(true, std::memory_order_release);
    return registry;
}

void erase_named(Executors& list, std::string_view name) {
    std::erase_if(list, [&](const ExecutorPtr& executor) { return executor->name() == name; });
}

void put_in_front(Executors& list, const ExecutorPtr& executor) {
    erase_named(list, executor->name());
    list.insert(list.begin(), executor);
}

void require(const ExecutorPtr& executor, const char* op) {
    if (!executor) fail<ValueError>(op, "expected an executor, got null");
    if (executor->name().empty()) fail<ValueError>(op, "expected an executor with a name, got one without");
}

/// Runs `change` on the registry under its lock, then makes compiled programs look again.
template <class Change>
void change(Change&& change) {
    Registry& all = registry();
    {
        const std::lock_guard lock(all.mutex);
        change(all);
    }
    ++all.generation;
}

std::string known_names(const Registry& registry) {
    std::string names;
    for (const auto& [name, executor] : registry.executors)
        names += (names.empty() ? "'" : ", '") + name + "'";
    return names.empty() ? "there are none" : "there are " + names;
}

Executors copy_of(Executors Registry::* list) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    return all.*list;
}
}  // namespace

namespace detail {
void bump_registry_generation() { ++raw_registry().generation; }
}  // namespace detail

ExecutorPtr register_executor(ExecutorPtr executor) {
    require(executor, "register_executor");
    change([&](Registry& all) {
        all.executors[executor->name()] = executor;
        for (Executors* list : {&all.defaults, &all.always}) {
            for (ExecutorPtr& entry : *list) {
                if (entry->name() == executor->name()) entry = executor;
            }
        }
    });
    return executor;
}

OperatorExecutor& register_executor(const std::string& name, ExecutorOptions options) {
    auto executor = std::make_shared<OperatorExecutor>(name, std::move(options.version));
    register_executor(ExecutorPtr(executor));
    if (options.add_to_default) add_default_executor(executor);
    return *executor;
}

void deregister_executor(std::string_view name) {
    ExecutorPtr last_hold;  // its destructor runs without the lock
    change([&](Registry& all) {
        const auto entry = all.executors.find(name);
        if (entry == all.executors.end()) {
            fail<ValueError>("deregister_executor",
                             "no executor '" + std::string(name) + "'; " + known_names(all));
        }
        last_hold = std::move(entry->second);
        all.executors.erase(entry);
        erase_named(all.defaults, last_hold->name());
        erase_named(all.always, last_hold->name());
    });
}

ExecutorPtr get_executor(std::string_view name) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    const auto entry = all.executors.find(name);
    if (entry == all.executors.end()) {
        fail<ValueError>("get_executor", "no executor '" + std::string(name) + "'; " + known_names(all));
    }
    return entry->second;
}

std::vector<ExecutorPtr> get_all_executors() {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    Executors executors;
    for (const auto& [name, executor] : all.executors) executors.push_back(executor);
    return executors;
}

std::vector<ExecutorPtr> get_default_executors() { return copy_of(&Registry::defaults); }
std::vector<ExecutorPtr> get_always_executors() { return copy_of(&Registry::always); }

namespace {
void set_list(Executors Registry::* list, const Executors& executors, const char* op) {
    Executors unique;
    for (const ExecutorPtr& executor : executors) {
        require(executor, op);
        erase_named(unique, executor->name());
        unique.push_back(executor);
    }
    change([&](Registry& all) { std::swap(all.*list, unique); });
}

void add_to_list(Executors Registry::* list, const ExecutorPtr& executor, const char* op) {
    require(executor, op);
    change([&](Registry& all) { put_in_front(all.*list, executor); });
}
}  // namespace

void set_default_executors(const std::vector<ExecutorPtr>& executors) {
    set_list(&Registry::defaults, executors, "set_default_executors");
}
void set_always_executors(const std::vector<ExecutorPtr>& executors) {
    set_list(&Registry::always, executors, "set_always_executors");
}
void add_default_executor(const ExecutorPtr& executor) {
    add_to_list(&Registry::defaults, executor, "add_default_executor");
}
void add_always_executor(const ExecutorPtr& executor) {
    add_to_list(&Registry::always, executor, "add_always_executor");
}
void remove_default_executor(std::string_view name) {
    change([&](Registry& all) { erase_named(all.defaults, name); });
}
void remove_always_executor(std::string_view name) {
    change([&](Registry& all) { erase_named(all.always, name); });
}

std::vector<ExecutorPtr> resolve_executors(const std::vector<ExecutorRef>& executors) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    Executors resolved;
    if (executors.empty()) {
        resolved = all.always;
        for (auto entry = all.defaults.rbegin(); entry != all.defaults.rend(); ++entry)
            put_in_front(resolved, *entry);
        return resolved;
    }
    std::string unknown;
    for (const ExecutorRef& entry : executors) {
        const auto named = all.executors.find(entry.name);
        if (entry.executor)
            resolved.push_back(entry.executor);
        else if (named != all.executors.end())
            resolved.push_back(named->second);
        else
            unknown += (unknown.empty() ? "'" : ", '") + entry.name + "'";
    }
    if (!unknown.empty())
        fail<ValueError>("resolve_executors", "unknown executors " + unknown + "; " + known_names(all));
    return resolved;
}

std::vector<ExecutorPtr> executors_to_ask(const std::vector<ExecutorRef>& executors) {
    Executors asked = resolve_executors(executors);
    for (const ExecutorPtr& executor : get_always_executors()) {
        const bool listed = std::any_of(asked.begin(), asked.end(), [&](const ExecutorPtr& other) {
            return other->name() == executor->name();
        });
        if (!listed) asked.push_back(executor);
    }
    return asked;
}

std::uint64_t registry_generation() { return registry().generation.load(std::memory_order_acquire); }

std::shared_ptr<OperatorExecutor> temporary_executor() {
    static std::atomic<std::uint64_t> serial{0};
    return std::make_shared<OperatorExecutor>("temporary_" + std::to_string(++serial));
}

namespace {
const Symbol* find_in(const Executors& executors, std::string_view executor_name, std::string_view name) {
    for (const ExecutorPtr& executor : executors) {
        if (executor->name() != executor_name) continue;
        const auto* operators = dynamic_cast<const OperatorExecutor*>(executor.get());
        if (const Symbol* symbol = operators ? operators->find_operator(name) : nullptr) return symbol;
    }
    return nullptr;
}
}  // namespace

const Symbol* find_executor_operator(std::string_view name) {
    const std::size_t split = name.find("::");
    if (split == name.npos) return nullptr;
    const std::string_view executor = name.substr(0, split), rest = name.substr(split + 2);
    if (const Symbol* symbol = find_in(compile_context().executors, executor, rest)) return symbol;
    return find_in(get_all_executors(), executor, rest);
}

}  // namespace fulgurite
