#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <fulgurite/runtime/compile.h>

namespace fulgurite {

struct JitOptions {
    std::string name = "jitted function";  ///< in traces, explain and logs
    std::vector<ExecutorRef> executors =
        {};  ///< in order of claim; the always executors follow. Empty: the default list
    CompileOptions compile_options = {};  ///< checked when jit is called; see register_compile_option
};

/// One leaf of a signature, in words: "params.wq", "float32[2, 3]".
struct LeafNote {
    std::string path;
    std::string text;
    bool is_static = false;
};

/// A traced call, ready to be compiled.
struct TracedCall {
    Trace trace;
    PassLog log;
    Statics result_structure;
    std::size_t result_count = 0;  ///< outputs that are the function's result; the others are rebound
    std::vector<std::size_t>
        rebound_leaves;    ///< of reference arguments: which input each further output replaces
    bool guarded = false;  ///< right only for these values of the Scalars
};

/// One compiled specialisation.
struct JitEntry {
    std::string key;
    Compiled compiled;
    Statics result_structure;
    std::size_t result_count = 0;
    std::vector<std::size_t> rebound_leaves;
    bool guarded = false;
    std::vector<Number> guard;     ///< the Scalars' values, where guarded
    std::vector<LeafNote> leaves;  ///< its signature
    std::string reason;            ///< why it was compiled
    std::uint64_t trace_hash = 0;
    std::vector<Capture> captures;
    mutable std::atomic<std::uint64_t> hits{0};
};

struct CompileStats {
    std::uint64_t calls = 0;
    std::uint64_t cache_hits = 0;
    std::uint64_t cache_misses = 0;
    double trace_milliseconds = 0;    ///< in the user's function, all specialisations together
    double compile_milliseconds = 0;  ///< in the passes and the plan
};

/// The specialisations of one jitted function, found by signature. Safe to use from several threads: a key is
/// compiled once, outside the locks, while others that want it wait; what fails to compile leaves no entry.
class JitCache {
public:
    explicit JitCache(JitOptions options);

    /// The entry for this key and these Scalars, or null.
    const JitEntry* find(const std::string& key, const std::vector<Number>& scalars) const;
    /// Compiles one; `leaves` says the signature in words for explain.
    const JitEntry& compile(const std::string& key, const std::vector<Number>& scalars,
                            std::vector<LeafNote> leaves, const std::function<TracedCall()>& trace);
    /// In debug builds, at the 1st, 2nd, 4th, 8th... hit: traces again, and throws TraceError where that
    /// gives another program or captures other tensors than the one compiled.
    void recheck(const JitEntry& entry, const std::function<TracedCall()>& trace) const;

    const JitOptions& options() const { return options_; }
    /// The executors and options to compile for, now.
    CompileContext context() const;
    /// What a program depends on beside its arguments, as key bytes.
    std::int64_t ambient_word() const;

    CompileStats stats() const;
    std::string explain() const;
    /// The traces of the newest specialisation, after every pass. Throws ValueError before the first.
    const std::vector<Trace>& last_traces() const;

private:
    const JitEntry* find_locked(const std::string& key, const std::vector<Number>& scalars) const;
    std::unique_ptr<JitEntry> make_entry(const std::string& key, const std::vector<Number>& scalars,
                                         std::vector<LeafNote> leaves,
                                         const std::function<TracedCall()>& trace);
    std::string reason_for(const std::vector<LeafNote>& leaves);
    void note_static_change(const std::string& path);

    JitOptions options_;
    mutable std::shared_mutex mutex_;
    std::vector<std::unique_ptr<const JitEntry>> entries_;  // in order of compilation
    std::unordered_multimap<std::string, const JitEntry*> by_key_;
    std::map<std::string, std::shared_future<const JitEntry*>> compiling_;
    std::map<std::string, int> static_changes_;  // recompilations a static leaf caused
    mutable std::atomic<const JitEntry*> last_{nullptr};
    mutable std::atomic<std::uint64_t> hits_{0};
    std::atomic<std::uint64_t> misses_{0};
};

}  // namespace fulgurite
