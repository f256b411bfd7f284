#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

auto elements(const fg::Tensor& x) { return x.span<double>(); }
