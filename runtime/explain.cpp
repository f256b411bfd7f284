#include <fulgurite/runtime/explain.h>

#include <map>

namespace fulgurite {

namespace {
std::string signature_text(const JitEntry& entry) {
    std::string text;
    for (const LeafNote& leaf : entry.leaves)
        text += (text.empty() ? "" : ", ") + leaf.path + ": " + leaf.text;
    return "(" + text + ")";
}

/// "cpu_fusion add x 3, mul x 2".
std::string claims_text(const std::vector<ClaimRecord>& claims) {
    std::map<std::string, std::map<std::string, int>> counts;
    for (const ClaimRecord& claim : claims) {
        if (!claim.executor.empty()) ++counts[claim.executor][claim.symbol];
    }
    std::string text;
    for (const auto& [executor, symbols] : counts) {
        text += "  " + executor + " runs";
        const char* separator = " ";
        for (const auto& [symbol, count] : symbols) {
            text += separator + symbol + (count > 1 ? " x " + std::to_string(count) : std::string());
            separator = ", ";
        }
        text += '\n';
    }
    return text;
}

std::string refusals_text(const std::vector<ClaimRecord>& claims) {
    std::string text;
    for (const ClaimRecord& claim : claims) {
        for (const RefusedClaim& refusal : claim.refusals) {
            text += "  " + refusal.executor + " refused " + claim.symbol +
                    (claim.where.known() ? " (" + to_string(claim.where) + ")" : std::string()) + ": " +
                    refusal.reason +
                    (claim.executor.empty() ? "; it decomposed" : "; " + claim.executor + " took it") + '\n';
        }
    }
    return text;
}
}  // namespace

std::string explain_entry(const JitEntry& entry) {
    return signature_text(entry) + "\n  compiled because: " + entry.reason +
           (entry.guarded ? ", guarded by its Scalars" : "") + "\n" + claims_text(entry.compiled.claims) +
           refusals_text(entry.compiled.claims);
}

}  // namespace fulgurite
