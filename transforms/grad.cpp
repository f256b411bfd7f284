#include <fulgurite/transforms/grad.h>

#include <algorithm>
#include <set>

#include <fulgurite/core/compile_context.h>
#include <fulgurite/core/executor.h>
#include <fulgurite/core/gradient.h>
#include <fulgurite/core/ops/prims.h>
#include <fulgurite/transforms/cse.h>
#include <fulgurite/transforms/dce.h>
#include <fulgurite/transforms/replace.h>

namespace fulgurite {

namespace {

/// Which values of the trace being differentiated can carry a gradient; rules ask through needs_grad.
class Activity {
public:
    void add(ValueId id) { active_.insert(id); }
    bool has(ValueId id) const { return active_.contains(id); }
    bool any(const std::vector<ValueId>& ids) const {
        return std::any_of(ids.begin(), ids.end(), [this](ValueId id) { return has(id); });
    }

private:
    std::set<ValueId> active_;
};

thread_local const Activity* current_activity = nullptr;

/// The backward half of one rule, to be run when all consumers of its results have put their gradients.
using Group = std::vector<BoundSymbolPtr>;

class GradPass {
public:
    GradPass(const Trace& trace, std::size_t wrt, TraceScope& scope)
        : trace_(trace),
          wrt_(trace.inputs.begin(), trace.inputs.begin() + static_cast<std::ptrdiff_t>(wrt)),
          scope_(scope),
          saved_(current_activity) {
        current_activity = &activity_;
    }
    ~GradPass() { current_activity = saved_; }
    GradPass(const GradPass&) = delete;
    GradPass& operator=(const GradPass&) = delete;

    std::vector<ValueId> run() {
        for (const ValueId id : wrt_) add_if_floating(id);
        for (const BoundSymbolPtr& symbol : trace_.body) forward(symbol);
        seed();
        for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) backward(*group);
        std::vector<ValueId> gradients;
        for (const ValueId id : wrt_) gradients.push_back(gradient_of_input(id));
        return gradients;
    }

private:
    const TensorSpec& spec(ValueId id) const {
        return (*trace_.values)[id].spec;
    }  // of values made since, too
    void add_if_floating(ValueId id) {
        if (is_floating_point(spec(id).dtype)) activity_.add(id);
    }

    void forward(const BoundSymbolPtr& symbol) {
        if (!activity_.any(symbol->operands) || symbol->has(Tag::detached) || symbol->has(Tag::no_grad)) {
            scope_.append(symbol);
            return;
        }
        if (!symbol->regions.empty()) return custom_rule(*symbol);
        if (executor_rule(*symbol)) return;
        if (const AnyFunction* rule = grad_rules().find(*symbol->symbol)) {
            if (!*rule) return scope_.append(symbol);
            const Signature& signature = *symbol->symbol->signature;
            return apply(*symbol, [&](const std::vector<Tensor>& operands) {
                return signature.invoke(*rule, *symbol->arguments, operands.data());
            });
        }
        if (!symbol->subsymbols.empty()) {
            for (const BoundSymbolPtr& part : symbol->subsymbols) forward(part);
            return;
        }
        if (std::none_of(symbol->results.begin(), symbol->results.end(),
                         [&](ValueId id) { return is_floating_point(spec(id).dtype); })) {
            scope_.append(symbol);
            return;
        }
        const LocationScope location(symbol->where);
        fail<ValueError>(symbol->symbol->name,
                         "expected a differentiable op, got one without a gradient rule");
    }

    /// The grad_transform of the first executor in the list that takes the call; only for the outermost grad.
    bool executor_rule(const BoundSymbol& symbol) {
        if (scope_.root().differentiations > 1) return false;
        for (const ExecutorPtr& executor : compile_context().executors) {
            const auto* operators = dynamic_cast<const OperatorExecutor*>(executor.get());
            const ErasedImplementation* taken =
                operators ? operators->implementation(*symbol.symbol) : nullptr;
            if (!taken || !taken->grad_transform) continue;
            std::vector<Tensor> handles;
            for (const ValueId id : symbol.operands) handles.push_back(scope_.handle(id));
            const ClaimResult claim = taken->check(*symbol.arguments, handles.data());
            if (!claim.accepted) continue;
            apply(symbol, [&](const std::vector<Tensor>& operands) {
                return taken->grad_transform(claim, *symbol.arguments, operands.data());
            });
            return true;
        }
        return false;
    }

    /// custom_vjp: regions are the function, its forward (results, then residuals) and its backward
    /// (residuals, then cotangents, to gradients of the arguments).
    void custom_rule(const BoundSymbol& symbol) {
        apply(symbol, [&](const std::vector<Tensor>&) {
            TraceScope& scope = *TraceScope::current();
            const std::vector<ValueId> made = scope.inline_region(symbol.regions.at(1), symbol.operands);
            const std::size_t count = symbol.results.size();
            std::vector<ValueId> arguments(made.begin() + static_cast<std::ptrdiff_t>(count), made.end());
            Flat results{symbol.result_structure, {}};
            for (std::size_t i = 0; i < count; ++i) {
                results.tensors.push_back(scope.handle(made[i]));
                arguments.push_back(scope.value_of(get_grad(results.tensors[i])));
            }
            const std::vector<ValueId> gradients = scope.inline_region(symbol.regions.at(2), arguments);
            for (std::size_t i = 0; i < gradients.size(); ++i) {
                if (gradients[i] != no_value)
                    put_grad(scope.handle(symbol.operands[i]), scope.handle(gradients[i]));
            }
            return results;
        });
    }

    template <class F>
    void apply(const BoundSymbol& symbol, const F& rule) {
        const std::vector<BoundSymbolPtr> body = replacement_for(symbol, rule);
        split(body, symbol.results);
        for (const ValueId id : symbol.results) add_if_floating(id);
    }

    /// What the results need goes forward, in order; the rest is a group for the way back.
    void split(const std::vector<BoundSymbolPtr>& body, const std::vector<ValueId>& results) {
        std::set<ValueId> needed(results.begin(), results.end());
        std::vector<bool> is_forward(body.size(), false);
        for (std::size_t i = body.size(); i-- > 0;) {
            is_forward[i] = std::any_of(body[i]->results.begin(), body[i]->results.end(),
                                        [&](ValueId id) { return needed.contains(id); });
            if (is_forward[i]) needed.insert(body[i]->operands.begin(), body[i]->operands.end());
        }
        Group group;
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (is_forward[i])
                scope_.append(body[i]);
            else
                group.push_back(body[i]);
        }
        if (!group.empty()) groups_.push_back(std::move(group));
    }

    void seed() {
        const ValueId loss = trace_.outputs.at(0);
        const LocationScope location(line_of(loss));
        if (activity_.has(loss)) gradients_[loss] = filled_like(loss, 1.0);
    }

    /// The line of the call that made a value, where one did.
    SourceLocation line_of(ValueId id) const {
        for (const BoundSymbolPtr& symbol : trace_.body) {
            if (std::find(symbol->results.begin(), symbol->results.end(), id) != symbol->results.end())
                return symbol->where;
        }
        return {};
    }

    ValueId filled_like(ValueId id, double value) {
        const TensorSpec& like = spec(id);
        return scope_.value_of(prims::full(like.shape, Operand(value), like.dtype, like.device));
    }

    void backward(const Group& group) {
        const Symbol& get = prims::get_grad.symbol();
        const Symbol& put = prims::put_grad.symbol();
        bool reached = false;
        for (const BoundSymbolPtr& symbol : group) {
            reached |= symbol->symbol == &get && gradients_.contains(symbol->operands[0]);
        }
        if (!reached) return;
        ValueMap values;
        for (const BoundSymbolPtr& symbol : group) {
            const LocationScope location(symbol->where);
            if (symbol->symbol == &get) {
                values[symbol->results[0]] = gradient_or_zeros(symbol->operands[0]);
            } else if (symbol->symbol == &put) {
                accumulate(symbol->operands[0], mapped(values, symbol->operands[1]));
            } else {
                emit(symbol, values);
            }
        }
    }

    /// Whether a call may have been written for the very strides that get_grad promised: an executor's own
    /// operator, or a view that not all strides allow.
    static bool needs_promised_layout(const Symbol& symbol) {
        return symbol.executor || &symbol == &prims::view.symbol();
    }

    /// A symbol of a backward half. get_grad promised a row-major gradient; where the gradient has other
    /// strides, what depends on it is recorded again, so that its metadata follows, or gets a row-major copy.
    void emit(const BoundSymbolPtr& symbol, ValueMap& values) {
        const bool as_promised =
            std::all_of(symbol->operands.begin(), symbol->operands.end(),
                        [&](ValueId id) { return spec(mapped(values, id)) == spec(id); });
        if (as_promised) return scope_.append(substitute(symbol, values));
        Flat arguments{*symbol->arguments, {}};
        for (const ValueId id : symbol->operands) {
            const Tensor operand = scope_.handle(mapped(values, id));
            const bool copy = needs_promised_layout(*symbol->symbol) && operand.strides() != spec(id).strides;
            arguments.tensors.push_back(copy ? prims::clone(operand) : operand);
        }
        const Flat results = scope_.record(*symbol->symbol, std::move(arguments));
        for (std::size_t i = 0; i < results.tensors.size(); ++i) {
            values[symbol->results[i]] = scope_.value_of(results.tensors[i]);
        }
    }

    ValueId gradient_or_zeros(ValueId id) {
        const auto found = gradients_.find(id);
        return found == gradients_.end() ? filled_like(id, 0.0) : found->second;
    }

    void accumulate(ValueId id, ValueId gradient) {
        if (!activity_.has(id)) return;
        const auto [entry, first] = gradients_.try_emplace(id, gradient);
        if (first) return;
        entry->second = scope_.value_of(
            prims::add(Operand(scope_.handle(entry->second)), Operand(scope_.handle(gradient))));
    }

    ValueId gradient_of_input(ValueId id) { return activity_.has(id) ? gradient_or_zeros(id) : no_value; }

    const Trace& trace_;
    std::vector<ValueId> wrt_;
    TraceScope& scope_;
    const Activity* saved_;
    Activity activity_;
    std::vector<Group> groups_;
    std::map<ValueId, ValueId> gradients_;
};

void require_loss(const Trace& trace) {
    const TensorSpec& loss = trace[trace.outputs.at(0)].spec;
    if (loss.numel() == 1 && is_floating_point(loss.dtype)) return;
    fail<ValueError>(
        "grad", "expected a function that returns a floating tensor of one element, got " + to_string(loss));
}

}  // namespace

Trace grad_transform(const Trace& trace, std::size_t wrt) {
    require_loss(trace);
    TraceScope scope(trace.values);
    Trace joint = trace;
    {
        GradPass pass(trace, wrt, scope);
        const std::vector<ValueId> gradients = pass.run();
        joint.outputs.insert(joint.outputs.end(), gradients.begin(), gradients.end());
    }
    joint.body = std::move(scope.body());
    joint.output_aliases.clear();
    return joint;
}

namespace {
/// Values of the enclosing trace that the function uses are inputs of its own trace, after the differentiated
/// ones.
void add_free_values(Trace& trace) {
    std::set<ValueId> known(trace.inputs.begin(), trace.inputs.end());
    const auto use = [&](ValueId id) {
        if (id != no_value && known.insert(id).second) trace.inputs.push_back(id);
    };
    const std::function<void(const std::vector<BoundSymbolPtr>&)> visit = [&](const auto& body) {
        for (const BoundSymbolPtr& symbol : body) {
            for (const ValueId id : symbol->operands) use(id);
            for (const Region& region : symbol->regions) {
                known.insert(region.parameters.begin(), region.parameters.end());
                visit(region.body);
                for (const ValueId id : region.results) use(id);
            }
            visit(symbol->subsymbols);
            known.insert(symbol->results.begin(), symbol->results.end());
        }
    };
    visit(trace.body);
    for (const ValueId id : trace.outputs) use(id);
}
}  // namespace

namespace {
BoundSymbolPtr as_detached(const BoundSymbol& symbol) {
    auto copy = std::make_shared<BoundSymbol>(symbol);
    copy->tags = copy->tags | Tag::detached;
    return copy;
}
}  // namespace

Differentiated differentiate(TraceScope& scope, const std::vector<Tensor>& inputs,
                             const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& function) {
    Trace trace;
    struct Depth {
        int& count;
        explicit Depth(int& c) : count(c) { ++count; }
        ~Depth() { --count; }
    } depth(scope.root().differentiations);

    const bool detached = !is_grad_enabled();
    const EnableGradGuard
        enable;  // a no_grad around grad is meant for what is outside of it (torch.func.grad)
    {
        TraceScope inner;
        trace.values = inner.root().values;
        std::vector<Tensor> fresh;
        for (const Tensor& input : inputs) fresh.push_back(inner.add_input(input.spec()));
        trace.inputs = inner.values_of(fresh);
        trace.outputs = inner.values_of(function(fresh));
        trace.body = std::move(inner.body());
    }
    const std::size_t output_count = trace.outputs.size();
    PassLog& log = scope.root().log;
    trace.name = "differentiated function";
    add_free_values(trace);
    log.add(trace);
    trace = log.run("cse", trace, cse);
    trace = log.run("dce", trace, dce);
    trace = log.run("grad", trace, [&](const Trace& t) { return grad_transform(t, inputs.size()); });
    trace = log.run("cse", trace, cse);
    const Trace joint = log.run("dce", trace, dce);

    ValueMap names;
    for (std::size_t i = 0; i < inputs.size(); ++i) names[trace.inputs[i]] = scope.value_of(inputs[i]);
    for (const BoundSymbolPtr& symbol : joint.body) {
        BoundSymbolPtr inlined = substitute(symbol, names);
        if (detached) inlined = as_detached(*inlined);
        scope.append(std::move(inlined));
    }
    Differentiated result;
    for (std::size_t i = 0; i < joint.outputs.size(); ++i) {
        const ValueId id = mapped(names, joint.outputs[i]);
        const Tensor handle = id == no_value ? Tensor() : scope.handle(id);
        (i < output_count ? result.outputs : result.gradients).push_back(handle);
    }
    return result;
}

namespace {
ValueId value_in_rule(const Tensor& value) {
    TraceScope* scope = TraceScope::current();
    if (!scope || !current_activity)
        fail<TraceError>("get_grad", "expected to be called within a gradient rule");
    return scope->value_of(value);
}
}  // namespace

Tensor get_grad(const Tensor& value) {
    value_in_rule(value);
    return prims::get_grad(value);
}

void put_grad(const Tensor& value, const Tensor& grad) {
    if (!value.defined() || !grad.defined() || !is_floating_point(value.dtype())) return;
    const ValueId id = value_in_rule(value);
    if (!current_activity->has(id)) return;
    if (value.shape() != grad.shape() || value.dtype() != grad.dtype() || value.device() != grad.device()) {
        throw InternalError(error_text("put_grad", "expected a gradient like " + to_string(value.spec()) +
                                                       ", got " + to_string(grad.spec())));
    }
    prims::put_grad(value, grad);
}

bool needs_grad(const Tensor& value) {
    return value.defined() && current_activity && current_activity->has(value_in_rule(value));
}

}  // namespace fulgurite
