// Writes the traces of traces.h as a C++ source: a function for each, and a table of them.

#include <fstream>
#include <iostream>
#include <sstream>

#include <fulgurite/core/text.h>
#include <fulgurite/tests/text/traces.h>

using namespace fulgurite;

namespace {

const char* const head = R"(// Printed traces; made by print_traces when the tests are built.

#include <fulgurite/tests/text/printed.h>

#include <fulgurite/core/ops/ops.h>
#include <fulgurite/core/text_runtime.h>
#include <fulgurite/tests/core/toy_ops.h>

using namespace fulgurite;
using namespace fulgurite::text;

namespace {
)";

void write(std::ostream& out, const tests::NamedTrace& named) {
    out << "\nstd::vector<Tensor> " << named.name << "() {\n";
    std::istringstream lines(print(named.trace));
    for (std::string line; std::getline(lines, line);) out << "    " << line << "\n";
    out << "}\n";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: print_traces FILE\n";
        return 1;
    }
    std::ofstream out(argv[1]);
    out << head;
    const std::vector<tests::NamedTrace> traces = tests::text_traces();
    for (const tests::NamedTrace& named : traces) write(out, named);
    out << "}  // namespace\n\nconst std::map<std::string, tests::Printed>& tests::printed() {\n"
           "    static const std::map<std::string, Printed> table{\n";
    for (const tests::NamedTrace& named : traces)
        out << "        {\"" << named.name << "\", &" << named.name << "},\n";
    out << "    };\n    return table;\n}\n";
    return out.good() ? 0 : 1;
}
