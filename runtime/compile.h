#pragma once

#include <memory>
#include <vector>

#include <fulgurite/core/compile_context.h>
#include <fulgurite/core/pass_log.h>
#include <fulgurite/runtime/program.h>
#include <fulgurite/transforms/claim.h>

namespace fulgurite {

/// A program with the story of how it came about.
struct Compiled {
    std::unique_ptr<const Program> program;
    std::vector<Trace> traces;        ///< after every pass, in order
    std::vector<ClaimRecord> claims;  ///< who took what, who refused and why
    double trace_milliseconds = 0;    ///< running the user's function
    double compile_milliseconds = 0;  ///< all passes and the plan
};

/// Runs the pipeline on a fresh trace. `log` holds what was traced on the way (the passes of grad).
Compiled compile(const Trace& trace, const PassLog& log, const CompileContext& context);

/// The passes between tracing and the plan, on their own: what compile runs, and what tests and tools read.
Trace run_pipeline(const Trace& trace, PassLog& log, const CompileContext& context,
                   std::vector<ClaimRecord>& claims, ClaimOptions options = {});

}  // namespace fulgurite
