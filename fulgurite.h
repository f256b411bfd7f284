#pragma once

/// The one include: tensors, operations, transforms, jit and the executor interface.

#include <fulgurite/core/compile_context.h>
#include <fulgurite/core/executor.h>
#include <fulgurite/core/gradient.h>
#include <fulgurite/core/ops/ops.h>
#include <fulgurite/core/pytree.h>
#include <fulgurite/core/tensor.h>
#include <fulgurite/core/text.h>
#include <fulgurite/core/tracing.h>
#include <fulgurite/core/version.h>
#include <fulgurite/runtime/check_grad.h>
#include <fulgurite/runtime/jit.h>
#include <fulgurite/runtime/log.h>
#include <fulgurite/runtime/trace_function.h>
#include <fulgurite/transforms/custom_vjp.h>
#include <fulgurite/transforms/eval_shape.h>
#include <fulgurite/transforms/no_grad.h>
#include <fulgurite/transforms/optim.h>
#include <fulgurite/transforms/value_and_grad.h>
