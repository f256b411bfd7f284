#include <fulgurite/core/text_parse.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include <fulgurite/core/output_owners.h>
#include <fulgurite/core/registry.h>
#include <fulgurite/core/text.h>
#include <fulgurite/core/text_names.h>
#include <fulgurite/core/tracing.h>

namespace fulgurite {

namespace {

using detail::Lexer;
using detail::Token;

constexpr int max_depth = 64;
constexpr std::int64_t max_results = 1 << 20;

Statics list_of_tensors(std::size_t count) {
    Statics statics;
    statics.atoms.assign(count + 1, Atom::tensor());
    statics.atoms[0] = Atom::begin(count);
    return statics;
}

/// An output as it is written: a value, and whose storage it has where the text says so.
struct OutputItem {
    ValueId value = no_value;
    bool fresh = false;
    std::optional<std::int64_t> owner;  ///< as in output_owners
};

class Parser {
public:
    explicit Parser(std::string_view text)
        : lexer_(text), text_(text), values_(lexer_, [this](std::string_view name) { return find(name); }) {}

    Trace run() {
        const NoTraceScope no_trace;
        TraceScope scope;
        scope_ = &scope;
        read_header();
        names_.emplace_back();
        const std::vector<OutputItem> items = body();
        if (lexer_.peek().kind != Token::Kind::end) lexer_.fail_expected("the end of the text");
        trace_.values = scope.root().values;
        for (const Capture& capture : scope.root().captures) trace_.captures.push_back(capture);
        trace_.body = std::move(scope.body());
        for (const OutputItem& item : items) trace_.outputs.push_back(item.value);
        trace_.output_aliases = aliases(items);
        return std::move(trace_);
    }

private:
    // Names and scopes.

    Tensor find(std::string_view name) const {
        for (auto scope = names_.rbegin(); scope != names_.rend(); ++scope) {
            const auto entry = scope->find(name);
            if (entry != scope->end()) return scope_->handle(entry->second);
        }
        return {};
    }

    void define(const Token& name, ValueId id) {
        if (!names_.back().try_emplace(std::string(name.text), id).second) {
            lexer_.fail_at(name.at, "expected a new name, got '" + std::string(name.text) +
                                        "', which is defined already");
        }
        std::string& own = scope_->root().values->at(id).name;
        if (own.empty() && !detail::is_made_up(name.text)) own = name.text;
    }

    /// Runs `inside` with an inner trace scope and an inner scope of names; gives what was recorded.
    template <class F>
    std::vector<BoundSymbolPtr> scoped(F&& inside) {
        if (++depth_ > max_depth) lexer_.fail_expected("lambdas that are not so deep");
        TraceScope scope;
        TraceScope* const outer = std::exchange(scope_, &scope);
        struct Restore {
            Parser& parser;
            TraceScope* outer;
            ~Restore() {
                parser.scope_ = outer;
                parser.names_.pop_back();
                --parser.depth_;
            }
        } const restore{*this, outer};
        names_.emplace_back();
        inside();
        return std::move(scope.body());
    }

    /// Runs what may call an op's code; an Error within is one of the text at `at`.
    template <class F>
    auto guarded(std::size_t at, F&& call) {
        try {
            return call();
        } catch (const ParseError&) {
            throw;
        } catch (const Error& error) {
            lexer_.fail_at(at, error.what());
        }
    }

    // Statements.

    /// "// name: loss, after dce (0.012 ms) (unchanged)"; any other first line is a comment.
    void read_header() {
        const std::string_view line = text_.substr(0, text_.find('\n'));
        constexpr std::string_view start = "// name: ";
        const std::size_t after = line.find(", after "), time = line.rfind(" (", line.rfind(" ms)"));
        if (!line.starts_with(start) || after == line.npos || time == line.npos || time < after + 8) return;
        trace_.name = line.substr(start.size(), after - start.size());
        trace_.pass = line.substr(after + 8, time - after - 8);
        trace_.unchanged = line.ends_with(" (unchanged)");
        const std::string_view number = line.substr(time + 2);
        if (std::from_chars(number.data(), number.data() + number.size(), trace_.milliseconds).ec !=
            std::errc{}) {
            trace_.milliseconds = 0;
        }
    }

    /// Statements up to the one that returns.
    std::vector<OutputItem> body() {
        while (!lexer_.accept("return")) statement();
        lexer_.expect("output");
        lexer_.expect("(");
        std::vector<OutputItem> items;
        while (!lexer_.accept(")")) {
            if (!items.empty()) lexer_.expect(",");
            items.push_back(output_item());
        }
        lexer_.expect(";");
        return items;
    }

    void statement() {
        const std::size_t at = lexer_.peek().at;
        std::vector<Token> targets;
        bool bracketed = false;
        if (lexer_.accept("auto")) {
            bracketed = lexer_.accept("[");
            do targets.push_back(lexer_.expect(Token::Kind::name, "a name"));
            while (bracketed && lexer_.accept(","));
            if (bracketed) lexer_.expect("]");
            lexer_.expect("=");
        }
        const bool declares = lexer_.peek().is("input") || lexer_.peek().is("capture");
        const std::vector<ValueId> results = declares ? declaration(targets) : expression(targets.size());
        lexer_.expect(";");
        if (declares) take_path(targets[0].text, results[0], lexer_.comment_behind());
        if (results.size() != targets.size()) {
            lexer_.fail_at(at, "expected names for " + std::to_string(results.size()) + " results, got " +
                                   std::to_string(targets.size()));
        }
        for (std::size_t i = 0; i < results.size(); ++i) define(targets[i], results[i]);
    }

    std::vector<ValueId> declaration(const std::vector<Token>& targets) {
        const Token kind = lexer_.next();
        if (targets.size() != 1) lexer_.fail_at(kind.at, "expected one name for an input or a capture");
        if (depth_ > 0) lexer_.fail_at(kind.at, "expected inputs and captures outside of lambdas only");
        lexer_.expect("(");
        const TensorSpec spec = guarded(kind.at, [&] { return values_.spec(); });
        lexer_.expect(")");
        const ValueId id = scope_->value_of(scope_->add_input(spec));
        if (kind.text == "input")
            trace_.inputs.push_back(id);
        else
            trace_.captures.push_back({id, Tensor(spec)});
        return {id};
    }

    /// The name that the comment behind a declaration gives, "params.w" for params_w.
    void take_path(std::string_view identifier, ValueId id, std::string_view comment) {
        if (!comment.empty() && identifier.starts_with(detail::identifier_of(comment))) {
            scope_->root().values->at(id).name = comment;
        }
    }

    /// A call, with what may stand around it.
    std::vector<ValueId> expression(std::size_t count) {
        if (lexer_.accept("no_grad")) return without_grad(count);
        if (lexer_.accept("unpack")) {
            angle_count(count);
            lexer_.expect("(");
            const std::vector<ValueId> results = call(count);
            lexer_.expect(")");
            return results;
        }
        return call(count);
    }

    std::vector<ValueId> without_grad(std::size_t count) {
        if (++depth_ > max_depth) lexer_.fail_expected("calls that are not so deep");
        for (const char* word : {"(", "[", "&", "]", "{", "return"}) lexer_.expect(word);
        const NoGradGuard guard;
        const std::vector<ValueId> results = expression(count);
        for (const char* word : {";", "}", ")"}) lexer_.expect(word);
        --depth_;
        return results;
    }

    /// "<2>", the number of results.
    void angle_count(std::size_t count) {
        lexer_.expect("<");
        const std::size_t at = lexer_.peek().at;
        const std::int64_t number = lexer_.expect_integer();
        if (number != static_cast<std::int64_t>(count)) {
            lexer_.fail_at(at, "expected " + std::to_string(count) + ", as many as there are names, got " +
                                   std::to_string(number));
        }
        lexer_.expect(">");
    }

    std::vector<ValueId> call(std::size_t count) {
        const Token name = lexer_.expect(Token::Kind::name, "the name of an op");
        if (name.text == "call") return call_by_name(name, count);
        constexpr std::string_view home = "ops::";
        const Symbol* symbol =
            find_symbol(name.text.starts_with(home) ? name.text.substr(home.size()) : name.text);
        if (!symbol) lexer_.fail_at(name.at, "expected an op, got '" + std::string(name.text) + "'");
        lexer_.expect("(");
        Flat arguments = guarded(name.at, [&] { return values_.arguments(*symbol->signature->arguments()); });
        lexer_.expect(")");
        return record(*symbol, std::move(arguments), name.at);
    }

    std::vector<ValueId> record(const Symbol& symbol, Flat arguments, std::size_t at) {
        return guarded(
            at, [&] { return scope_->values_of(scope_->record(symbol, std::move(arguments)).tensors); });
    }

    std::vector<ValueId> call_by_name(const Token& at, std::size_t count) {
        angle_count(count);
        lexer_.expect("(");
        const Token name = lexer_.expect(Token::Kind::string, "the quoted name of an operator");
        const Symbol* symbol = find_executor_operator(name.string);
        if (!symbol) symbol = find_symbol(name.string);
        if (!symbol) return fusion(name);
        std::vector<Region> regions = optional_regions();
        Flat arguments =
            guarded(name.at, [&] { return values_.flat_arguments(*symbol->signature->arguments()); });
        lexer_.expect(")");
        if (regions.empty()) return record(*symbol, std::move(arguments), at.at);
        return call_with_regions(*symbol, std::move(regions), std::move(arguments), count);
    }

    // Lambdas.

    std::vector<ValueId> fusion(const Token& name) {
        if (!lexer_.accept(",") || !lexer_.peek().is("{")) {
            lexer_.fail_at(name.at, "expected an operator of an executor, got '" + name.string + "'");
        }
        auto bound = std::make_shared<BoundSymbol>();
        lexer_.expect("{");
        while (!lexer_.accept("}")) {
            if (!bound->operands.empty()) lexer_.expect(",");
            bound->operands.push_back(scope_->value_of(values_.tensor()));
        }
        for (const char* word : {",", "[", "&", "]", "{"}) lexer_.expect(word);
        bound->subsymbols = scoped([&] {
            for (const OutputItem& item : body()) bound->results.push_back(item.value);
        });
        require_made(*bound);
        for (const char* word : {"}", ")"}) lexer_.expect(word);
        auto symbol = std::make_shared<Symbol>();
        symbol->name = name.string;
        symbol->is_prim = true;
        symbol->signature = &detail::SignatureOf<std::vector<Tensor>(std::vector<Tensor>)>::value;
        bound->symbol = symbol.get();
        bound->owned_symbol = std::move(symbol);
        bound->arguments = std::make_shared<const Statics>(list_of_tensors(bound->operands.size()));
        bound->result_structure = list_of_tensors(bound->results.size());
        return append(std::move(bound));
    }

    /// A fusion's results are values that its body makes, each once.
    void require_made(const BoundSymbol& fusion) const {
        std::vector<ValueId> made;
        for (const BoundSymbolPtr& call : fusion.subsymbols)
            made.insert(made.end(), call->results.begin(), call->results.end());
        for (const ValueId id : fusion.results) {
            const auto found = std::find(made.begin(), made.end(), id);
            if (found == made.end())
                lexer_.fail_expected("results that the fusion makes, each once, before it");
            made.erase(found);
        }
    }

    std::vector<ValueId> append(std::shared_ptr<BoundSymbol> bound) {
        if (!is_grad_enabled()) bound->tags = Tag::detached;
        const std::vector<ValueId> results = bound->results;
        scope_->append(std::move(bound));
        return results;
    }

    /// ", regions([&](auto a) {...}, ...)", or nothing.
    std::vector<Region> optional_regions() {
        std::vector<Region> regions;
        if (!lexer_.peek_second().is("regions")) return regions;
        for (const char* word : {",", "regions", "("}) lexer_.expect(word);
        do regions.push_back(region());
        while (lexer_.accept(","));
        lexer_.expect(")");
        return regions;
    }

    /// The results have the metadata of the first region's results.
    std::vector<ValueId> call_with_regions(const Symbol& symbol, std::vector<Region> regions, Flat arguments,
                                           std::size_t count) {
        auto bound = std::make_shared<BoundSymbol>();
        bound->symbol = &symbol;
        bound->regions = std::move(regions);
        const std::vector<ValueId>& first = bound->regions[0].results;
        const bool defined = std::find(first.begin(), first.end(), no_value) == first.end();
        if (first.size() != count || !defined) {
            lexer_.fail_expected("a first region with " + std::to_string(count) + " results before it");
        }
        bound->operands = scope_->values_of(arguments.tensors);
        bound->arguments = std::make_shared<const Statics>(std::move(arguments.statics));
        bound->result_structure = list_of_tensors(count);
        if (symbol.signature->results()->kind != Schema::Kind::list) {
            bound->result_structure.atoms.erase(bound->result_structure.atoms.begin());
        }
        ValueTable& table = *scope_->root().values;
        for (const ValueId id : first) bound->results.push_back(table.add({table[id].spec, {}, 0}));
        return append(std::move(bound));
    }

    Region region() {
        for (const char* word : {"[", "&", "]", "("}) lexer_.expect(word);
        std::vector<Token> parameters;
        while (!lexer_.accept(")")) {
            if (!parameters.empty()) lexer_.expect(",");
            lexer_.expect("auto");
            parameters.push_back(lexer_.expect(Token::Kind::name, "the name of a parameter"));
        }
        lexer_.expect("{");
        Region region;
        region.body = scoped([&] {
            for (const Token& name : parameters) region.parameters.push_back(parameter(name));
            for (const OutputItem& item : body()) region.results.push_back(item.value);
        });
        lexer_.expect("}");
        return region;
    }

    /// "expect(a, float32, {2}, {1}, cpu);"
    ValueId parameter(const Token& name) {
        for (const std::string_view word :
             {std::string_view("expect"), std::string_view("("), name.text, std::string_view(",")}) {
            lexer_.expect(word);
        }
        const TensorSpec spec = guarded(name.at, [&] { return values_.spec(); });
        for (const char* word : {")", ";"}) lexer_.expect(word);
        const ValueId id = scope_->value_of(scope_->add_input(spec));
        define(name, id);
        return id;
    }

    // Outputs.

    OutputItem output_item() {
        if (lexer_.accept("none")) return {};
        const bool shares = lexer_.accept("shares");
        const bool fresh = !shares && lexer_.accept("fresh");
        if (shares || fresh) lexer_.expect("(");
        OutputItem item{scope_->value_of(values_.tensor()), fresh, {}};
        if (shares) {
            lexer_.expect(",");
            item.owner = owner();
        }
        if (shares || fresh) lexer_.expect(")");
        return item;
    }

    std::int64_t owner() {
        if (lexer_.peek().kind == Token::Kind::integer) return lexer_.expect_integer();
        const std::size_t at = lexer_.peek().at;
        const ValueId id = scope_->value_of(values_.tensor());
        std::int64_t k = -1;
        for (const ValueId input : trace_.inputs) {
            if (input == id) return k;
            --k;
        }
        for (const Capture& capture : trace_.captures) {
            if (capture.value == id) return k;
            --k;
        }
        lexer_.fail_at(at, "expected an input, a capture or the number of an output");
    }

    /// Trace::output_aliases; empty where the text says nothing.
    std::vector<std::int64_t> aliases(const std::vector<OutputItem>& items) const {
        const auto says = [](const OutputItem& item) { return item.fresh || item.owner; };
        if (std::none_of(items.begin(), items.end(), says)) return {};
        const std::vector<std::int64_t> owners = output_owners(trace_, {});
        std::vector<std::int64_t> out;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto self = static_cast<std::int64_t>(i);
            const std::int64_t owner = items[i].fresh ? self : items[i].owner.value_or(owners[i]);
            if (owner >= self)
                out.push_back(-2 - self);  // a number that no value has
            else if (owner >= 0)
                out.push_back(out[static_cast<std::size_t>(owner)]);
            else
                out.push_back(input_or_capture(static_cast<std::size_t>(-1 - owner)));
        }
        return out;
    }
    ValueId input_or_capture(std::size_t k) const {
        const std::size_t inputs = trace_.inputs.size();
        return k < inputs ? trace_.inputs[k] : trace_.captures[k - inputs].value;
    }

    Lexer lexer_;
    std::string_view text_;
    detail::ValueParser values_;
    Trace trace_;
    TraceScope* scope_ = nullptr;
    std::vector<std::map<std::string, ValueId, std::less<>>> names_;
    int depth_ = 0;
};

}  // namespace

Trace parse(std::string_view text) { return Parser(text).run(); }

}  // namespace fulgurite
