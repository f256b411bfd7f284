#include <fulgurite/core/check.h>

#include <algorithm>

#include <fulgurite/core/tracing.h>

namespace fulgurite {

namespace {

std::size_t tensors_in(const Statics& statics) {
    return static_cast<std::size_t>(
        std::count_if(statics.atoms.begin(), statics.atoms.end(),
                      [](const Atom& atom) { return atom.kind == Atom::Kind::tensor; }));
}

class Checker {
public:
    Checker(const Trace& trace, Stage stage)
        : trace_(trace), stage_(stage), visible_(trace.values->size(), false) {}

    void run() {
        for (const ValueId id : trace_.inputs) define(id, "an input");
        for (const Capture& capture : trace_.captures) define(capture.value, "a capture");
        check_body(trace_.body, true);
        call_ = nullptr;
        for (const ValueId id : trace_.outputs) {
            if (id != no_value) use(id, "output");
        }
        if (!trace_.output_aliases.empty() && trace_.output_aliases.size() != trace_.outputs.size()) {
            complain("has " + std::to_string(trace_.outputs.size()) + " outputs, but aliases of " +
                     std::to_string(trace_.output_aliases.size()));
        }
    }

private:
    [[noreturn]] void complain(const std::string& what) const {
        std::string text = "[check] ";
        if (call_ && call_->where.known()) text += to_string(call_->where) + ": ";
        text += "after pass '" + trace_.pass + "'" +
                (trace_.name.empty() ? "" : " of '" + trace_.name + "'") + ": ";
        throw InternalError(text + (call_ ? call_->symbol->name : "the trace") + " " + what);
    }

    std::string name(ValueId id) const {
        const std::string number = "value " + std::to_string(id);
        const bool known = id >= 0 && static_cast<std::size_t>(id) < visible_.size();
        return !known || trace_[id].name.empty() ? number : number + " ('" + trace_[id].name + "')";
    }

    void require_known(ValueId id, const char* role) const {
        if (id < 0 || static_cast<std::size_t>(id) >= visible_.size()) {
            complain("has " + name(id) + " as " + role + ", which is not in the trace's table");
        }
    }

    void use(ValueId id, const char* role) const {
        require_known(id, role);
        if (!visible_[static_cast<std::size_t>(id)])
            complain("uses " + name(id) + " as " + role + " before it is defined");
    }

    void define(ValueId id, const char* role) {
        require_known(id, role);
        if (visible_[static_cast<std::size_t>(id)])
            complain("defines " + name(id) + " as " + role + " a second time");
        visible_[static_cast<std::size_t>(id)] = true;
        scope_.push_back(id);
    }

    /// Runs `inside`, and forgets what it defined, which it returns.
    template <class F>
    std::vector<ValueId> scoped(F&& inside) {
        std::vector<ValueId> outer;
        std::swap(outer, scope_);
        inside();
        std::swap(outer, scope_);
        for (const ValueId id : outer) visible_[static_cast<std::size_t>(id)] = false;
        return outer;
    }

    void check_body(const std::vector<BoundSymbolPtr>& body, bool outermost) {
        for (const BoundSymbolPtr& symbol : body) {
            const BoundSymbol* const outer = std::exchange(call_, symbol.get());
            check_call(*symbol, outermost);
            call_ = outer;
        }
    }

    void check_call(const BoundSymbol& symbol, bool outermost) {
        for (const ValueId id : symbol.operands) use(id, "operand");
        check_count("operands", symbol.operands.size(), tensors_in(*symbol.arguments));
        check_count("results", symbol.results.size(), tensors_in(symbol.result_structure));
        check_stage(symbol, outermost);
        for (const Region& region : symbol.regions) check_region(region);
        if (!symbol.subsymbols.empty()) check_parts(symbol);
        for (const ValueId id : symbol.results) define(id, "result");
        if (symbol.symbol->is_prim && symbol.symbol->body && symbol.regions.empty()) check_metadata(symbol);
    }

    void check_count(const char* what, std::size_t count, std::size_t promised) const {
        if (count == promised) return;
        complain("has " + std::to_string(count) + " " + what + ", but its structure says " +
                 std::to_string(promised));
    }

    void check_stage(const BoundSymbol& symbol, bool outermost) const {
        if (stage_ != Stage::grad && symbol.has(Tag::gradient))
            complain("is left, and only grad may meet it");
        if (stage_ != Stage::claimed || !outermost || symbol.executor) return;
        if (!symbol.symbol->is_prim || !symbol.has(Tag::view)) complain("has no executor after claim");
    }

    void check_region(const Region& region) {
        scoped([&] {
            for (const ValueId id : region.parameters) define(id, "a region's parameter");
            check_body(region.body, false);
            for (const ValueId id : region.results) {
                if (id != no_value) use(id, "a region's result");
            }
        });
    }

    void check_parts(const BoundSymbol& symbol) {
        const std::vector<ValueId> made = scoped([&] { check_body(symbol.subsymbols, false); });
        const auto in = [](const std::vector<ValueId>& ids, ValueId id) {
            return std::find(ids.begin(), ids.end(), id) != ids.end();
        };
        for (const ValueId id : symbol.results) {
            if (!in(made, id) && !in(symbol.operands, id))
                complain("has the result " + name(id) + ", which none of its parts makes");
        }
    }

    Flat rerun_meta(const BoundSymbol& symbol) const {
        std::vector<Tensor> operands;
        for (const ValueId id : symbol.operands) operands.emplace_back(trace_[id].spec);
        const NoTraceScope no_trace;
        const LocationScope location(symbol.where);
        try {
            return symbol.symbol->signature->invoke(symbol.symbol->body, *symbol.arguments, operands.data());
        } catch (const Error& error) {
            complain(std::string("has operands that its meta refuses: ") + error.what());
        }
    }

    void check_metadata(const BoundSymbol& symbol) const {
        const Flat again = rerun_meta(symbol);
        if (again.statics != symbol.result_structure)
            complain("has results of another structure than its meta gives");
        for (std::size_t i = 0; i < symbol.results.size(); ++i) {
            const TensorProxy& promised = trace_[symbol.results[i]];
            const TensorSpec& given = again.tensors[i].spec();
            const bool is_view = symbol.has(Tag::view) && again.tensors[i].is_abstract();
            if (promised.spec == given && (!is_view || promised.offset == again.tensors[i].node().offset))
                continue;
            complain("promises " + name(symbol.results[i]) + " as " +
                     describe(promised.spec, promised.offset) + ", but its meta gives " +
                     describe(given, is_view ? again.tensors[i].node().offset : 0));
        }
    }

    static std::string describe(const TensorSpec& spec, std::int64_t offset) {
        return to_string(spec) + " with strides " + to_string(spec.strides) + (spec.weak ? ", weak" : "") +
               (offset == 0 ? "" : " at offset " + std::to_string(offset));
    }

    const Trace& trace_;
    Stage stage_;
    std::vector<bool> visible_;
    std::vector<ValueId> scope_;
    const BoundSymbol* call_ = nullptr;
};

}  // namespace

void check(const Trace& trace, Stage stage) { Checker(trace, stage).run(); }

}  // namespace fulgurite
