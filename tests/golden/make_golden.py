#!/usr/bin/env python3
"""make_golden.py FOLDER [OP...]: what PyTorch makes of the op samples that dump_samples wrote to FOLDER.

For each op one file data/<op>.safetensors: of each sample "<key>/result<i>", and "<key>/grad<i>", the gradient of the
weighted sum (in float64) of the floating results with respect to the i-th floating tensor. What PyTorch refuses is
printed and left out: golden_test.cpp lists it with the reason.
"""

import json
import math
import pathlib
import struct
import sys
import warnings

import torch
import torch.nn.functional as F

DTYPES = {
    "bool_": torch.bool, "uint8": torch.uint8, "int8": torch.int8, "int16": torch.int16, "int32": torch.int32,
    "int64": torch.int64, "float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32,
    "float64": torch.float64,
}
SAFETENSORS = {
    torch.bool: "BOOL", torch.uint8: "U8", torch.int8: "I8", torch.int16: "I16", torch.int32: "I32", torch.int64: "I64",
    torch.float16: "F16", torch.bfloat16: "BF16", torch.float32: "F32", torch.float64: "F64",
}


def as_tensor(x):
    """A number as the 0-dim tensor that promotes like it."""
    return x if torch.is_tensor(x) else torch.tensor(x)


def unary(function):
    return lambda x: function(as_tensor(x))


def binary(function):
    return lambda a, b: function(as_tensor(a), as_tensor(b))


def dims(options):
    """torch's dim: None for all."""
    return tuple(options.get("dim", [])) or None


def reduction(function):
    def run(x, o):
        if dims(o) is None and not o.get("keepdim"):
            return function(x, dtype=o.get("dtype"))
        return function(x, dim=dims(o) or tuple(range(x.dim())), keepdim=o.get("keepdim", False), dtype=o.get("dtype"))
    return run


def one_dim_at_a_time(function):
    """For reductions that torch has for one dimension only."""
    def run(x, o):
        dtype = o.get("dtype")
        if dtype is not None:
            x = x.to(dtype)
        for dim in sorted((d % max(x.dim(), 1) for d in dims(o) or range(x.dim())), reverse=True):
            x = function(x, dim=dim, keepdim=o.get("keepdim", False))
        return function(x.reshape(1), dim=0) if x.dim() == 0 and x.dtype in (torch.int32, torch.uint8, torch.bool) else x
    return run


def extremum(function):
    return lambda x, o: function(x, dim=dims(o) or (), keepdim=o.get("keepdim", False))


def arg_extremum(function):
    return lambda x, o: function(x, dim=o.get("dim"), keepdim=o.get("keepdim", False))


def where(condition, a, b):
    # Two numbers: torch makes float32 or int64 of them, as we do.
    return torch.where(as_tensor(condition), as_tensor(a) if not torch.is_tensor(b) else a, b)


def clamp(x, o):
    low, high = o.get("min"), o.get("max")
    if torch.is_tensor(low) or torch.is_tensor(high):
        return torch.clamp(x, min=None if low is None else as_tensor(low), max=None if high is None else as_tensor(high))
    return torch.clamp(as_tensor(x), min=low, max=high)


def dot(a, b):
    return torch.dot(a, b)


def pad(x, counts, o):
    return F.pad(x, counts, value=o.get("value", 0))


def loss(function):
    def run(x, target, o):
        return function(x, target.long(), reduction=o.get("reduction", "mean"), ignore_index=o.get("ignore_index", -100))
    return run


def mse_loss(x, target, o):
    x, target = torch.broadcast_tensors(x, target)
    return F.mse_loss(x, target, reduction=o.get("reduction", "mean"))


def to(x, o):
    return x.to(o["dtype"]) if "dtype" in o else x


# Ops of the same name and arguments in torch need no row.
TABLE = {
    "sigmoid": unary(torch.sigmoid), "relu": unary(F.relu), "silu": unary(F.silu),
    "gelu": lambda x, o: F.gelu(as_tensor(x), approximate=o.get("approximate", "none")),
    # Its own floor_divide has no gradient.
    "floor_divide": lambda a, b: torch.div(as_tensor(a), as_tensor(b), rounding_mode="floor"),
    "div": lambda a, b, o: torch.div(as_tensor(a), as_tensor(b), rounding_mode=o.get("rounding_mode")),
    "where": where, "clamp": clamp, "dot": dot, "pad": pad, "to": to,
    "pow": lambda a, b: torch.pow(a, b),
    "sum": reduction(torch.sum), "mean": reduction(torch.mean), "prod": one_dim_at_a_time(torch.prod),
    "amax": extremum(torch.amax), "amin": extremum(torch.amin),
    "argmax": arg_extremum(torch.argmax), "argmin": arg_extremum(torch.argmin),
    "all": lambda x, o: torch.all(x, dim=dims(o), keepdim=o.get("keepdim", False)).bool(),
    "any": lambda x, o: torch.any(x, dim=dims(o), keepdim=o.get("keepdim", False)).bool(),
    "var": lambda x, o: torch.var(x, dim=dims(o), correction=o.get("correction", 1), keepdim=o.get("keepdim", False)),
    "cumsum": lambda x, dim, o: torch.cumsum(x, dim, dtype=o.get("dtype")),
    "view": lambda x, shape: x.view(shape), "expand": lambda x, shape: x.expand(shape),
    "squeeze": lambda x, d: torch.squeeze(x, d) if d else torch.squeeze(x),
    "slice": lambda x, dim, start, end, step: x[(slice(None),) * (dim % x.dim()) + (slice(start, end, step),)],
    "contiguous": lambda x: x.contiguous(), "stop_gradient": lambda x: x.detach(),
    "full": lambda shape, value, dtype, device: as_tensor(value).to(dtype).expand(shape).clone(),
    "iota": lambda count, start, step, dtype, device: torch.arange(count, dtype=torch.float64).mul(step).add(start).to(dtype),
    "eye": lambda n, m, dtype, device: torch.eye(n, m, dtype=dtype),
    "take": lambda x, index: torch.take(x, index.long()),
    "embedding": lambda index, weight: F.embedding(index, weight),
    "gather": lambda x, dim, index: torch.gather(x, dim, index.long()),
    "scatter_add": lambda x, dim, index, src: torch.scatter_add(x, dim, index.long(), src),
    "stack": lambda tensors, dim: torch.stack(common(tensors), dim),
    "one_hot": lambda x, n: F.one_hot(x.long(), n), "linear": F.linear,
    "softmax": lambda x, dim, o: torch.softmax(x, dim, dtype=o.get("dtype")),
    "log_softmax": lambda x, dim, o: torch.log_softmax(x, dim, dtype=o.get("dtype")),
    "logsumexp": lambda x, d, o: torch.logsumexp(x, tuple(d) or tuple(range(x.dim())), keepdim=o.get("keepdim", False)),
    "nll_loss": lambda x, t, o: nll(x, t, o, False), "cross_entropy": lambda x, t, o: nll(x, t, o, True),
    "mse_loss": mse_loss,
    "layer_norm": lambda x, shape, o: F.layer_norm(x, shape, o.get("weight"), o.get("bias"), o.get("eps", 1e-5)),
    "rms_norm": lambda x, shape, o: F.rms_norm(x, shape, o.get("weight"), o.get("eps")),
}
for name in ("neg", "abs", "sign", "floor", "ceil", "trunc", "round", "exp", "expm1", "log", "log1p", "sin", "cos", "tan",
             "tanh", "sqrt", "rsqrt", "reciprocal", "erf", "square", "logical_not", "isnan", "isfinite", "isinf", "bitwise_not"):
    TABLE[name] = unary(getattr(torch, name))
for name in ("add", "sub", "mul", "remainder", "fmod", "maximum", "minimum", "eq", "ne", "lt", "le", "gt", "ge",
             "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor"):
    TABLE[name] = binary(getattr(torch, name))


def common(tensors):
    dtype = tensors[0].dtype
    for tensor in tensors:
        dtype = torch.promote_types(dtype, tensor.dtype)
    return [tensor.to(dtype) for tensor in tensors]


def nll(x, target, o, is_cross_entropy):
    function = F.cross_entropy if is_cross_entropy else F.nll_loss
    return function(x, target.long(), reduction=o.get("reduction", "mean"), ignore_index=o.get("ignore_index", -100))


class Samples:
    def __init__(self, folder):
        self.lines = [json.loads(line) for line in (folder / "samples.json").read_text().splitlines()]
        self.data = (folder / "samples.bin").read_bytes()

    def tensor(self, entry):
        raw = bytearray(self.data[entry["offset"]:entry["offset"] + entry["bytes"]])
        dtype = DTYPES[entry["dtype"]]
        flat = torch.frombuffer(raw, dtype=dtype) if raw else torch.empty(0, dtype=dtype)
        return flat.clone().reshape(entry["shape"])


def argument(value, tensors):
    if isinstance(value, list):
        return [argument(v, tensors) for v in value]
    if isinstance(value, dict):
        if "tensor" in value:
            return tensors[value["tensor"]]
        if "float" in value:
            return float(value["float"])
        if "dtype" in value and isinstance(value["dtype"], str):
            return DTYPES[value["dtype"]]
        if "device" in value and isinstance(value["device"], str):
            return value["device"]
        return {k: argument(v, tensors) for k, v in value.items()}
    return value


def run(samples, line):
    """[(suffix, tensor)] of results and gradients."""
    tensors = [samples.tensor(entry) for entry in line["tensors"]]
    floating = [t.requires_grad_() for t in tensors if t.is_floating_point()]
    op = line["op"].split("::")[-1]
    function = TABLE.get(op) or getattr(torch, op)
    results = function(*argument(line["arguments"], tensors))
    results = list(results) if isinstance(results, (list, tuple)) else [results]
    out = [(f"result{i}", r.detach()) for i, r in enumerate(results)]
    total = torch.zeros((), dtype=torch.float64)
    if not any(r.is_floating_point() for r in results):
        return out
    for result, weights in zip(results, line["weights"]):
        if result.is_floating_point():
            total = total + (result.to(torch.float64) * samples.tensor(weights)).sum()
    if total.requires_grad:
        grads = torch.autograd.grad(total, floating, allow_unused=True)
    else:
        grads = [None] * len(floating)
    out += [(f"grad{i}", torch.zeros_like(x) if g is None else g) for i, (x, g) in enumerate(zip(floating, grads))]
    return out


def save(path, entries):
    header, blobs, offset = {}, [], 0
    for name, tensor in entries:
        raw = tensor.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""
        header[name] = {"dtype": SAFETENSORS[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [offset, offset + len(raw)]}
        blobs.append(raw)
        offset += len(raw)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def main():
    warnings.filterwarnings("ignore")
    samples = Samples(pathlib.Path(sys.argv[1]))
    wanted = set(sys.argv[2:])
    data = pathlib.Path(__file__).parent / "data"
    data.mkdir(exist_ok=True)
    by_op, refused = {}, 0
    for line in samples.lines:
        op = line["op"].split("::")[-1]
        if wanted and op not in wanted:
            continue
        entries = by_op.setdefault(op, [])
        try:
            entries += [(f"{line['key']}/{suffix}", tensor) for suffix, tensor in run(samples, line)]
        except Exception as error:  # what torch refuses
            refused += 1
            print(f"{line['key']}: {type(error).__name__}: {str(error).splitlines()[0]}")
    for op, entries in by_op.items():
        save(data / f"{op}.safetensors", entries)
    if not wanted:
        for path in data.glob("*.safetensors"):
            if path.stem not in by_op:
                path.unlink()
    size = sum(path.stat().st_size for path in data.glob("*.safetensors"))
    print(f"{len(samples.lines)} samples, {refused} refused, {size} bytes")


if __name__ == "__main__":
    main()
