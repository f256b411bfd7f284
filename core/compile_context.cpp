#include <fulgurite/core/compile_context.h>

#include <mutex>

namespace fulgurite {

namespace {
thread_local const CompileContext* current_context = nullptr;

struct Declared {
    OptionValue default_value;
    std::string description;
};
struct OptionTable {
    std::mutex mutex;
    std::map<std::string, Declared, std::less<>> options;
};
OptionTable& option_table() {
    static auto* const table = new OptionTable;
    return *table;
}

std::string known_options(const OptionTable& table) {
    std::string names;
    for (const auto& [name, declared] : table.options) names += (names.empty() ? "" : ", ") + name;
    return names.empty() ? "there are none" : "known: " + names;
}
}  // namespace

const CompileContext& compile_context() {
    if (current_context) return *current_context;
    thread_local CompileContext defaults;
    thread_local std::uint64_t generation = ~std::uint64_t{0};
    if (generation != registry_generation()) {
        defaults.executors = resolve_executors({});
        generation = registry_generation();
    }
    return defaults;
}

CompileScope::CompileScope(const CompileContext& context) : saved_(current_context) {
    current_context = &context;
}
CompileScope::~CompileScope() { current_context = saved_; }

void register_compile_option(const std::string& name, OptionValue default_value,
                             const std::string& description) {
    OptionTable& table = option_table();
    const std::lock_guard lock(table.mutex);
    table.options.insert_or_assign(name, Declared{std::move(default_value), description});
}

void check_compile_options(const CompileOptions& options) {
    OptionTable& table = option_table();
    const std::lock_guard lock(table.mutex);
    for (const auto& [name, value] : options) {
        const auto declared = table.options.find(name);
        if (declared == table.options.end()) {
            fail<ValueError>("jit",
                             "expected a known compile option, got '" + name + "'; " + known_options(table));
        }
        if (declared->second.default_value.index() != value.index()) {
            fail<DTypeError>("jit", "compile option '" + name +
                                        "' has a value of another type: " + declared->second.description);
        }
    }
}

OptionValue get_compile_option(std::string_view name) {
    const CompileContext& context = compile_context();
    if (const auto given = context.options.find(std::string(name)); given != context.options.end())
        return given->second;
    OptionTable& table = option_table();
    const std::lock_guard lock(table.mutex);
    const auto declared = table.options.find(name);
    if (declared == table.options.end())
        fail<ValueError>("compile", "no compile option '" + std::string(name) + "' is declared");
    return declared->second.default_value;
}

}  // namespace fulgurite
