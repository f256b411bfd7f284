#pragma once

#include <any>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include <fulgurite/core/claim.h>
#include <fulgurite/core/op.h>
#include <fulgurite/core/trace.h>
#include <fulgurite/core/tracing.h>

namespace fulgurite {

/// Somebody who can run operations. Held by shared_ptr: the registry has one, and so has each program that
/// uses it.
class Executor : public std::enable_shared_from_this<Executor> {
public:
    explicit Executor(std::string name, std::string version = {})
        : name_(std::move(name)), version_(std::move(version)) {}
    virtual ~Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    const std::string& name() const { return name_; }
    const std::string& version() const { return version_; }

    /// How it runs a symbol that it owns or took as it is; null where it has none.
    virtual const Kernel* kernel(const Symbol& symbol) const = 0;

private:
    std::string name_, version_;
};
using ExecutorPtr = std::shared_ptr<Executor>;

struct OperatorOptions {
    Tag tags = Tag::none;
    /// While this executor is in the list, calls of these ops are recorded as calls of the new operator
    /// instead (same signature). Of two executors that replace one op the first in the list wins.
    std::vector<const Symbol*> replaces = {};
};

/// An executor that takes operations one by one.
class OperatorExecutor : public Executor {
public:
    using Executor::Executor;

    /// A new operator "executor::name". `meta` takes the operator's arguments (traced or concrete) and
    /// returns TensorSpecs; `implementation` takes the same and returns tensors, or is `void(Out<Tensor>&...,
    /// args...)` and writes into results that are placed already. Throws ValueError where the name is taken.
    template <class Meta, class F>
    auto register_operator(const std::string& name, Meta meta, F implementation,
                           OperatorOptions options = {});

    /// A new operator with the signature and decomposition of an existing op: what nobody runs as a whole
    /// decomposes and differentiates like that one.
    template <class S, class F>
    Op<S> register_operator_like(const std::string& name, const Op<S>& like, F implementation,
                                 OperatorOptions options = {});

    /// Offers to take `op`: see Implementation. A later registration for the same op replaces the earlier.
    template <class Plan = NoPlan, class S>
    void register_implementation(const Op<S>& op,
                                 std::type_identity_t<Implementation<S, Plan>> implementation) {
        add_implementation(op.symbol(), erase(std::move(implementation)));
    }

    /// Runs `op` itself, as it is: the way of the reference executor. `supports` says for which arguments.
    template <class S, class F>
    void register_kernel(const Op<S>& op, F implementation,
                         std::type_identity_t<CheckerFor<S>> supports = {});

    const ErasedImplementation* implementation(const Symbol& symbol) const;
    const Kernel* kernel(const Symbol& symbol) const override;
    /// The operator of its own with this name (without the executor's), or null.
    const Symbol* find_operator(std::string_view name) const;
    /// Its own operators, sorted by name.
    std::vector<const Symbol*> operators() const;
    /// What is recorded in place of what while this executor is listed (OperatorOptions::replaces).
    Replacements replacements() const;

protected:
    const Symbol* add_operator(const std::string& name, Symbol symbol, Kernel kernel,
                               const OperatorOptions& options);
    void add_implementation(const Symbol& symbol, ErasedImplementation implementation);
    void add_kernel(const Symbol& symbol, Kernel kernel);

private:
    // Registration may run beside compilation on another thread: what was handed out stays where it is, and
    // an implementation that a later one replaced is kept.
    mutable std::shared_mutex mutex_;
    std::map<std::string, std::unique_ptr<const Symbol>, std::less<>> operators_;
    std::map<const Symbol*, std::vector<std::unique_ptr<const ErasedImplementation>>> implementations_;
    std::map<const Symbol*, std::vector<std::unique_ptr<const Kernel>>> kernels_;
    Replacements replacements_;
};

/// An executor that compiles regions of many operations.
class FusionExecutor : public Executor {
public:
    using Executor::Executor;
    /// None: each fusion has its own (BoundSymbol::owned_kernel).
    const Kernel* kernel(const Symbol&) const override { return nullptr; }

    /// Whether it could run this one call as part of a region. A refusal says why.
    virtual ClaimResult can_fuse(const BoundSymbol& call, const Trace& trace) const = 0;
    /// The trace with regions of what it took replaced by fusions of its own (make_fusion).
    virtual Trace fuse(const Trace& trace) = 0;

    /// Fusions it may still make; FULGURITE_FUEL=n sets it at start, to bisect a wrong kernel. Negative: no
    /// limit.
    static void set_fuel(std::int64_t fuel);
    static bool take_fuel();

protected:
    /// One bound symbol "executor::name" that stands for `body`, with the kernel that runs it; its subsymbols
    /// are the body.
    BoundSymbolPtr make_fusion(const std::string& name, std::vector<ValueId> inputs,
                               std::vector<ValueId> outputs, std::vector<BoundSymbolPtr> body,
                               Kernel kernel) const;
};

/// Puts an executor into the registry; one of the same name is replaced. Bumps the registry's generation, so
/// that cached programs are compiled again.
ExecutorPtr register_executor(ExecutorPtr executor);
struct ExecutorOptions {
    std::string version = {};
    bool add_to_default = true;  ///< put it in front of the default list
};
/// Makes, registers and returns an executor.
OperatorExecutor& register_executor(const std::string& name, ExecutorOptions options = {});
void deregister_executor(std::string_view name);
/// Throws ValueError naming those there are.
ExecutorPtr get_executor(std::string_view name);
std::vector<ExecutorPtr> get_all_executors();

/// The lists that jit uses where it is given none: the default ones, then the always ones. add_* puts in
/// front.
std::vector<ExecutorPtr> get_default_executors();
std::vector<ExecutorPtr> get_always_executors();
void set_default_executors(const std::vector<ExecutorPtr>& executors);
void set_always_executors(const std::vector<ExecutorPtr>& executors);
void add_default_executor(const ExecutorPtr& executor);
void add_always_executor(const ExecutorPtr& executor);
void remove_default_executor(std::string_view name);
void remove_always_executor(std::string_view name);

/// An entry of a list of executors: by name, or an executor itself (also one that was never registered: a
/// temporary).
struct ExecutorRef {
    std::string name;
    ExecutorPtr executor;
    ExecutorRef(const char* executor_name) : name(executor_name) {}
    ExecutorRef(std::string executor_name) : name(std::move(executor_name)) {}
    ExecutorRef(ExecutorPtr object) : executor(std::move(object)) {}
};
/// The executors of a list in its order; for an empty list the default ones, then the always ones. Throws
/// ValueError naming every unknown one, and those there are.
std::vector<ExecutorPtr> resolve_executors(const std::vector<ExecutorRef>& executors);
/// Those that are asked where a user gives this list: resolve_executors of it, then the always ones that it
/// lacks.
std::vector<ExecutorPtr> executors_to_ask(const std::vector<ExecutorRef>& executors);

/// A number that changes whenever the registry, one of its lists or what an operator executor offers does.
std::uint64_t registry_generation();

/// Registers the built-in executors. Core declares it and calls it once, before the registry is first looked
/// at or changed; the composition root defines it, as a plain list of register_executor and add_* calls.
void ensure_builtin_executors();

/// Which op is recorded as which while tracing for these executors (OperatorOptions::replaces); the first one
/// wins.
Replacements replacements_of(const std::vector<ExecutorPtr>& executors);

/// An executor outside the registry, for one jit's list.
std::shared_ptr<OperatorExecutor> temporary_executor();

}  // namespace fulgurite

#include <fulgurite/core/executor_impl.h>
