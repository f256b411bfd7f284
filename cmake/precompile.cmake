# The standard headers that most files use, precompiled once for the library and once for the tests.
set(FULGURITE_PRECOMPILED
    <algorithm> <array> <atomic> <bit> <chrono> <cmath> <concepts> <cstddef> <cstdint> <cstring> <exception>
    <functional> <initializer_list> <limits> <map> <memory> <mutex> <numeric> <optional> <ostream> <set>
    <source_location> <span> <sstream> <stdexcept> <string> <string_view> <tuple> <type_traits> <unordered_map>
    <utility> <variant> <vector>)
