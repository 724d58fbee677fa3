// No exception crosses into C: each becomes a status.

#pragma once

#include "shim.hpp"

#include <kj/exception.h>

#include <new>

namespace ccp {

// Thrown to end a piece of work with a status.
struct Stop {
  ccp_status status;
};

[[noreturn]] inline void decline() { throw Stop{CCP_DECLINED}; }

template <typename Work>
ccp_status guarded(Work&& work) noexcept {
  try {
    work();
    return CCP_OK;
  } catch (const Stop& stop) {
    return stop.status;
  } catch (const std::bad_alloc&) {
    return CCP_NO_MEMORY;
  } catch (const kj::Exception&) {
    return CCP_FAILED;
  } catch (...) {
    return CCP_FAILED;
  }
}

}  // namespace ccp
