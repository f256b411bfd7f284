#include <fulgurite/runtime/eager.h>

#include <list>
#include <mutex>
#include <unordered_map>

#include <fulgurite/core/number_tensor.h>
#include <fulgurite/core/tracing.h>
#include <fulgurite/runtime/compile.h>
#include <fulgurite/runtime/signature_key.h>
#include <fulgurite/transforms/separate_outputs.h>

namespace fulgurite {

namespace {
constexpr std::size_t cache_capacity = 4096;
std::atomic<std::uint64_t> compilations{0};

/// A compiled op or trace and the structure of what it returns.
struct Entry {
    std::unique_ptr<const Program> program;
    Statics result_structure;
    std::unique_ptr<const Trace> trace;  ///< of a whole trace: what the key's hash stands for
};
using EntryPtr = std::shared_ptr<const Entry>;

/// Least recently used programs by key.
class Cache {
public:
    EntryPtr find(const std::string& key) {
        const std::lock_guard lock(mutex_);
        const auto found = index_.find(key);
        if (found == index_.end()) return nullptr;
        order_.splice(order_.begin(), order_, found->second);
        return found->second->second;
    }
    void put(const std::string& key, EntryPtr entry) {
        const std::lock_guard lock(mutex_);
        if (index_.contains(key)) return;
        order_.emplace_front(key, std::move(entry));
        index_.emplace(key, order_.begin());
        if (order_.size() <= cache_capacity) return;
        index_.erase(order_.back().first);
        order_.pop_back();
    }

private:
    using Order = std::list<std::pair<std::string, EntryPtr>>;
    std::mutex mutex_;
    Order order_;
    std::unordered_map<std::string, Order::iterator> index_;
};

Cache& op_cache() {
    static auto* const cache = new Cache;
    return *cache;
}
Cache& trace_cache() {
    static auto* const cache = new Cache;
    return *cache;
}

/// What a thread used last for an op.
struct LastHit {
    std::string key;
    EntryPtr entry;
};
LastHit& last_hit(const Symbol& symbol) {
    thread_local std::unordered_map<const Symbol*, LastHit> hits;
    return hits[&symbol];
}

/// Turns the numbers among an op's operands, those in its options too, into run-time inputs: `x * 2.5` and `x
/// * 2.6` are one program.
class NumberLifter {
public:
    explicit NumberLifter(Flat& arguments) : arguments_(arguments) {}

    void lift(const Schema& schema) {
        using Kind = Schema::Kind;
        switch (schema.kind) {
            case Kind::operand:
                return lift_operand();
            case Kind::tuple:
            case Kind::record:
                for (const Schema::Field& field : schema.fields) lift(*field.schema);
                return;
            case Kind::optional:
                if (peek().kind == Atom::Kind::none)
                    take();
                else
                    lift(*schema.fields[0].schema);
                return;
            case Kind::list:
            case Kind::map:
                for (std::int64_t n = take().bits; n > 0; --n) {
                    for (const Schema::Field& field : schema.fields) lift(*field.schema);
                }
                return;
            case Kind::dims:
                next_ += static_cast<std::size_t>(take().bits);
                return;
            default:
                take();
        }
    }

private:
    Atom& peek() { return arguments_.statics.atoms[next_]; }
    Atom& take() {
        Atom& atom = arguments_.statics.atoms[next_++];
        if (atom.kind == Atom::Kind::tensor) ++next_tensor_;
        return atom;
    }
    void lift_operand() {
        Atom& atom = peek();
        if (atom.kind != Atom::Kind::tensor && atom.kind != Atom::Kind::none) {
            arguments_.tensors.insert(arguments_.tensors.begin() + next_tensor_,
                                      number_tensor(atom.as_number()));
            atom = Atom::tensor();
        }
        take();
    }

    Flat& arguments_;
    std::size_t next_ = 0;
    std::ptrdiff_t next_tensor_ = 0;
};

/// Notes eager ops within eager ops: an implementation that calls its own op would never return.
class Nesting {
public:
    explicit Nesting(const Symbol& symbol)
        : symbol_(symbol), outer_(innermost()), depth_(outer_ ? outer_->depth_ + 1 : 1) {
        if (depth_ > limit) throw_endless();
        innermost() = this;
    }
    ~Nesting() { innermost() = outer_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

private:
    static constexpr int limit = 100;

    [[noreturn]] void throw_endless() const {
        std::string chain = symbol_.name;
        int shown = 0;
        for (const Nesting* at = outer_; at && shown < 4; at = at->outer_, ++shown)
            chain += " within " + at->symbol_.name;
        fail<ClaimError>(symbol_.name, "expected implementations that end, got " + std::to_string(limit) +
                                           " eager ops within one another (" + chain +
                                           "): does one call its own op?");
    }
    static const Nesting*& innermost() {
        thread_local const Nesting* innermost = nullptr;
        return innermost;
    }

    const Symbol& symbol_;
    const Nesting* outer_;
    int depth_;
};

void require_concrete(const Symbol& symbol, const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors) {
        if (tensor.is_concrete()) continue;
        const TensorNode& node = tensor.node();
        if (node.kind == TensorNode::Kind::traced) {
            throw TraceError(error_text(
                symbol.name,
                "a traced " + to_string(node.spec) + " was kept after its trace" +
                    (node.where.known() ? " (made at " + to_string(node.where) + ")" : std::string())));
        }
        fail<TraceError>(symbol.name, "expected concrete tensors, got an abstract " + to_string(node.spec) +
                                          ": use eval_shape or trace for shapes alone");
    }
}

EntryPtr compile_op(const Symbol& symbol, const Flat& arguments) {
    ++compilations;
    Trace trace;
    trace.name = symbol.name;
    Flat results;
    {
        const NoTraceScope apart;
        TraceScope scope;
        Flat inputs{arguments.statics, {}};
        for (const Tensor& tensor : arguments.tensors)
            inputs.tensors.push_back(scope.add_input(tensor.spec()));
        trace.values = scope.root().values;
        trace.inputs = scope.values_of(inputs.tensors);
        results = scope.record(symbol, std::move(inputs));
        trace.outputs = scope.values_of(results.tensors);
        trace.captures = scope.root().captures;
        trace.body = std::move(scope.body());
    }
    note_output_aliases(trace);
    Compiled compiled = compile(trace, {}, compile_context());
    return std::make_shared<const Entry>(
        Entry{std::move(compiled.program), std::move(results.statics), nullptr});
}

/// A view prim needs no program: its meta says where the view lies.
Flat make_view(const Symbol& symbol, const Flat& arguments) {
    Flat results = symbol.signature->invoke(symbol.body, arguments.statics, arguments.tensors.data());
    const TensorNode& base = arguments.tensors.at(0).node();
    for (Tensor& result : results.tensors) {
        result = Tensor::concrete(result.spec(), base.storage, base.offset + result.node().offset);
    }
    return results;
}
}  // namespace

namespace {
EntryPtr entry_for(const Symbol& symbol, const std::string& key, const Flat& arguments) {
    LastHit& last = last_hit(symbol);
    if (last.entry && last.key == key) return last.entry;
    const std::string full_key = std::to_string(reinterpret_cast<std::uintptr_t>(&symbol)) + ":" + key;
    EntryPtr entry = op_cache().find(full_key);
    if (!entry) {
        entry = compile_op(symbol, arguments);
        op_cache().put(full_key, entry);
    }
    // Asked for again: compiling may have run eager ops of its own.
    last_hit(symbol) = {full_key.substr(full_key.find(':') + 1), entry};
    return entry;
}
}  // namespace

Flat EagerEvaluator::run_op(const Symbol& symbol, Flat arguments) {
    const Nesting nesting(symbol);
    require_concrete(symbol, arguments.tensors);
    if (symbol.is_prim && symbol.has(Tag::view)) return make_view(symbol, arguments);
    NumberLifter(arguments).lift(*symbol.signature->arguments());

    thread_local SignatureKey key;
    key.clear();
    key.add(static_cast<std::int64_t>(registry_generation()));
    for (const Atom& atom : arguments.statics.atoms) key.add(atom);
    for (const std::string& text : arguments.statics.strings) key.add(text);
    for (const Tensor& tensor : arguments.tensors) key.add(tensor);

    const EntryPtr entry = entry_for(symbol, key.bytes(), arguments);
    Flat results{entry->result_structure, std::vector<Tensor>(entry->program->output_count())};
    entry->program->run(arguments.tensors, results.tensors.data());
    return results;
}

std::vector<Tensor> EagerEvaluator::run_trace(const Trace& original, std::vector<Tensor> inputs) {
    // Captures are other tensors each time the function is traced: as inputs they leave the program reusable.
    Trace trace = original;
    for (const Capture& capture : original.captures) {
        trace.inputs.push_back(capture.value);
        inputs.push_back(capture.tensor);
    }
    trace.captures.clear();
    const std::string key = std::to_string(registry_generation()) + ":" + std::to_string(hash_of(trace));
    EntryPtr entry = trace_cache().find(key);
    if (!entry || !(*entry->trace == trace)) {
        Compiled compiled = compile(trace, {}, compile_context());
        entry = std::make_shared<const Entry>(
            Entry{std::move(compiled.program), {}, std::make_unique<const Trace>(std::move(trace))});
        trace_cache().put(key, entry);
    }
    std::vector<Tensor> outputs(entry->program->output_count());
    entry->program->run(inputs, outputs.data());
    return outputs;
}

std::uint64_t eager_compilations() { return compilations.load(); }

}  // namespace fulgurite
