#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fulgurite/core/executor.h>

namespace fulgurite {

/// A compile option's value; executors name the options they read with register_compile_option.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;
using CompileOptions = std::map<std::string, OptionValue>;

/// What is being compiled for, on this thread.
struct CompileContext {
    std::vector<ExecutorPtr> executors;  ///< in order of claim
    CompileOptions options;
};

/// The innermost CompileScope's context; outside of any, the default and always lists without options.
const CompileContext& compile_context();

/// RAII: sets the context of this thread.
class CompileScope {
public:
    explicit CompileScope(const CompileContext& context);
    ~CompileScope();
    CompileScope(const CompileScope&) = delete;
    CompileScope& operator=(const CompileScope&) = delete;

private:
    const CompileContext* saved_;
};

/// Declares an option that jit then accepts; its default also says its type.
void register_compile_option(const std::string& name, OptionValue default_value,
                             const std::string& description);

/// Throws ValueError for an option nobody declared (naming those that are), DTypeError for a value of another
/// type.
void check_compile_options(const CompileOptions& options);

/// The option's value in the current context, or its default.
OptionValue get_compile_option(std::string_view name);

}  // namespace fulgurite
