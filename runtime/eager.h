#pragma once

#include <fulgurite/core/evaluator.h>

namespace fulgurite {

/// Runs eager ops and whole traces: an eager op is a cached one-op program, through the same claim as
/// everything else. The cache is bounded, and each thread remembers the last program of each op.
class EagerEvaluator final : public Evaluator {
public:
    Flat run_op(const Symbol& symbol, Flat arguments) override;
    std::vector<Tensor> run_trace(const Trace& trace, std::vector<Tensor> inputs) override;
};

/// Programs that eager ops have compiled so far, on all threads (for tests).
std::uint64_t eager_compilations();

}  // namespace fulgurite
