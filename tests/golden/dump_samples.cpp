// dump_samples FOLDER: writes the table of op samples for make_golden.py: samples.json, one object a line,
// and samples.bin, the elements of its tensors.

#include <filesystem>
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include <fulgurite/tests/samples/checks.h>
#include <fulgurite/transforms/eval_shape.h>

namespace fulgurite::tests {

namespace {

using Json = nlohmann::ordered_json;

class Dump {
public:
    explicit Dump(const std::filesystem::path& folder)
        : json_(folder / "samples.json"), data_(folder / "samples.bin", std::ios::binary) {
        json_.exceptions(std::ios::failbit | std::ios::badbit);
        data_.exceptions(std::ios::failbit | std::ios::badbit);
    }

    void write(const Sample& sample) {
        Json line;
        line["key"] = sample.key;
        line["op"] = sample.op->name;
        line["arguments"] = Json::parse(
            arguments_json(*sample.op->signature->arguments(), sample.arguments,
                           [](std::size_t i) { return R"({"tensor":)" + std::to_string(i) + "}"; }));
        line["tensors"] = Json::array();
        for (const Tensor& tensor : sample.arguments.tensors) line["tensors"].push_back(add(tensor));
        line["weights"] = Json::array();
        const auto results =
            eval_shape([&](const std::vector<Tensor>& tensors) { return run_with(sample, tensors).tensors; },
                       sample.arguments.tensors);
        for (const Tensor& result : results) line["weights"].push_back(add(weights_for(result.shape())));
        json_ << line.dump() << "\n";
    }

private:
    Json add(const Tensor& tensor) {
        const std::string bytes = bytes_of(tensor);
        Json out;
        out["dtype"] = name_of(tensor.dtype());
        out["shape"] = std::vector<std::int64_t>(tensor.shape().begin(), tensor.shape().end());
        out["offset"] = offset_;
        out["bytes"] = bytes.size();
        data_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        offset_ += bytes.size();
        return out;
    }

    std::ofstream json_;
    std::ofstream data_;
    std::size_t offset_ = 0;
};

}  // namespace
}  // namespace fulgurite::tests

int main(int argc, char** argv) {
    using namespace fulgurite::tests;
    if (argc != 2) {
        std::cerr << "usage: dump_samples FOLDER\n";
        return 2;
    }
    std::filesystem::create_directories(argv[1]);
    Dump dump(argv[1]);
    for (const Sample& sample : all_samples()) dump.write(sample);
    return 0;
}
