#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include <fulgurite/core/pass_log.h>
#include <fulgurite/core/trace.h>

namespace fulgurite {

class TraceScope;

/// Ops that an executor of the list being compiled for replaces while a trace is recorded; null: none.
using Replacements = std::map<const Symbol*, const Symbol*>;

/// What every scope of one outermost trace shares.
struct TraceRoot {
    std::shared_ptr<ValueTable> values;
    PassLog log;  ///< of transforms that were traced on the way
    std::vector<Capture> captures;
    std::map<const TensorNode*, ValueId> captured;
    bool scalars_guarded =
        false;                 ///< some Scalar's value was read: the program is right only for these numbers
    int differentiations = 0;  ///< how many grads are being traced, one inside the other
    const Replacements* replacements = nullptr;
};

/// A list of bound symbols being recorded on this thread, on a stack of such lists. While one is active every
/// op records into the innermost. The outermost scope makes the root; inner ones share it, so that a value of
/// an outer scope may be used in an inner one as it is.
class TraceScope {
public:
    TraceScope();
    /// For a pass: the active root where it has these values, else a root of its own over them.
    explicit TraceScope(std::shared_ptr<ValueTable> values);
    ~TraceScope();
    TraceScope(const TraceScope&) = delete;
    TraceScope& operator=(const TraceScope&) = delete;

    /// The innermost active scope of this thread, or null.
    static TraceScope* current();

    TraceRoot& root() { return *root_; }
    std::vector<BoundSymbolPtr>& body() { return body_; }

    /// A new value that no symbol of this scope makes, as a handle.
    Tensor add_input(const TensorSpec& spec, std::string name = {});
    /// A handle, good while this scope is active, to an existing value.
    Tensor handle(ValueId value);
    /// The value of any tensor: traced in an active scope, or concrete (captured).
    /// Throws TraceError for a traced tensor whose trace is gone or belongs to another, and for an abstract
    /// one.
    ValueId value_of(const Tensor& tensor);
    std::vector<ValueId> values_of(const std::vector<Tensor>& tensors);

    /// Records a call: runs the meta of a prim, or the decomposition of a composite in a scope of its own.
    Flat record(const Symbol& symbol, Flat arguments);
    /// Appends what was recorded elsewhere.
    void append(BoundSymbolPtr symbol) { body_.push_back(std::move(symbol)); }
    /// Appends a region's body with fresh values, its parameters replaced by the arguments; returns its
    /// results.
    std::vector<ValueId> inline_region(const Region& region, const std::vector<ValueId>& arguments);

private:
    Flat record_prim(const Symbol& symbol, const Flat& arguments);
    Flat record_composite(const Symbol& symbol, Flat arguments);
    ValueId capture(const Tensor& tensor);

    TraceScope* outer_;
    std::unique_ptr<TraceRoot> own_root_;
    TraceRoot* root_;
    std::uint64_t serial_;
    std::vector<BoundSymbolPtr> body_;
};

/// Suspends tracing on this thread: checkers and other host code run in one.
class NoTraceScope {
public:
    NoTraceScope();
    ~NoTraceScope();
    NoTraceScope(const NoTraceScope&) = delete;
    NoTraceScope& operator=(const NoTraceScope&) = delete;

private:
    TraceScope* saved_;
};

bool is_tracing();

using ValueMap = std::map<ValueId, ValueId>;

/// The value that stands for `id`; itself where the map has none.
inline ValueId mapped(const ValueMap& values, ValueId id) {
    const auto entry = values.find(id);
    return entry == values.end() ? id : entry->second;
}
/// The bound symbol with its values renamed, subsymbols and regions too; itself where nothing changes.
BoundSymbolPtr substitute(const BoundSymbolPtr& symbol, const ValueMap& values);

/// RAII: ops recorded while one is alive on this thread carry no gradient (torch.no_grad).
class NoGradGuard {
public:
    NoGradGuard();
    ~NoGradGuard();
    NoGradGuard(const NoGradGuard&) = delete;
    NoGradGuard& operator=(const NoGradGuard&) = delete;

private:
    bool saved_;
};
/// RAII: gradients again, within a NoGradGuard (torch.enable_grad).
class EnableGradGuard {
public:
    EnableGradGuard();
    ~EnableGradGuard();
    EnableGradGuard(const EnableGradGuard&) = delete;
    EnableGradGuard& operator=(const EnableGradGuard&) = delete;

private:
    bool saved_;
};
bool is_grad_enabled();

}  // namespace fulgurite
