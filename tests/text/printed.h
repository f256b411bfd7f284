#pragma once

#include <map>
#include <string>
#include <vector>

#include <fulgurite/core/tensor.h>

namespace fulgurite::tests {

/// A printed trace as a function; its inputs come from a text::Feed.
using Printed = std::vector<Tensor> (*)();

/// The traces of traces.h, printed and compiled, by name.
const std::map<std::string, Printed>& printed();

}  // namespace fulgurite::tests
