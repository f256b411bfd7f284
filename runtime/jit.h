#pragma once

#include <memory>
#include <tuple>
#include <utility>

#include <fulgurite/core/callable.h>
#include <fulgurite/core/traced_copy.h>
#include <fulgurite/runtime/jit_cache.h>
#include <fulgurite/runtime/signature_key.h>
#include <fulgurite/transforms/separate_outputs.h>

namespace fulgurite {

namespace detail {

/// A number for each list of types.
template <class... T>
std::int64_t type_tag() {
    static char tag;
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&tag));
}

inline std::int64_t bits_of(std::initializer_list<bool> flags) {
    std::int64_t bits = 1;
    for (const bool flag : flags) bits = bits * 2 + (flag ? 1 : 0);
    return bits;
}

/// Writes arguments as key bytes, and collects the tensors (Scalars as 0-dim ones) that a program takes.
class KeyVisitor : public PyTreeVisitor {
public:
    explicit KeyVisitor(SignatureKey& key, std::vector<Tensor>& inputs, std::vector<Number>& scalars)
        : key_(key), inputs_(inputs), scalars_(scalars) {}
    void tensor(const Tensor& leaf) {
        key_.add(leaf);
        if (leaf.defined()) inputs_.push_back(leaf);
    }
    void operand(const Operand& leaf) {
        if (leaf.is_tensor())
            tensor(leaf.tensor());
        else
            atom(Atom::of(leaf.number()));
    }
    template <class T>
    void scalar(const Scalar<T>& leaf) {
        const Number number(leaf.unguarded_value());
        key_.add(static_cast<std::int64_t>(number.category()) + 1000);
        scalars_.push_back(number);
        inputs_.push_back(number_tensor(number));
    }
    void atom(Atom leaf) { key_.add(leaf); }
    void text(const std::string& leaf) { key_.add(leaf); }

private:
    SignatureKey& key_;
    std::vector<Tensor>& inputs_;
    std::vector<Number>& scalars_;
};

/// The signature in words, leaf by leaf.
class NoteVisitor : public PyTreeVisitor {
public:
    NoteVisitor(std::vector<LeafNote>& notes, std::string root) : notes_(notes), path_(std::move(root)) {}
    void tensor(const Tensor& leaf) { add(leaf.defined() ? to_string(leaf.spec()) : "undefined", false); }
    void operand(const Operand& leaf) { tensor(leaf.tensor()); }
    template <class T>
    void scalar(const Scalar<T>&) {
        add("Scalar", false);
    }
    void atom(Atom leaf);
    void text(const std::string& leaf) { add('"' + leaf + '"', true); }
    void field(std::string_view name) { push("." + std::string(name)); }
    void item(std::size_t index) { push("[" + std::to_string(index) + "]"); }
    void key(std::string_view name) { push("." + std::string(name)); }
    void up() {
        path_.resize(lengths_.back());
        lengths_.pop_back();
    }

private:
    void add(std::string text, bool is_static) { notes_.push_back({path_, std::move(text), is_static}); }
    void push(const std::string& part) {
        lengths_.push_back(path_.size());
        path_ += part;
    }
    std::vector<LeafNote>& notes_;
    std::string path_;
    std::vector<std::size_t> lengths_;
};

/// Collects, in the order of TracedInputs, which value each leaf of a traced argument now is.
class LeafValues : public PyTreeVisitor {
public:
    LeafValues(TraceScope& scope, std::vector<ValueId>& values) : scope_(scope), values_(values) {}
    void tensor(const Tensor& leaf) {
        if (leaf.defined()) values_.push_back(scope_.value_of(leaf));
    }
    void operand(const Operand& leaf) { tensor(leaf.tensor()); }
    template <class T>
    void scalar(const Scalar<T>& leaf) {
        // A Scalar given a plain number while tracing would be a constant of the program: say so instead.
        if (!leaf.is_traced())
            fail<TraceError>("jit", "a Scalar argument was rebound to a C++ number while tracing");
        values_.push_back(scope_.value_of(leaf.traced()));
    }

private:
    TraceScope& scope_;
    std::vector<ValueId>& values_;
};

/// Assigns rebound leaves of the caller's arguments: `replacement[i]`, where defined, is the new leaf number
/// i.
class Rebinder : public PyTreeVisitor {
public:
    explicit Rebinder(const std::vector<Tensor>& replacement) : replacement_(replacement) {}
    void tensor(const Tensor& leaf) { next_ += leaf.defined() ? 1 : 0; }
    void tensor(Tensor& leaf) {
        if (!leaf.defined()) return;
        const Tensor& other = replacement_[next_++];
        if (other.defined()) leaf = other;
    }
    void operand(const Operand& leaf) { tensor(leaf.tensor()); }
    template <class T>
    void scalar(const Scalar<T>&) {
        ++next_;
    }
    template <class T>
    void scalar(Scalar<T>& leaf) {
        const Tensor& other = replacement_[next_++];
        if (other.defined()) leaf = Scalar<T>(other);
    }

private:
    const std::vector<Tensor>& replacement_;
    std::size_t next_ = 0;
};

}  // namespace detail

/// What jit returns: a function with the parameters of the one it wraps. Copies share one cache.
template <class F>
class Jitted : public detail::ExposeSignature<Jitted<F>, detail::signature_of_callable<F>> {
public:
    Jitted(F function, JitOptions options)
        : function_(std::make_shared<const F>(std::move(function))),
          cache_(std::make_shared<JitCache>(std::move(options))) {
        detail::require_const_callable<F>();
    }

    template <class... A>
    auto invoke(A... args) const {
        using R = std::invoke_result_t<const F&, A...>;
        // Inside another trace the function is simply part of it.
        if (is_tracing()) return plain<R>(std::forward<A>(args)...);
        thread_local SignatureKey key;
        std::vector<Tensor> inputs;
        std::vector<Number> scalars;
        make_key(key, inputs, scalars, args...);
        if constexpr (is_generic) {
            // A generic function may take an lvalue by reference and rebind it, and a temporary not.
            key.add(detail::bits_of({rebindable<A>...}));
        }
        const auto trace = [&] { return trace_call<A...>(args...); };
        const JitEntry* entry = cache_->find(key.bytes(), scalars);
        if (entry) {
#ifndef NDEBUG
            cache_->recheck(*entry, trace);
#endif
        } else {
            // A copy: tracing may call other jitted functions.
            entry = &cache_->compile(std::string(key.bytes()), scalars, notes(args...), trace);
        }
        return run<R>(*entry, inputs, args...);
    }

    /// Compiles for these arguments (tensors, or TensorSpecs in their place) without running, so that a later
    /// call of this signature only runs. Of a generic function both kinds of call are compiled: with
    /// variables, and with temporaries or constants.
    template <class... A>
    void compile(const A&... args) const {
        if constexpr (is_generic) {
            using Variables = std::is_invocable<const F&, detail::pytree_of<A>&...>;
            using Temporaries = std::is_invocable<const F&, detail::pytree_of<A>...>;
            static_assert(Variables::value || Temporaries::value,
                          "compile takes arguments that the function can be called with");
            if constexpr (Variables::value) compile_for<detail::pytree_of<A>&...>(args...);
            if constexpr (Temporaries::value && sizeof...(A) > 0)
                compile_for<detail::pytree_of<A>...>(args...);
        } else
            compile_as(static_cast<detail::signature_of_callable<F>*>(nullptr), args...);
    }

    JitCache& cache() const { return *cache_; }

private:
    static constexpr bool is_generic = std::is_same_v<detail::signature_of_callable<F>, detail::Generic>;
    template <class A>
    static constexpr bool rebindable =
        std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>;

    template <class R, class... A>
    std::conditional_t<std::is_void_v<R>, void, std::remove_cvref_t<R>> plain(A&&... args) const {
        return (*function_)(std::forward<A>(args)...);
    }

    template <class... A>
    void make_key(SignatureKey& key, std::vector<Tensor>& inputs, std::vector<Number>& scalars,
                  A&... args) const {
        key.clear();
        key.add(cache_->ambient_word());
        key.add(detail::type_tag<std::remove_cvref_t<A>...>());
        detail::KeyVisitor visitor(key, inputs, scalars);
        (walk(static_cast<const std::remove_cvref_t<A>&>(args), visitor), ...);
    }

    template <class... A>
    static std::vector<LeafNote> notes(const A&... args) {
        std::vector<LeafNote> out;
        [[maybe_unused]] std::size_t index = 0;
        (note(args, index++, out), ...);
        return out;
    }
    template <class T>
    static void note(const T& arg, std::size_t index, std::vector<LeafNote>& out) {
        detail::NoteVisitor visitor(out, detail::argument_name(index));
        walk(arg, visitor);
    }

    template <class R, class... P, class... A>
    void compile_as(R (*)(P...), const A&... args) const {
        static_assert(sizeof...(P) == sizeof...(A),
                      "compile takes one argument for each of the function's parameters");
        if constexpr (sizeof...(P) == sizeof...(A)) compile_for<P...>(args...);
    }

    template <class... P>
    void compile_for(const std::remove_cvref_t<P>&... args) const {
        SignatureKey key;
        std::vector<Tensor> inputs;
        std::vector<Number> scalars;
        make_key(key, inputs, scalars, args...);
        if constexpr (is_generic) key.add(detail::bits_of({rebindable<P>...}));
        if (cache_->find(key.bytes(), scalars)) return;
        cache_->compile(key.bytes(), scalars, notes(args...), [&] { return trace_call<P...>(args...); });
    }

    /// Runs the function on traced copies of the arguments.
    template <class... A>
    TracedCall trace_call(const std::remove_cvref_t<A>&... args) const {
        const CompileContext context = cache_->context();
        const CompileScope compile_scope(context);
        const NoTraceScope apart;
        const auto start = std::chrono::steady_clock::now();
        TraceScope scope;
        const Replacements replacements = replacements_of(context.executors);
        if (!replacements.empty()) scope.root().replacements = &replacements;
        detail::TracedInputs traced(scope);
        std::tuple<std::remove_cvref_t<A>...> copies{traced.copy(args)...};

        const std::vector<Statics> before = statics_of(copies);
        TracedCall call;
        Flat result = call_on<A...>(copies);
        call.trace.outputs = scope.values_of(result.tensors);
        call.result_structure = std::move(result.statics);
        call.result_count = call.trace.outputs.size();
        find_rebound<A...>(scope, traced, copies, before, call);
        call.trace.name = cache_->options().name;
        call.trace.values = scope.root().values;
        call.trace.inputs = traced.values;
        call.trace.captures = scope.root().captures;
        call.trace.body = std::move(scope.body());
        call.log = std::move(scope.root().log);
        call.guarded = scope.root().scalars_guarded;
        note_output_aliases(call.trace);
        call.trace.milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        return call;
    }

    template <class... A, class Tuple>
    Flat call_on(Tuple& copies) const {
        using R = std::invoke_result_t<const F&, A...>;
        return std::apply(
            [&](auto&... copy) -> Flat {
                if constexpr (std::is_void_v<R>) {
                    (*function_)(static_cast<A&&>(copy)...);
                    return {};
                } else {
                    return tree_flatten((*function_)(static_cast<A&&>(copy)...));
                }
            },
            copies);
    }

    template <class Tuple>
    static std::vector<Statics> statics_of(const Tuple& trees) {
        return std::apply(
            [](const auto&... tree) { return std::vector<Statics>{tree_flatten(tree).statics...}; }, trees);
    }

    /// Leaves of lvalue arguments that the function rebound become further outputs. Other arguments' copies
    /// may have been moved from: their leaves are as they were.
    template <class... A, class Tuple>
    static void find_rebound(TraceScope& scope, const detail::TracedInputs& traced, const Tuple& copies,
                             const std::vector<Statics>& before, TracedCall& call) {
        std::vector<ValueId> now;
        std::size_t argument = 0;
        const auto look = [&](const auto& copy, bool is_rebindable) {
            const std::size_t end = traced.ends[argument];
            const Statics& expected = before[argument++];
            if (!is_rebindable) {
                while (now.size() < end) now.push_back(traced.values[now.size()]);
                return;
            }
            detail::LeafValues visitor(scope, now);
            walk(copy, visitor);
            if (tree_flatten(copy).statics == expected) return;
            fail<ValueError>(
                "jit",
                "expected the function to keep the structure and the static values of its reference "
                "arguments, but argument " +
                    std::to_string(argument - 1) +
                    " has others after the call: only tensors and Scalars can be rebound");
        };
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            (look(std::get<i>(copies), rebindable<A>), ...);
        }(std::index_sequence_for<A...>{});
        for (std::size_t leaf = 0; leaf < now.size(); ++leaf) {
            if (now[leaf] == traced.values[leaf]) continue;
            call.trace.outputs.push_back(now[leaf]);
            call.rebound_leaves.push_back(leaf);
        }
    }

    template <class R, class... A>
    static std::conditional_t<std::is_void_v<R>, void, std::remove_cvref_t<R>> run(
        const JitEntry& entry, std::vector<Tensor>& inputs, A&... args) {
        std::vector<Tensor> outputs(entry.compiled.program->output_count());
        entry.compiled.program->run(inputs, outputs.data());
        if (!entry.rebound_leaves.empty()) {
            std::vector<Tensor> replacement(inputs.size());
            for (std::size_t i = 0; i < entry.rebound_leaves.size(); ++i) {
                replacement[entry.rebound_leaves[i]] = outputs[entry.result_count + i];
            }
            detail::Rebinder rebinder(replacement);
            (walk(args, rebinder), ...);
        }
        if constexpr (!std::is_void_v<R>) {
            FlatReader reader(entry.result_structure, outputs.data());
            return build<std::remove_cvref_t<R>>(reader);
        }
    }

    std::shared_ptr<const F> function_;
    std::shared_ptr<JitCache> cache_;
};

/// A compiled version of `function` with the same parameters. The first call of a signature traces and
/// compiles; later ones only run. Arguments and results are pytrees; tensors and Scalars are inputs,
/// everything else is part of the signature. Parameters that are non-const references may be rebound inside,
/// and are then assigned. Throws ValueError for an unknown executor or compile option. (thunder.jit, jax.jit)
template <class F>
auto jit(F function, JitOptions options = {}) {
    return Jitted<F>(std::move(function), std::move(options));
}

/// The traces of the newest specialisation after every pass, from the first to the one that the program was
/// made of.
template <class F>
const std::vector<Trace>& last_traces(const Jitted<F>& function) {
    return function.cache().last_traces();
}
/// Who claimed what, who refused and why, and why each specialisation was compiled.
template <class F>
std::string explain(const Jitted<F>& function) {
    return function.cache().explain();
}
template <class F>
std::uint64_t cache_hits(const Jitted<F>& function) {
    return function.cache().stats().cache_hits;
}
template <class F>
std::uint64_t cache_misses(const Jitted<F>& function) {
    return function.cache().stats().cache_misses;
}
template <class F>
CompileStats compile_stats(const Jitted<F>& function) {
    return function.cache().stats();
}

}  // namespace fulgurite
