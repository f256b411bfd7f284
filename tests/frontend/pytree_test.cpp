#include <array>
#include <map>
#include <optional>

#include <fulgurite/tests/support/tensors.h>

using namespace fulgurite::tests;
namespace fg = fulgurite;
using fg::Tensor;

namespace {

enum class Mode { train, test };

struct Nothing {};

struct Attention {
    Tensor wq, wk;
};

struct Block {
    Attention attention;
    std::optional<Tensor> bias;
    Mode mode = Mode::train;
};

struct Model {
    std::vector<Block> blocks;
    std::array<Tensor, 2> norms;
    std::map<std::string, Tensor> tables;
    std::pair<Tensor, int> head;
    std::tuple<Tensor, std::string, bool> tail;
    Nothing nothing;
    std::map<int, Attention> numbered;
    std::vector<int> sizes;
};

Tensor of(double value) { return fg::tensor({value}); }

Model model() {
    return {{{{of(1), of(2)}, of(3), Mode::test}, {{of(4), of(5)}, std::nullopt}},
            {of(6), of(7)},
            {{"words", of(8)}, {"places", of(9)}},
            {of(10), 3},
            {of(11), "tail", true},
            {},
            {{7, {of(12), Tensor()}}},
            {2, 4}};
}

const std::vector<std::string> model_paths{"m.blocks[0].attention.wq",
                                           "m.blocks[0].attention.wk",
                                           "m.blocks[0].bias",
                                           "m.blocks[1].attention.wq",
                                           "m.blocks[1].attention.wk",
                                           "m.norms[0]",
                                           "m.norms[1]",
                                           "m.tables.places",
                                           "m.tables.words",
                                           "m.head[0]",
                                           "m.tail[0]",
                                           "m.numbered[7].wq"};

}  // namespace

TEST_CASE("the paths of leaves are the names of the fields") {
    CHECK(fg::leaf_paths(model(), "m") == model_paths);
    CHECK(fg::leaf_paths(Attention{of(1), of(2)}) == std::vector<std::string>{"wq", "wk"});
    CHECK(fg::leaf_paths(std::vector{of(1)}) == std::vector<std::string>{"[0]"});
    CHECK(fg::leaf_paths(of(1), "x") == std::vector<std::string>{"x"});
    CHECK(fg::leaf_paths(Nothing{}).empty());
}

TEST_CASE("a tree comes back from its leaves as it was") {
    const fg::Flat flat = fg::tree_flatten(model());
    CHECK(flat.tensors.size() == model_paths.size());
    const Model back = fg::tree_unflatten<Model>(flat);
    CHECK(back.blocks.size() == 2);
    CHECK(back.blocks[0].mode == Mode::test);
    CHECK(back.blocks[1].mode == Mode::train);
    CHECK(values(back.blocks[1].attention.wk) == List{5});
    CHECK(values(*back.blocks[0].bias) == List{3});
    CHECK_FALSE(back.blocks[1].bias.has_value());
    CHECK(values(back.norms[1]) == List{7});
    CHECK(values(back.tables.at("words")) == List{8});
    CHECK(back.head.second == 3);
    CHECK(std::get<1>(back.tail) == "tail");
    CHECK(std::get<2>(back.tail));
    CHECK(values(back.numbered.at(7).wq) == List{12});
    CHECK_FALSE(back.numbered.at(7).wk.defined());
    CHECK(back.sizes == std::vector<int>{2, 4});
    CHECK(fg::tree_flatten(back).statics == flat.statics);
}

TEST_CASE("for_each_tensor sees every defined leaf, and may assign it") {
    Model tree = model();
    double sum = 0;
    fg::for_each_tensor(std::as_const(tree), [&](const Tensor& leaf) { sum += leaf.item<double>(); });
    CHECK(sum == 78);
    fg::for_each_tensor(tree, [](Tensor& leaf) { leaf = of(1); });
    CHECK(values(tree.tables.at("places")) == List{1});
    CHECK_FALSE(tree.numbered.at(7).wk.defined());
}

TEST_CASE("tree_map maps leaf by leaf, and refuses trees of different structure") {
    const Attention a{of(1), of(2)}, b{of(10), of(20)};
    const Attention sum = fg::tree_map([](Tensor x, Tensor y) { return x + y; }, a, b);
    CHECK(values(sum.wk) == List{22});
    const std::vector<Tensor> two{of(1), of(2)}, three{of(1), of(2), of(3)};
    CHECK_THROWS_AS(fg::tree_map([](Tensor x, Tensor) { return x; }, two, three), fg::ValueError);
}

TEST_CASE("jit takes a whole model, and its fields name the inputs of the trace") {
    auto f = fg::jit([](const Model& m, Tensor x) {
        Tensor y = x * m.norms[0] + m.tables.at("words");
        for (const Block& block : m.blocks) {
            y = y * block.attention.wq;
            if (block.bias) y = y + *block.bias;
        }
        return y;
    });
    CHECK(values(f(model(), of(2))) == List{(20 * 1 + 3) * 4});
    const std::string text = fg::to_string(fg::last_traces(f).front());
    CHECK_THAT(text, ContainsSubstring("arg0.blocks[0].attention.wq"));
    CHECK_THAT(text, ContainsSubstring("arg0.tables.words"));
    CHECK_THAT(text, ContainsSubstring("arg0.numbered[7].wq"));
}

TEST_CASE("grad gives a tree like its argument, optional and undefined leaves included") {
    const auto loss = [](const Model& m) {
        return fg::sum(m.blocks[0].attention.wq * *m.blocks[0].bias + m.tables.at("words") * 2);
    };
    for (const Model& gradient : {fg::grad(loss)(model()), fg::jit(fg::grad(loss))(model())}) {
        CHECK(values(gradient.blocks[0].attention.wq) == List{3});
        CHECK(values(*gradient.blocks[0].bias) == List{1});
        CHECK(values(gradient.tables.at("words")) == List{2});
        CHECK(values(gradient.tables.at("places")) == List{0});
        CHECK_FALSE(gradient.blocks[1].bias.has_value());
        CHECK_FALSE(gradient.numbered.at(7).wk.defined());
    }
}

TEST_CASE("trees are results too, with what is static in them") {
    auto f = fg::jit([](const Model& m) {
        Model other = m;
        other.blocks.push_back({{m.norms[0], m.norms[1]}, m.norms[0] + m.norms[1], Mode::test});
        other.tables["new"] = m.norms[0] * 2;
        other.head.second = 5;
        return other;
    });
    for (int i = 0; i < 2; ++i) {
        const Model out = f(model());
        CHECK(out.blocks.size() == 3);
        CHECK(out.blocks[2].mode == Mode::test);
        CHECK(values(*out.blocks[2].bias) == List{13});
        CHECK(values(out.tables.at("new")) == List{12});
        CHECK(out.head.second == 5);
        CHECK(std::get<1>(out.tail) == "tail");
    }
    CHECK(fg::cache_hits(f) == 1);
}

TEST_CASE("lists, keys, presence and definedness are part of the signature") {
    auto f = fg::jit([](const Model&) { return fg::zeros({1}); });
    std::uint64_t programs = 0;
    const auto compiles = [&](const Model& m) {
        f(m);
        const std::uint64_t before = programs;
        programs = fg::cache_misses(f);
        return programs - before;
    };
    CHECK(compiles(model()) == 1);
    CHECK(compiles(model()) == 0);
    Model changed = model();
    changed.blocks.pop_back();
    CHECK(compiles(changed) == 1);
    changed = model();
    changed.blocks[1].bias = of(1);
    CHECK(compiles(changed) == 1);
    changed = model();
    changed.tables["more"] = of(1);
    CHECK(compiles(changed) == 1);
    changed = model();
    changed.numbered.at(7).wk = of(1);
    CHECK(compiles(changed) == 1);
    changed = model();
    changed.blocks[0].mode = Mode::train;
    CHECK(compiles(changed) == 1);
    changed = model();
    std::get<1>(changed.tail) = "other";
    CHECK(compiles(changed) == 1);
    changed = model();
    changed.sizes[1] = 5;
    CHECK(compiles(changed) == 1);
    changed = model();
    changed.norms[0] = fg::tensor({1.0f});
    CHECK(compiles(changed) == 1);
    CHECK(compiles(model()) == 0);
}

TEST_CASE("an empty struct, vector and map are trees") {
    auto f = fg::jit([](Nothing, const std::vector<Tensor>& list, const std::map<std::string, Tensor>& map,
                        Tensor x) { return x + static_cast<double>(list.size() + map.size()); });
    CHECK(values(f({}, {}, {}, of(1))) == List{1});
    CHECK(values(f({}, {of(1)}, {{"a", of(1)}}, of(1))) == List{3});
    CHECK(fg::cache_misses(f) == 2);
}

TEST_CASE("shapes that differ only together are different signatures") {
    auto f = fg::jit([](const std::vector<Tensor>& list) { return fg::sum(list[0]) + fg::sum(list[1]); });
    CHECK(f({fg::ones({2, 2}), fg::ones({1})}).item<float>() == 5);
    CHECK(f({fg::ones({2, 1}), fg::ones({8})}).item<float>() == 10);
    CHECK(fg::cache_misses(f) == 2);
}
