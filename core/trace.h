#pragma once

#include <deque>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fulgurite/core/symbol.h>

namespace fulgurite {

/// A value of the IR: Thunder calls it so too.
struct TensorProxy {
    TensorSpec spec;
    std::string name;         ///< from the user's pytree; empty: the printer makes one up
    std::int64_t offset = 0;  ///< of a view: elements after the start of the operand that it views
};

/// The values of a trace and of everything made from it: passes share it, so that a ValueId means the same in
/// each. Only the thread that compiles appends.
class ValueTable {
public:
    ValueId add(TensorProxy proxy) {
        proxies_.push_back(std::move(proxy));
        return static_cast<ValueId>(proxies_.size() - 1);
    }
    const TensorProxy& operator[](ValueId id) const { return proxies_[static_cast<std::size_t>(id)]; }
    TensorProxy& at(ValueId id) { return proxies_[static_cast<std::size_t>(id)]; }
    std::size_t size() const { return proxies_.size(); }

private:
    std::deque<TensorProxy> proxies_;
};

struct Kernel;
struct BoundSymbol;
using BoundSymbolPtr = std::shared_ptr<const BoundSymbol>;

/// A function inside the IR. Values of the enclosing trace may be used freely in the body.
struct Region {
    std::vector<ValueId> parameters;
    std::vector<BoundSymbolPtr> body;
    std::vector<ValueId> results;
};

/// One operation of a trace: a symbol with arguments and results. Immutable once in a trace; passes share it.
struct BoundSymbol {
    const Symbol* symbol = nullptr;
    std::shared_ptr<const Statics>
        arguments;  ///< structure and static leaves; tensor atoms stand for operands
    std::vector<ValueId> operands;
    Statics result_structure;
    std::vector<ValueId> results;
    SourceLocation where;
    Tag tags = Tag::none;  ///< of this call, beside the symbol's own

    std::vector<BoundSymbolPtr> subsymbols;      ///< a composite's decomposition
    std::vector<Region> regions;                 ///< control flow and custom rules
    std::shared_ptr<const Symbol> owned_symbol;  ///< for symbols that live only here (fusions)
    std::shared_ptr<const Kernel> owned_kernel;  ///< how a fusion runs
    std::shared_ptr<const Executor> executor;    ///< who claimed it; null before claim

    bool has(Tag tag) const { return fulgurite::has(tags, tag) || symbol->has(tag); }
};

/// A tensor that the traced function found outside its arguments: an input that is bound once and for all.
struct Capture {
    ValueId value;
    Tensor tensor;
};

/// A straight-line program over values, after one pass or another.
struct Trace {
    std::string name;  ///< of the traced function
    std::shared_ptr<ValueTable> values;
    std::vector<ValueId> inputs;  ///< in the order of the arguments' leaves
    std::vector<Capture> captures;
    std::vector<BoundSymbolPtr> body;
    std::vector<ValueId> outputs;
    /// Of each output, which storage it shares in an eager run: outputs with equal numbers alias each other.
    /// Inputs and captures have the numbers of their values; others are unique. Empty: as the values
    /// themselves say.
    std::vector<std::int64_t> output_aliases;

    std::string pass = "trace";  ///< what made it
    double milliseconds = 0;
    bool unchanged = false;  ///< the pass did nothing

    const TensorProxy& operator[](ValueId id) const { return (*values)[id]; }
};

/// Which value's storage each value of a trace shares: the chains of views, read from the bound symbols (a
/// composite's parts included).
class ViewBases {
public:
    struct Base {
        ValueId value;        ///< at the bottom of the chain
        std::int64_t offset;  ///< elements from its start
    };
    explicit ViewBases(const Trace& trace);
    Base of(ValueId id) const;

private:
    void add(const std::vector<BoundSymbolPtr>& body);
    const ValueTable& values_;
    std::map<ValueId, ValueId> operand_;
};

/// The trace as C++ text in the fixed subset (see core/text.h).
std::string to_string(const Trace& trace);
std::ostream& operator<<(std::ostream& out, const Trace& trace);

/// Equal programs: same symbols, statics, structure and metadata of values; names, source lines, claims and
/// pass notes aside.
bool operator==(const Trace& a, const Trace& b);
/// A hash that agrees with ==.
std::uint64_t hash_of(const Trace& trace);

}  // namespace fulgurite
