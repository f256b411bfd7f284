#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include <fulgurite/core/trace.h>

namespace fulgurite::detail {

/// A name as a C++ identifier: "params.blocks[0].wq" gives "params_blocks_0_wq"; empty where nothing is left
/// of it.
std::string identifier_of(std::string_view name);

/// Whether the printer makes up such a name by itself: "t12", "c3".
bool is_made_up(std::string_view identifier);

/// The C++ identifiers of a trace's values: unique, no keywords, no names of ops or of the text's own
/// functions. Those without a name of their own are t0, t1, ... in order of appearance (captures c0, c1,
/// ...).
class TextNames {
public:
    explicit TextNames(const Trace& trace);
    const std::string& operator[](ValueId id);

private:
    void reserve(ValueId id);
    void add(ValueId id, const char* prefix);
    void add_body(const std::vector<BoundSymbolPtr>& body, bool parts);

    const Trace& trace_;
    std::map<ValueId, std::string> names_;
    std::set<std::string, std::less<>> used_;
    std::map<std::string, int> next_;
};

}  // namespace fulgurite::detail
