#pragma once

#include <chrono>
#include <tuple>

#include <fulgurite/core/traced_copy.h>
#include <fulgurite/runtime/compile.h>
#include <fulgurite/transforms/separate_outputs.h>

namespace fulgurite {

struct TraceOptions {
    bool claimed = false;          ///< run the passes up to fusion too
    bool allow_unclaimed = false;  ///< keep prims that nobody takes as they are; only with `claimed`
    std::vector<ExecutorRef> executors = {};
    CompileOptions compile_options = {};
    std::string name = "traced function";
};

namespace detail {
/// The passes that `options` ask for.
Trace finish_trace(Trace trace, const TraceOptions& options);
}  // namespace detail

/// The trace of `function` for these arguments: tensors, or TensorSpecs in their place (also within structs),
/// for which no device is needed. (jax.make_jaxpr, thunder.trace)
template <class F, class... A>
Trace trace(const TraceOptions& options, const F& function, const A&... args) {
    const CompileContext context{executors_to_ask(options.executors), options.compile_options};
    const CompileScope compile_scope(context);
    const NoTraceScope apart;
    const auto start = std::chrono::steady_clock::now();
    TraceScope scope;
    const Replacements replacements = replacements_of(context.executors);
    scope.root().replacements = &replacements;
    detail::TracedInputs traced(scope);
    std::tuple<detail::pytree_of<A>...> copies{
        traced.copy(static_cast<const detail::pytree_of<A>&>(args))...};
    Trace out;
    out.name = options.name;
    out.outputs = scope.values_of(tree_flatten(std::apply(function, copies)).tensors);
    out.values = scope.root().values;
    out.inputs = std::move(traced.values);
    out.captures = scope.root().captures;
    out.body = std::move(scope.body());
    out.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    note_output_aliases(out);
    return detail::finish_trace(std::move(out), options);
}
template <class F, class... A>
    requires(!std::is_same_v<F, TraceOptions>)
Trace trace(const F& function, const A&... args) {
    return trace(TraceOptions{}, function, args...);
}

}  // namespace fulgurite
