// Numbers in memory of any alignment, least significant byte first.

#pragma once

#include <stdint.h>
#include <string.h>

namespace ccp {

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
inline uint8_t swapped(uint8_t value) { return value; }
inline uint16_t swapped(uint16_t value) { return __builtin_bswap16(value); }
inline uint32_t swapped(uint32_t value) { return __builtin_bswap32(value); }
inline uint64_t swapped(uint64_t value) { return __builtin_bswap64(value); }
#else
template <typename T>
inline T swapped(T value) {
  return value;
}
#endif

// ``T`` is an unsigned integer.
template <typename T>
inline T load(const void* from) {
  T value;
  memcpy(&value, from, sizeof value);
  return swapped(value);
}

template <typename T>
inline void store(void* to, T value) {
  value = swapped(value);
  memcpy(to, &value, sizeof value);
}

}  // namespace ccp
