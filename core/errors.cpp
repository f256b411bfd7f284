#include <fulgurite/core/errors.h>

namespace fulgurite {

namespace {
thread_local SourceLocation outermost_location;
thread_local std::string_view outermost_name;
}  // namespace

std::string to_string(SourceLocation where) {
    if (!where.known()) {
        return "";
    }
    std::string_view file = where.file;
    if (const auto slash = file.find_last_of("/\\"); slash != file.npos) {
        file.remove_prefix(slash + 1);
    }
    return std::string(file) + ':' + std::to_string(where.line);
}

LocationScope::LocationScope(SourceLocation where)
    : outermost_(!outermost_location.known() && where.known()) {
    if (outermost_) {
        outermost_location = where;
    }
}

LocationScope::~LocationScope() {
    if (outermost_) {
        outermost_location = {};
    }
}

OpScope::OpScope(std::string_view name) : outermost_(outermost_name.empty()) {
    if (outermost_) outermost_name = name;
}

OpScope::~OpScope() {
    if (outermost_) outermost_name = {};
}

std::string_view outermost_op(std::string_view op) { return outermost_name.empty() ? op : outermost_name; }

SourceLocation current_location() { return outermost_location; }

std::string error_text(std::string_view op, std::string_view message) {
    std::string text = "[" + std::string(op) + "] ";
    if (outermost_location.known()) {
        text += to_string(outermost_location) + ": ";
    }
    return text.append(message);
}

}  // namespace fulgurite
