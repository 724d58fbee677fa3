// What the extension was built from; and its memory, given back.

#include "shim.hpp"

#include <capnp/common.h>
#include <stdlib.h>

uint32_t ccp_interface(void) { return CCP_INTERFACE; }

int ccp_has_objects(void) { return CCP_HAS_OBJECTS; }

uint32_t ccp_libcapnp_version(void) { return CAPNP_VERSION; }

void ccp_free(void* memory) { free(memory); }
