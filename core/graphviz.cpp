#include <fulgurite/core/graphviz.h>

#include <fulgurite/core/executor.h>
#include <fulgurite/core/text_names.h>

namespace fulgurite {

namespace {

std::string escaped(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out + "\"";
}

class Picture {
public:
    explicit Picture(const Trace& trace) : trace_(trace), names_(trace) {}

    std::string run() {
        out_ = "digraph " + escaped(trace_.name.empty() ? "trace" : trace_.name) +
               " {\n    node [fontname=\"monospace\"];\n";
        for (const ValueId id : trace_.inputs) outside(id, "");
        for (const Capture& capture : trace_.captures) outside(capture.value, ", style=dashed");
        for (const BoundSymbolPtr& symbol : trace_.body) call(*symbol);
        outputs();
        return out_ + "}\n";
    }

private:
    void node(const std::string& name, const std::string& label, const std::string& look) {
        out_ += "    " + escaped(name) + " [label=" + escaped(label) + look + "];\n";
    }
    void edge(ValueId from, const std::string& to) {
        const auto maker = makers_.find(from);
        const std::string source = maker == makers_.end() ? names_[from] : maker->second;
        const std::string value = names_[from] + ": " + to_string(trace_[from].spec);
        out_ += "    " + escaped(source) + " -> " + escaped(to) + " [label=" + escaped(value) + "];\n";
    }
    void outside(ValueId id, const std::string& look) {
        makers_[id] = "value " + names_[id];
        node(makers_[id], trace_[id].name.empty() ? names_[id] : trace_[id].name, ", shape=ellipse" + look);
    }
    void call(const BoundSymbol& symbol) {
        const std::string name = "call " + std::to_string(next_++);
        std::string label = symbol.symbol->name;
        if (symbol.executor) label += "\nby " + symbol.executor->name();
        if (symbol.where.known()) label += "\n" + to_string(symbol.where);
        node(name, label, symbol.owned_symbol ? ", shape=box, style=filled" : ", shape=box");
        for (const ValueId id : symbol.operands) edge(id, name);
        for (const ValueId id : symbol.results) makers_[id] = name;
    }
    void outputs() {
        std::size_t i = 0;
        for (const ValueId id : trace_.outputs) {
            const std::string name = "output " + std::to_string(i++);
            if (id == no_value) continue;
            node(name, name, ", shape=ellipse, style=bold");
            edge(id, name);
        }
    }

    const Trace& trace_;
    detail::TextNames names_;
    std::map<ValueId, std::string> makers_;
    int next_ = 0;
    std::string out_;
};

}  // namespace

std::string graphviz(const Trace& trace) { return Picture(trace).run(); }

}  // namespace fulgurite
