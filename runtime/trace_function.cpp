#include <fulgurite/runtime/trace_function.h>

namespace fulgurite::detail {

Trace finish_trace(Trace trace, const TraceOptions& options) {
    check_compile_options(options.compile_options);
    if (!options.claimed) return trace;
    PassLog log;
    std::vector<ClaimRecord> claims;
    return run_pipeline(trace, log, compile_context(), claims, {options.allow_unclaimed});
}

}  // namespace fulgurite::detail
