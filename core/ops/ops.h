#pragma once

/// All operations.

#include <fulgurite/core/ops/create.h>
#include <fulgurite/core/ops/index.h>
#include <fulgurite/core/ops/matmul.h>
#include <fulgurite/core/ops/nn.h>
#include <fulgurite/core/ops/pointwise.h>
#include <fulgurite/core/ops/reduction.h>
#include <fulgurite/core/ops/view.h>
