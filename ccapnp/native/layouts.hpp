// The tables of ccp_layouts_new, in memory of our own.

#pragma once

#include "shim.hpp"

#include <capnp/any.h>

#include <string>
#include <vector>

struct ccp_layouts {
  std::vector<ccp_struct> structs;
  std::vector<ccp_field> fields;
  std::vector<ccp_value> values;
  std::vector<ccp_span> enums;
  std::vector<ccp_span> names;
  std::string bytes;

  const char* text(const ccp_span& span) const { return bytes.data() + span.start; }
};

namespace ccp {

// The size in bits of a value of the data section; 0 of anything else.
inline uint32_t bits(uint32_t form) {
  switch (form) {
    case CCP_BOOL: return 1;
    case CCP_INT8: case CCP_UINT8: return 8;
    case CCP_INT16: case CCP_UINT16: case CCP_ENUM: return 16;
    case CCP_INT32: case CCP_UINT32: case CCP_FLOAT32: return 32;
    case CCP_INT64: case CCP_UINT64: case CCP_FLOAT64: return 64;
    default: return 0;
  }
}

// The elements of a list of voids, bits and numbers, by the bits of their values.
inline capnp::ElementSize element_size(uint32_t bits) {
  switch (bits) {
    case 0: return capnp::ElementSize::VOID;
    case 1: return capnp::ElementSize::BIT;
    case 8: return capnp::ElementSize::BYTE;
    case 16: return capnp::ElementSize::TWO_BYTES;
    case 32: return capnp::ElementSize::FOUR_BYTES;
    default: return capnp::ElementSize::EIGHT_BYTES;
  }
}

}  // namespace ccp
