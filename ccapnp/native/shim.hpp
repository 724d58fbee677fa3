// shim.h for C++.

#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {
#include "shim.h"
}
