#include <fulgurite/runtime/jit_cache.h>

#include <algorithm>
#include <bit>

#include <fulgurite/core/tracing.h>
#include <fulgurite/runtime/explain.h>
#include <fulgurite/runtime/jit.h>
#include <fulgurite/runtime/log.h>

namespace fulgurite {

namespace {
constexpr int recompilations_to_warn = 4;

bool guard_holds(const JitEntry& entry, const std::vector<Number>& scalars) {
    return !entry.guarded || entry.guard == scalars;
}

/// Whether two traces of one signature have inputs of the very same metadata: strides of size-1 dimensions,
/// which are in no signature, may differ.
bool same_inputs(const Trace& a, const Trace& b) {
    for (std::size_t i = 0; i < a.inputs.size(); ++i) {
        if (!(a[a.inputs[i]].spec == b[b.inputs[i]].spec)) return false;
    }
    return true;
}
}  // namespace

JitCache::JitCache(JitOptions options) : options_(std::move(options)) {
    resolve_executors(options_.executors);
    check_compile_options(options_.compile_options);
}

CompileContext JitCache::context() const {
    return {executors_to_ask(options_.executors), options_.compile_options};
}

std::int64_t JitCache::ambient_word() const {
    return static_cast<std::int64_t>(registry_generation()) * 64 +
           static_cast<std::int64_t>(default_dtype()) * 2 + (is_grad_enabled() ? 1 : 0);
}

const JitEntry* JitCache::find(const std::string& key, const std::vector<Number>& scalars) const {
    const JitEntry* entry = last_.load(std::memory_order_acquire);
    if (!entry || entry->key != key || !guard_holds(*entry, scalars)) {
        const std::shared_lock lock(mutex_);
        entry = find_locked(key, scalars);
    }
    if (!entry) return nullptr;
    last_.store(entry, std::memory_order_release);
    hits_.fetch_add(1, std::memory_order_relaxed);
    return entry;
}

const JitEntry* JitCache::find_locked(const std::string& key, const std::vector<Number>& scalars) const {
    const auto [begin, end] = by_key_.equal_range(key);
    const auto found =
        std::find_if(begin, end, [&](const auto& entry) { return guard_holds(*entry.second, scalars); });
    return found == end ? nullptr : found->second;
}

const JitEntry& JitCache::compile(const std::string& key, const std::vector<Number>& scalars,
                                  std::vector<LeafNote> leaves, const std::function<TracedCall()>& trace) {
    std::promise<const JitEntry*> promise;
    for (;;) {
        std::unique_lock lock(mutex_);
        if (const JitEntry* entry = find_locked(key, scalars)) return *entry;
        const auto other = compiling_.find(key);
        if (other == compiling_.end()) {
            compiling_.emplace(key, promise.get_future().share());
            break;
        }
        const auto result = other->second;
        lock.unlock();
        result.get();  // rethrows what the other thread's compilation threw; what it made may be for other
                       // Scalars
    }
    ++misses_;
    try {
        std::unique_ptr<JitEntry> made = make_entry(key, scalars, std::move(leaves), trace);
        const std::unique_lock lock(mutex_);
        const JitEntry* entry = made.get();
        entries_.push_back(std::move(made));
        by_key_.emplace(key, entry);
        compiling_.erase(key);
        last_.store(entry, std::memory_order_release);
        promise.set_value(entry);
        return *entry;
    } catch (...) {
        const std::unique_lock lock(mutex_);
        compiling_.erase(key);
        promise.set_exception(std::current_exception());
        throw;
    }
}

std::unique_ptr<JitEntry> JitCache::make_entry(const std::string& key, const std::vector<Number>& scalars,
                                               std::vector<LeafNote> leaves,
                                               const std::function<TracedCall()>& trace) {
    auto entry = std::make_unique<JitEntry>();
    entry->reason = reason_for(leaves);
    TracedCall call = trace();
    entry->key = key;
    entry->trace_hash = hash_of(call.trace);
    entry->captures = call.trace.captures;
    entry->compiled = fulgurite::compile(call.trace, call.log, context());
    entry->result_structure = std::move(call.result_structure);
    entry->result_count = call.result_count;
    entry->rebound_leaves = std::move(call.rebound_leaves);
    entry->guarded = call.guarded;
    if (call.guarded) entry->guard = scalars;
    entry->leaves = std::move(leaves);
    log(LogLevel::debug, options_.name + ": compiled (" + entry->reason + ")");
    return entry;
}

std::string JitCache::reason_for(const std::vector<LeafNote>& leaves) {
    const std::unique_lock lock(mutex_);
    if (entries_.empty()) return "first call";
    const std::vector<LeafNote>& before = entries_.back()->leaves;
    if (before.size() != leaves.size()) return "another structure of arguments";
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (leaves[i].path == before[i].path && leaves[i].text == before[i].text) continue;
        if (leaves[i].is_static) note_static_change(leaves[i].path);
        return leaves[i].path + ": " + before[i].text + " -> " + leaves[i].text;
    }
    return "the Scalars' values that were read, or the ambient state (executors, default dtype, no_grad), "
           "changed";
}

void JitCache::note_static_change(const std::string& path) {
    if (++static_changes_[path] != recompilations_to_warn) return;
    log(LogLevel::warning, options_.name + ": the static argument " + path + " has caused " +
                               std::to_string(recompilations_to_warn) +
                               " recompilations; make it a Scalar if it is a number that changes");
}

void JitCache::recheck(const JitEntry& entry, const std::function<TracedCall()>& trace) const {
    const std::uint64_t hit = entry.hits.fetch_add(1) + 1;
    if (!std::has_single_bit(hit)) return;
    const TracedCall again = trace();
    if (!same_inputs(entry.compiled.traces.back(), again.trace)) return;
    bool same =
        hash_of(again.trace) == entry.trace_hash && again.trace.captures.size() == entry.captures.size();
    for (std::size_t i = 0; same && i < entry.captures.size(); ++i) {
        same = again.trace.captures[i].tensor.node().storage.get() ==
               entry.captures[i].tensor.node().storage.get();
    }
    if (same) return;
    throw TraceError(
        "[jit] " + options_.name +
        ": tracing it again gives another program, or captures other tensors, than the one compiled: pass "
        "what changes as an argument");
}

CompileStats JitCache::stats() const {
    const std::shared_lock lock(mutex_);
    CompileStats stats;
    stats.cache_hits = hits_.load();
    stats.cache_misses = misses_.load();
    stats.calls = stats.cache_hits + stats.cache_misses;
    for (const auto& entry : entries_) {
        stats.trace_milliseconds += entry->compiled.trace_milliseconds;
        stats.compile_milliseconds += entry->compiled.compile_milliseconds;
    }
    return stats;
}

std::string JitCache::explain() const {
    const std::shared_lock lock(mutex_);
    std::string text = options_.name + ": " + std::to_string(entries_.size()) + " specialisation(s), " +
                       std::to_string(hits_.load()) + " hits, " + std::to_string(misses_.load()) +
                       " misses\n";
    for (const auto& entry : entries_) text += explain_entry(*entry);
    for (const auto& [path, count] : static_changes_) {
        text += "static argument " + path + " caused " + std::to_string(count) + " recompilation(s)\n";
    }
    return text;
}

const std::vector<Trace>& JitCache::last_traces() const {
    const std::shared_lock lock(mutex_);
    if (entries_.empty())
        fail<ValueError>("last_traces", "expected a function that was called, got one that was not");
    return entries_.back()->compiled.traces;
}

namespace detail {
void NoteVisitor::atom(Atom leaf) {
    std::string text;
    switch (leaf.kind) {
        case Atom::Kind::none:
            text = "none";
            break;
        case Atom::Kind::boolean:
            text = leaf.bits ? "true" : "false";
            break;
        case Atom::Kind::floating:
            text = std::to_string(leaf.as_double());
            break;
        case Atom::Kind::dtype:
            text = std::string(name_of(leaf.as_dtype()));
            break;
        case Atom::Kind::device:
            text = to_string(leaf.as_device());
            break;
        case Atom::Kind::begin:
            text = std::to_string(leaf.bits) + " entries";
            break;
        default:
            text = std::to_string(leaf.bits);
    }
    add(std::move(text), true);
}
}  // namespace detail

}  // namespace fulgurite
