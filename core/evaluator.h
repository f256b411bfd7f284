#pragma once

#include <vector>

#include <fulgurite/core/trace.h>

namespace fulgurite {

/// What core asks of the runtime: to run things now. The composition root provides it; its first call
/// registers the built-in executors.
class Evaluator {
public:
    virtual ~Evaluator() = default;
    /// One eager op on concrete tensors and run-time numbers, through a cached one-op program.
    virtual Flat run_op(const Symbol& symbol, Flat arguments) = 0;
    /// A whole trace with concrete inputs: what a transform called outside jit makes. Programs are reused by
    /// the trace's hash.
    virtual std::vector<Tensor> run_trace(const Trace& trace, std::vector<Tensor> inputs) = 0;
};

Evaluator& evaluator();

}  // namespace fulgurite
