#pragma once

#include <functional>
#include <vector>

#include <fulgurite/core/tracing.h>

namespace fulgurite {

/// What differentiating a traced function gives, as handles of the scope that it was inlined into.
struct Differentiated {
    std::vector<Tensor> outputs;  ///< of the function; the first is the loss
    std::vector<Tensor>
        gradients;  ///< one for each input: zeros where it has no influence, undefined for integers
};

/// Traces `function` on fresh inputs that stand for `inputs`, cleans up (cse, dce), turns the trace into a
/// joint one that computes the gradients of its first output, and inlines that into `scope`. Throws
/// ValueError unless the first output is a floating tensor of one element.
Differentiated differentiate(TraceScope& scope, const std::vector<Tensor>& inputs,
                             const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& function);

/// The joint trace: `trace` with the ops that compute the gradients of its first output for its first `wrt`
/// inputs. Its outputs are those of `trace`, then the gradients (no_value for an input that can have none).
///
/// For each op in order: the first executor of the list whose checker accepts and that has a grad_transform
/// (only at the outermost differentiation), then the table of rules, then the decomposition. A rule's ops are
/// parted by data flow: what its results need runs forward, the rest runs backward, in reverse order of the
/// rules.
Trace grad_transform(const Trace& trace, std::size_t wrt);

}  // namespace fulgurite
