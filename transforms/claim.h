#pragma once

#include <string>
#include <vector>

#include <fulgurite/core/executor.h>

namespace fulgurite {

/// Who said no to a call, and why.
struct RefusedClaim {
    std::string executor;
    std::string reason;
};

/// How one call of the trace was settled; what `explain` prints.
struct ClaimRecord {
    std::string symbol;
    SourceLocation where;
    std::string executor;  ///< empty: it decomposed, or nobody took it
    std::vector<RefusedClaim> refusals;
};

struct ClaimOptions {
    bool allow_unclaimed = false;  ///< leave a prim that nobody takes as it is, instead of throwing
};

/// Offers every call to the executors in list order, the whole composite first, then its parts
/// (Thunder's transform_for_execution). An accepted call is replaced by what the implementation's transform
/// records, by its operator, or stays as it is with the executor's kernel. View prims need nobody: the
/// program aliases them. Throws ClaimError, with each executor's reason, for a prim that nobody takes.
Trace claim(const Trace& trace, const std::vector<ExecutorPtr>& executors, std::vector<ClaimRecord>& records,
            ClaimOptions options = {});

/// Lets each FusionExecutor of the list compile regions of what it took, then gives what it left to the
/// others.
Trace fuse(const Trace& trace, const std::vector<ExecutorPtr>& executors, std::vector<ClaimRecord>& records,
           ClaimOptions options = {});

}  // namespace fulgurite
