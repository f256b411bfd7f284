#include <fulgurite/core/tracing.h>

#include <algorithm>
#include <atomic>

#include <fulgurite/core/evaluator.h>
#include <fulgurite/core/op.h>

namespace fulgurite {

namespace {
thread_local TraceScope* current_scope = nullptr;
thread_local bool grad_enabled = true;

std::uint64_t next_serial() {
    static std::atomic<std::uint64_t> serial{0};
    return ++serial;
}

bool contains(const std::vector<ValueId>& values, ValueId id) {
    return std::find(values.begin(), values.end(), id) != values.end();
}

bool defines(const std::vector<BoundSymbolPtr>& body, ValueId id) {
    return std::any_of(body.begin(), body.end(),
                       [id](const auto& symbol) { return contains(symbol->results, id); });
}
}  // namespace

TraceScope::TraceScope()
    : TraceScope(current_scope ? current_scope->root_->values : std::make_shared<ValueTable>()) {}

TraceScope::TraceScope(std::shared_ptr<ValueTable> values) : outer_(current_scope), serial_(next_serial()) {
    if (outer_ && outer_->root_->values == values) {
        root_ = outer_->root_;
    } else {
        own_root_ = std::make_unique<TraceRoot>();
        own_root_->values = std::move(values);
        root_ = own_root_.get();
    }
    current_scope = this;
}

TraceScope::~TraceScope() { current_scope = outer_; }

TraceScope* TraceScope::current() { return current_scope; }

Tensor TraceScope::add_input(const TensorSpec& spec, std::string name) {
    return handle(root_->values->add({spec, std::move(name), 0}));
}

Tensor TraceScope::handle(ValueId value) {
    return Tensor::traced((*root_->values)[value].spec, serial_, value, current_location());
}

ValueId TraceScope::value_of(const Tensor& tensor) {
    const TensorNode& node = tensor.node();
    if (node.kind == TensorNode::Kind::concrete) return capture(tensor);
    if (node.kind == TensorNode::Kind::abstract) {
        fail<TraceError>("trace",
                         "expected a concrete or traced tensor, got an abstract " + to_string(node.spec));
    }
    for (const TraceScope* scope = this; scope && scope->root_ == root_; scope = scope->outer_) {
        if (scope->serial_ == node.scope) return node.value;
    }
    throw TraceError("[trace] " + (node.where.known() ? to_string(node.where) + ": " : "") + "a traced " +
                     to_string(node.spec) + " was kept after its trace: it stands for no elements any more");
}

std::vector<ValueId> TraceScope::values_of(const std::vector<Tensor>& tensors) {
    std::vector<ValueId> values;
    values.reserve(tensors.size());
    for (const Tensor& tensor : tensors) values.push_back(value_of(tensor));
    return values;
}

ValueId TraceScope::capture(const Tensor& tensor) {
    const auto [entry, fresh] = root_->captured.try_emplace(&tensor.node(), no_value);
    if (fresh) {
        entry->second = root_->values->add({tensor.spec(), {}, 0});
        root_->captures.push_back({entry->second, tensor});
    }
    return entry->second;
}

Flat TraceScope::record(const Symbol& symbol, Flat arguments) {
    if (root_->replacements) {
        const auto replaced = root_->replacements->find(&symbol);
        if (replaced != root_->replacements->end()) return record(*replaced->second, std::move(arguments));
    }
    return symbol.is_prim ? record_prim(symbol, arguments) : record_composite(symbol, std::move(arguments));
}

Flat TraceScope::record_prim(const Symbol& symbol, const Flat& arguments) {
    auto bound = std::make_shared<BoundSymbol>();
    bound->symbol = &symbol;
    bound->operands = values_of(arguments.tensors);
    bound->arguments = std::make_shared<const Statics>(arguments.statics);
    bound->where = current_location();
    if (!grad_enabled) bound->tags = Tag::detached;
    Flat results;
    {
        const NoTraceScope no_trace;
        results = symbol.signature->invoke(symbol.body, arguments.statics, arguments.tensors.data());
    }
    bound->result_structure = results.statics;
    for (Tensor& result : results.tensors) {
        const std::int64_t offset = symbol.has(Tag::view) && result.is_abstract() ? result.node().offset : 0;
        bound->results.push_back(root_->values->add({result.spec(), {}, offset}));
        result = handle(bound->results.back());
    }
    body_.push_back(std::move(bound));
    return results;
}

Flat TraceScope::record_composite(const Symbol& symbol, Flat arguments) {
    auto bound = std::make_shared<BoundSymbol>();
    bound->symbol = &symbol;
    bound->operands = values_of(arguments.tensors);
    bound->where = current_location();
    if (!grad_enabled) bound->tags = Tag::detached;
    Flat results;
    {
        TraceScope inner;
        for (std::size_t i = 0; i < bound->operands.size(); ++i)
            arguments.tensors[i] = inner.handle(bound->operands[i]);
        results = symbol.signature->invoke(symbol.body, arguments.statics, arguments.tensors.data());
        bound->results = inner.values_of(results.tensors);
        // A result must be made by a part: what is passed through unchanged gets a view of its own.
        if (!inner.body_.empty()) {
            std::vector<ValueId> seen;
            for (ValueId& id : bound->results) {
                if (contains(seen, id) || !defines(inner.body_, id)) {
                    Flat same = inner.record(*find_symbol("prims::alias"), tree_flatten(inner.handle(id)));
                    id = inner.value_of(same.tensors[0]);
                }
                seen.push_back(id);
            }
        }
        bound->subsymbols = std::move(inner.body_);
    }
    for (std::size_t i = 0; i < bound->results.size(); ++i) results.tensors[i] = handle(bound->results[i]);
    if (bound->subsymbols.empty()) return results;
    bound->result_structure = results.statics;
    bound->arguments = std::make_shared<const Statics>(std::move(arguments.statics));
    body_.push_back(std::move(bound));
    return results;
}

namespace {
/// Gives every value that a body defines, its subsymbols' included, a fresh number.
void refresh(ValueTable& values, const std::vector<BoundSymbolPtr>& body, ValueMap& map) {
    for (const BoundSymbolPtr& symbol : body) {
        refresh(values, symbol->subsymbols, map);
        for (const Region& region : symbol->regions) {
            for (const ValueId id : region.parameters) map.try_emplace(id, values.add(values[id]));
            refresh(values, region.body, map);
        }
        for (const ValueId id : symbol->results) {
            if (!map.contains(id)) map.emplace(id, values.add(values[id]));
        }
    }
}

std::vector<ValueId> substitute(const std::vector<ValueId>& ids, const ValueMap& values) {
    std::vector<ValueId> out;
    out.reserve(ids.size());
    for (const ValueId id : ids) out.push_back(mapped(values, id));
    return out;
}

std::vector<BoundSymbolPtr> substitute(const std::vector<BoundSymbolPtr>& body, const ValueMap& values) {
    std::vector<BoundSymbolPtr> out;
    out.reserve(body.size());
    for (const BoundSymbolPtr& symbol : body) out.push_back(fulgurite::substitute(symbol, values));
    return out;
}
}  // namespace

BoundSymbolPtr substitute(const BoundSymbolPtr& symbol, const ValueMap& values) {
    if (values.empty()) return symbol;
    auto copy = std::make_shared<BoundSymbol>(*symbol);
    copy->operands = substitute(symbol->operands, values);
    copy->results = substitute(symbol->results, values);
    copy->subsymbols = substitute(symbol->subsymbols, values);
    bool changed = copy->operands != symbol->operands || copy->results != symbol->results ||
                   copy->subsymbols != symbol->subsymbols;
    for (Region& region : copy->regions) {
        region = {substitute(region.parameters, values), substitute(region.body, values),
                  substitute(region.results, values)};
        changed = true;
    }
    return changed ? copy : symbol;
}

std::vector<ValueId> TraceScope::inline_region(const Region& region, const std::vector<ValueId>& arguments) {
    ValueMap map;
    for (std::size_t i = 0; i < region.parameters.size(); ++i)
        map.emplace(region.parameters[i], arguments[i]);
    refresh(*root_->values, region.body, map);
    for (const BoundSymbolPtr& symbol : region.body) append(fulgurite::substitute(symbol, map));
    return substitute(region.results, map);
}

NoTraceScope::NoTraceScope() : saved_(current_scope) { current_scope = nullptr; }
NoTraceScope::~NoTraceScope() { current_scope = saved_; }

bool is_tracing() { return current_scope != nullptr; }

NoGradGuard::NoGradGuard() : saved_(grad_enabled) { grad_enabled = false; }
NoGradGuard::~NoGradGuard() { grad_enabled = saved_; }
EnableGradGuard::EnableGradGuard() : saved_(grad_enabled) { grad_enabled = true; }
EnableGradGuard::~EnableGradGuard() { grad_enabled = saved_; }
bool is_grad_enabled() { return grad_enabled; }

ViewBases::ViewBases(const Trace& trace) : values_(*trace.values) { add(trace.body); }

void ViewBases::add(const std::vector<BoundSymbolPtr>& body) {
    for (const BoundSymbolPtr& symbol : body) {
        add(symbol->subsymbols);
        if (symbol->has(Tag::view) && !symbol->results.empty()) {
            operand_.emplace(symbol->results[0], symbol->operands[0]);
        }
    }
}

ViewBases::Base ViewBases::of(ValueId id) const {
    Base base{id, 0};
    for (auto view = operand_.find(id); view != operand_.end(); view = operand_.find(base.value)) {
        base.offset += values_[base.value].offset;
        base.value = view->second;
    }
    return base;
}

namespace detail {
Flat dispatch(const Symbol& symbol, Flat arguments) {
    const OpScope op(symbol.name);
    if (TraceScope* scope = TraceScope::current()) return scope->record(symbol, std::move(arguments));
    return evaluator().run_op(symbol, std::move(arguments));
}

void guard_scalars(bool known, SourceLocation where) {
    if (!known) {
        throw TraceError("[Scalar::value] " + to_string(where) +
                         ": expected a Scalar argument of the traced function, got one computed from it");
    }
    if (TraceScope* scope = TraceScope::current()) scope->root().scalars_guarded = true;
}
}  // namespace detail

}  // namespace fulgurite
