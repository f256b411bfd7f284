#include <fulgurite/core/text_names.h>

#include <algorithm>

namespace fulgurite::detail {

namespace {
bool is_reserved(std::string_view name) {
    static const auto* const words = new std::set<std::string_view>{
        "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case",
        "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield",
        "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue",
        "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export",
        "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
        "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private",
        "protected", "public", "register", "reinterpret_cast", "requires", "return", "short", "signed",
        "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
        "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
        "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
        // the text's own words
        "input", "capture", "output", "call", "unpack", "expect", "no_grad", "none", "weak", "inf", "nan",
        "from_bits", "int64_min", "list", "item", "regions", "shares", "fresh", "bool_", "uint8", "int8",
        "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "cpu", "cuda", "std",
        "fulgurite", "prims", "ops", "text", "detail", "linux", "unix"};
    return words->contains(name) || find_symbol(name) != nullptr;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
}  // namespace

std::string identifier_of(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (is_letter(c) || is_digit(c))
            out += c;
        else if (!out.empty() && out.back() != '_')
            out += '_';
    }
    while (!out.empty() && out.back() == '_') out.pop_back();
    if (!out.empty() && is_digit(out[0])) out.insert(0, "v");
    return is_reserved(out) ? out + "_" : out;
}

bool is_made_up(std::string_view identifier) {
    return identifier.size() > 1 && (identifier[0] == 't' || identifier[0] == 'c') &&
           std::all_of(identifier.begin() + 1, identifier.end(), is_digit);
}

TextNames::TextNames(const Trace& trace) : trace_(trace) {
    for (const ValueId id : trace.inputs) reserve(id);
    for (const Capture& capture : trace.captures) reserve(capture.value);
    for (const ValueId id : trace.inputs) add(id, "t");
    for (const Capture& capture : trace.captures) add(capture.value, "c");
    add_body(trace.body, false);
    add_body(trace.body, true);
}

const std::string& TextNames::operator[](ValueId id) {
    const auto known = names_.find(id);
    if (known != names_.end()) return known->second;
    return names_.emplace(id, id == no_value ? "none" : "undefined_" + std::to_string(id)).first->second;
}

/// Gives a value the identifier of its own name, if it has one.
void TextNames::reserve(ValueId id) {
    if (names_.contains(id)) return;
    const std::string base = identifier_of(trace_[id].name);
    if (base.empty()) return;
    std::string name = base;
    for (int i = 1; used_.contains(name); ++i)
        name = base + (base.back() == '_' ? "" : "_") + std::to_string(i);
    used_.insert(name);
    names_.emplace(id, std::move(name));
}

void TextNames::add(ValueId id, const char* prefix) {
    if (names_.contains(id)) return;
    reserve(id);
    if (names_.contains(id)) return;
    std::string name;
    do name = prefix + std::to_string(next_[prefix]++);
    while (used_.contains(name));
    used_.insert(name);
    names_.emplace(id, std::move(name));
}

/// What is printed as code comes first, so that the numbers do not depend on whether parts are printed.
void TextNames::add_body(const std::vector<BoundSymbolPtr>& body, bool parts) {
    for (const BoundSymbolPtr& symbol : body) {
        for (const Region& region : symbol->regions) {
            for (const ValueId id : region.parameters) add(id, "t");
            add_body(region.body, parts);
        }
        if (symbol->owned_symbol || parts) add_body(symbol->subsymbols, parts);
        for (const ValueId id : symbol->results) add(id, "t");
    }
}

}  // namespace fulgurite::detail
