#include <fulgurite/runtime/compile.h>

#include <chrono>

#include <fulgurite/core/check.h>
#include <fulgurite/transforms/cse.h>
#include <fulgurite/transforms/dce.h>
#include <fulgurite/transforms/separate_outputs.h>

namespace fulgurite {

namespace {
struct Pass {
    const char* name;
    Stage stage;
    std::function<Trace(const Trace&)> run;
};

constexpr bool check_every_pass =
#ifdef NDEBUG
    false;
#else
    true;
#endif
}  // namespace

Trace run_pipeline(const Trace& trace, PassLog& log, const CompileContext& context,
                   std::vector<ClaimRecord>& claims, ClaimOptions options) {
    const Pass pipeline[] = {
        {"dce", Stage::traced, dce},
        {"cse", Stage::traced, cse},
        {"dce", Stage::traced, dce},
        {"claim", Stage::claimed,
         [&](const Trace& t) { return claim(t, context.executors, claims, options); }},
        {"cse", Stage::claimed, cse},  // what decomposed may have parts that a gradient rule has too
        // After claim: a transform may give an operand for a result.
        {"separate_outputs", Stage::claimed,
         [&](const Trace& t) {
             const Trace apart = separate_outputs(t);
             const bool clones = apart.body.size() > t.body.size();
             return clones ? claim(apart, context.executors, claims, options) : apart;
         }},
        {"fuse", Stage::claimed, [&](const Trace& t) { return fuse(t, context.executors, claims, options); }},
    };
    log.add(trace);
    Trace current = trace;
    for (const Pass& pass : pipeline) {
        current = log.run(pass.name, current, pass.run);
        if (check_every_pass && !options.allow_unclaimed) check(current, pass.stage);
    }
    return current;
}

Compiled compile(const Trace& trace, const PassLog& log, const CompileContext& context) {
    const auto start = std::chrono::steady_clock::now();
    Compiled compiled;
    PassLog passes = log;
    const CompileScope scope(context);
    const Trace final_trace = run_pipeline(trace, passes, context, compiled.claims);
    compiled.program = std::make_unique<const Program>(final_trace);
    compiled.traces = passes.traces();
    compiled.trace_milliseconds = trace.milliseconds;
    compiled.compile_milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return compiled;
}

}  // namespace fulgurite
