#include <fulgurite/core/text.h>

#include <algorithm>
#include <cstdio>
#include <ostream>

#include <fulgurite/core/executor.h>
#include <fulgurite/core/output_owners.h>
#include <fulgurite/core/text_names.h>
#include <fulgurite/core/text_value.h>

namespace fulgurite {

namespace {

using detail::text_of;

/// Whether the op's C++ result has one member for each of n tensors, so that a structured binding names them.
bool binds(const Schema& results, std::size_t count) {
    if (results.kind != Schema::Kind::tuple && results.kind != Schema::Kind::record) return false;
    return results.fields.size() == count &&
           std::all_of(results.fields.begin(), results.fields.end(),
                       [](const auto& field) { return field.schema->kind == Schema::Kind::tensor; });
}

class Printer {
public:
    Printer(const Trace& trace, PrintOptions options) : trace_(trace), options_(options), names_(trace) {}

    std::string run() {
        line(header());
        for (const ValueId id : trace_.inputs) declare(id, "input");
        for (const Capture& capture : trace_.captures) declare(capture.value, "capture");
        print_body(trace_.body);
        line("return output(" + outputs() + ");");
        return std::move(out_);
    }

private:
    void line(const std::string& text) { out_ += indent_ + text + "\n"; }

    std::string header() const {
        char time[32];
        std::snprintf(time, sizeof time, "%.3f ms", trace_.milliseconds);
        std::string text = "// name: " + trace_.name + ", after " + trace_.pass + " (" + time + ")";
        std::replace(text.begin(), text.end(), '\n', ' ');
        return text + (trace_.unchanged ? " (unchanged)" : "");
    }

    void declare(ValueId id, const char* kind) {
        const TensorProxy& proxy = trace_[id];
        const std::string& name = names_[id];
        std::string text = "auto " + name + " = " + kind + "(" + text_of(proxy.spec) + ");";
        if (!proxy.name.empty() && proxy.name != name && proxy.name.find('\n') == std::string::npos) {
            text += "  // " + proxy.name;
        }
        line(text);
    }

    void print_body(const std::vector<BoundSymbolPtr>& body) {
        for (const BoundSymbolPtr& symbol : body) {
            print_call(*symbol);
            if (!options_.subsymbols || symbol->owned_symbol || symbol->subsymbols.empty()) continue;
            const std::string outer = std::exchange(
                indent_, indent_.find("//") == std::string::npos ? indent_ + "//   " : indent_ + "  ");
            print_body(symbol->subsymbols);
            indent_ = outer;
        }
    }

    void print_call(const BoundSymbol& symbol) {
        const std::size_t count = symbol.results.size();
        const bool by_name = symbol.owned_symbol || symbol.symbol->executor || !symbol.regions.empty();
        const Schema& results = *symbol.symbol->signature->results();
        std::string expression = by_name ? call_by_name(symbol) : op_call(symbol);
        const bool one = by_name ? count == 1 : results.kind == Schema::Kind::tensor && count == 1;
        if (!one && count > 0 && !by_name && !binds(results, count)) {
            expression = "unpack<" + std::to_string(count) + ">(" + expression + ")";
        }
        if (fulgurite::has(symbol.tags, Tag::detached))
            expression = "no_grad([&] { return " + expression + "; })";
        std::string target = listed(symbol.results);
        if (count > 0) target = one ? "auto " + target + " = " : "auto [" + target + "] = ";
        line(target + expression + ";" + comment(symbol));
    }

    std::vector<std::string> names_of(const std::vector<ValueId>& ids) {
        std::vector<std::string> names;
        for (const ValueId id : ids) names.push_back(names_[id]);
        return names;
    }

    std::string op_call(const BoundSymbol& symbol) {
        detail::ValuePrinter printer(*symbol.arguments, names_of(symbol.operands));
        const std::string& name = symbol.symbol->name;
        const std::string home = name.find("::") == std::string::npos ? "ops::" : "";
        return home + name + "(" + printer.arguments(*symbol.symbol->signature->arguments()) + ")";
    }

    std::string call_by_name(const BoundSymbol& symbol) {
        std::string text =
            "call<" + std::to_string(symbol.results.size()) + ">(" + detail::quoted(symbol.symbol->name);
        if (symbol.owned_symbol) {
            return text + ", {" + listed(symbol.operands) + "}, " +
                   lambda({{}, symbol.subsymbols, symbol.results}, "[&] {") + ")";
        }
        std::string regions;
        for (const Region& region : symbol.regions) regions += (regions.empty() ? "" : ", ") + lambda(region);
        if (!regions.empty()) text += ", regions(" + regions + ")";
        detail::ValuePrinter printer(*symbol.arguments, names_of(symbol.operands));
        const std::string arguments = printer.flat_arguments(*symbol.symbol->signature->arguments());
        return text + (arguments.empty() ? "" : ", " + arguments) + ")";
    }

    std::string listed(const std::vector<ValueId>& ids) {
        std::string text;
        for (const ValueId id : ids) text += (text.empty() ? "" : ", ") + names_[id];
        return text;
    }

    std::string lambda(const Region& region) {
        std::string parameters;
        for (const ValueId id : region.parameters)
            parameters += (parameters.empty() ? "auto " : ", auto ") + names_[id];
        return lambda(region, "[&](" + parameters + ") {");
    }

    std::string lambda(const Region& region, const std::string& head) {
        const std::string before = std::exchange(out_, head + "\n");
        const std::string outer = std::exchange(indent_, indent_ + "    ");
        for (const ValueId id : region.parameters)
            line("expect(" + names_[id] + ", " + text_of(trace_[id].spec) + ");");
        print_body(region.body);
        line("return output(" + listed(region.results) + ");");
        indent_ = outer;
        const std::string text = std::exchange(out_, before);
        return text + indent_ + "}";
    }

    std::string comment(const BoundSymbol& symbol) {
        std::string text;
        for (const ValueId id : symbol.results) text += (text.empty() ? "" : ", ") + metadata(trace_[id]);
        if (options_.source_lines && symbol.where.known())
            text += (text.empty() ? "" : "  ") + to_string(symbol.where);
        if (symbol.executor) text += (text.empty() ? "by " : "  by ") + symbol.executor->name();
        return text.empty() ? "" : "  // " + text;
    }

    static std::string metadata(const TensorProxy& value) {
        const TensorSpec& spec = value.spec;
        std::string text =
            std::string(name_of(spec.dtype)) + " " + text_of(spec.shape) + " " + text_of(spec.strides);
        if (spec.device != cpu) text += " " + text_of(spec.device);
        if (spec.weak) text += " weak";
        if (value.offset != 0) text += " offset " + std::to_string(value.offset);
        return text;
    }

    std::string outputs() {
        const std::vector<std::int64_t> owners = output_owners(trace_, trace_.output_aliases);
        const std::vector<std::int64_t> seen = output_owners(trace_, {});
        std::string text;
        for (std::size_t i = 0; i < trace_.outputs.size(); ++i) {
            std::string item = names_[trace_.outputs[i]];
            if (owners[i] != seen[i]) item = with_owner(item, owners[i], static_cast<std::int64_t>(i));
            text += (i ? ", " : "") + item;
        }
        return text;
    }

    std::string with_owner(const std::string& name, std::int64_t owner, std::int64_t self) {
        if (owner == self) return "fresh(" + name + ")";
        if (owner >= 0) return "shares(" + name + ", " + std::to_string(owner) + ")";
        const auto k = static_cast<std::size_t>(-1 - owner);
        const std::size_t inputs = trace_.inputs.size();
        return "shares(" + name + ", " +
               names_[k < inputs ? trace_.inputs[k] : trace_.captures[k - inputs].value] + ")";
    }

    const Trace& trace_;
    PrintOptions options_;
    detail::TextNames names_;
    std::string out_, indent_;
};

}  // namespace

std::string print(const Trace& trace, PrintOptions options) { return Printer(trace, options).run(); }

std::string to_string(const Trace& trace) { return print(trace); }

std::ostream& operator<<(std::ostream& out, const Trace& trace) { return out << print(trace); }

}  // namespace fulgurite
