#include <fulgurite/transforms/claim.h>

#include <algorithm>

#include <fulgurite/core/tracing.h>
#include <fulgurite/transforms/dce.h>
#include <fulgurite/transforms/replace.h>

namespace fulgurite {

namespace {

class ClaimPass {
public:
    ClaimPass(const Trace& trace, const std::vector<ExecutorPtr>& executors,
              std::vector<ClaimRecord>& records, ClaimOptions options)
        : trace_(trace), executors_(executors), records_(records), options_(options), scope_(trace.values) {}

    std::vector<BoundSymbolPtr> run() {
        for (const BoundSymbolPtr& symbol : trace_.body) settle(symbol);
        return std::move(out_);
    }

private:
    void settle(const BoundSymbolPtr& symbol) {
        if (symbol->executor || (symbol->symbol->is_prim && symbol->has(Tag::view))) {
            out_.push_back(symbol);
            return;
        }
        ClaimRecord record{symbol->symbol->name, symbol->where, {}, {}};
        const bool taken = symbol->symbol->executor ? replace_own(symbol, record) || keep_own(symbol, record)
                                                    : offer(symbol, record);
        if (taken || decompose(*symbol)) {
            records_.push_back(std::move(record));
            return;
        }
        if (!options_.allow_unclaimed) throw_unclaimed(*symbol, record);
        records_.push_back(std::move(record));
        out_.push_back(symbol);
    }

    void claim_as_it_is(const BoundSymbolPtr& symbol, std::shared_ptr<const Executor> executor) {
        auto claimed = std::make_shared<BoundSymbol>(*symbol);
        claimed->executor = std::move(executor);
        out_.push_back(std::move(claimed));
    }

    /// A listed executor may have another implementation of its own operator.
    bool replace_own(const BoundSymbolPtr& symbol, ClaimRecord& record) {
        for (const ExecutorPtr& executor : executors_) {
            if (executor.get() != symbol->symbol->executor) continue;
            const auto* operators = dynamic_cast<const OperatorExecutor*>(executor.get());
            const ErasedImplementation* own =
                operators ? operators->implementation(*symbol->symbol) : nullptr;
            if (!own || (!own->execution_transform && (!own->op || own->op == symbol->symbol))) return false;
            std::string reason;
            if (offer_to(executor, symbol, reason)) {
                record.executor = executor->name();
                return true;
            }
            record.refusals.push_back({executor->name(), std::move(reason)});
        }
        return false;
    }

    /// An executor's own operator belongs to it, whatever the list says, as long as it can run it.
    bool keep_own(const BoundSymbolPtr& symbol, ClaimRecord& record) {
        const Executor& owner = *symbol->symbol->executor;
        if (!owner.kernel(*symbol->symbol)) return false;
        record.executor = owner.name();
        claim_as_it_is(symbol, owner.shared_from_this());
        return true;
    }

    bool offer(const BoundSymbolPtr& symbol, ClaimRecord& record) {
        if (!symbol->regions.empty()) return false;
        for (const ExecutorPtr& executor : executors_) {
            std::string reason;
            if (offer_to(executor, symbol, reason)) {
                record.executor = executor->name();
                return true;
            }
            if (!reason.empty()) record.refusals.push_back({executor->name(), std::move(reason)});
        }
        return false;
    }

    bool offer_to(const ExecutorPtr& executor, const BoundSymbolPtr& symbol, std::string& reason) {
        if (const auto* fusion = dynamic_cast<const FusionExecutor*>(executor.get())) {
            const ClaimResult answer = fusion->can_fuse(*symbol, trace_);
            reason = answer.reason;
            if (answer.accepted) claim_as_it_is(symbol, executor);
            return answer.accepted;
        }
        const auto& operators = dynamic_cast<const OperatorExecutor&>(*executor);
        const ErasedImplementation* implementation = operators.implementation(*symbol->symbol);
        if (!implementation) return false;
        std::vector<Tensor> handles;
        for (const ValueId id : symbol->operands) handles.push_back(scope_.handle(id));
        const ClaimResult answer = check(*implementation, *symbol, handles);
        reason = answer.reason.empty() && !answer.accepted ? "its checker said no" : answer.reason;
        return answer.accepted && take(executor, *implementation, answer, symbol, reason);
    }

    static ClaimResult check(const ErasedImplementation& implementation, const BoundSymbol& symbol,
                             const std::vector<Tensor>& handles) {
        const NoTraceScope no_trace;
        return implementation.check(*symbol.arguments, handles.data());
    }

    /// Puts what the implementation gives in the call's place. An Error of its transform or meta is a
    /// refusal.
    bool take(const ExecutorPtr& executor, const ErasedImplementation& implementation,
              const ClaimResult& answer, const BoundSymbolPtr& symbol, std::string& reason) {
        if (!implementation.execution_transform && !implementation.op) {
            if (!executor->kernel(*symbol->symbol)) {
                reason = "it accepts, but has neither transform, operator nor kernel";
                return false;
            }
            claim_as_it_is(symbol, executor);
            return true;
        }
        std::vector<BoundSymbolPtr> body;
        try {
            body = replacement_for(*symbol, [&](const std::vector<Tensor>& operands) {
                if (implementation.execution_transform) {
                    return implementation.execution_transform(answer, *symbol->arguments, operands.data());
                }
                return TraceScope::current()->record(*implementation.op, Flat{*symbol->arguments, operands});
            });
        } catch (const Error& error) {
            reason = error.what();
            return false;
        }
        for (const BoundSymbolPtr& part : body) settle(part);
        return true;
    }

    bool decompose(const BoundSymbol& symbol) {
        if (!symbol.regions.empty()) {
            for (const BoundSymbolPtr& part : replacement_for(symbol, [&](const std::vector<Tensor>&) {
                     TraceScope& scope = *TraceScope::current();
                     Flat results{symbol.result_structure, {}};
                     for (const ValueId id : scope.inline_region(symbol.regions[0], symbol.operands)) {
                         results.tensors.push_back(scope.handle(id));
                     }
                     return results;
                 })) {
                settle(part);
            }
            return true;
        }
        for (const BoundSymbolPtr& part : symbol.subsymbols) settle(part);
        return !symbol.subsymbols.empty();
    }

    [[noreturn]] void throw_unclaimed(const BoundSymbol& symbol, const ClaimRecord& record) const {
        std::string text = "expected an executor that takes it, got none for";
        for (const ValueId id : symbol.operands) text += " " + to_string((*trace_.values)[id].spec);
        text += " among";
        for (const ExecutorPtr& executor : executors_) {
            const auto refusal =
                std::find_if(record.refusals.begin(), record.refusals.end(),
                             [&](const RefusedClaim& r) { return r.executor == executor->name(); });
            text += "\n  " + executor->name() + ": " +
                    (refusal == record.refusals.end() ? "has no implementation of it" : refusal->reason);
        }
        const LocationScope location(symbol.where);
        fail<ClaimError>(symbol.symbol->name, text);
    }

    const Trace& trace_;
    const std::vector<ExecutorPtr>& executors_;
    std::vector<ClaimRecord>& records_;
    ClaimOptions options_;
    TraceScope scope_;
    std::vector<BoundSymbolPtr> out_;
};

}  // namespace

Trace claim(const Trace& trace, const std::vector<ExecutorPtr>& executors, std::vector<ClaimRecord>& records,
            ClaimOptions options) {
    Trace claimed = trace;
    claimed.body = ClaimPass(trace, executors, records, options).run();
    return dce(claimed);
}

Trace fuse(const Trace& trace, const std::vector<ExecutorPtr>& executors, std::vector<ClaimRecord>& records,
           ClaimOptions options) {
    Trace fused = trace;
    bool any = false;
    for (const ExecutorPtr& executor : executors) {
        if (auto* fusion = dynamic_cast<FusionExecutor*>(executor.get())) {
            fused = fusion->fuse(fused);
            any = true;
        }
    }
    if (!any) return fused;
    // What a fusion executor took and then left alone is offered to the executors that run single calls.
    std::vector<ExecutorPtr> others;
    for (const ExecutorPtr& executor : executors) {
        if (!dynamic_cast<FusionExecutor*>(executor.get())) others.push_back(executor);
    }
    for (BoundSymbolPtr& symbol : fused.body) {
        if (!symbol->executor || symbol->owned_symbol ||
            !dynamic_cast<const FusionExecutor*>(symbol->executor.get()))
            continue;
        auto left = std::make_shared<BoundSymbol>(*symbol);
        left->executor = nullptr;
        symbol = std::move(left);
    }
    return claim(fused, others, records, options);
}

}  // namespace fulgurite
