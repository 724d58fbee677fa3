/* What the extension offers to Python: the one declaration, read by cffi and included by the C++.

   There are no directives in here, so that cffi understands it; include "shim.hpp".  No function throws.  Those that
   can fail give a ccp_status: anything but CCP_OK means that nothing was done, and that the same work in Python says
   what is wrong, or does what the shim does not. */

typedef enum ccp_status {
  CCP_OK = 0,
  CCP_DECLINED = 1, /* the shim does not do this case */
  CCP_FAILED = 2,   /* libcapnp refused */
  CCP_NO_ROOM = 3,  /* what was to be built does not fit where it was to go */
  CCP_NO_MEMORY = 4
} ccp_status;

/* Which declarations the extension was built from: the checksum (CRC-32) of this file. */
uint32_t ccp_interface(void);

/* The libcapnp it was built with: major * 1000000 + minor * 1000 + micro. */
uint32_t ccp_libcapnp_version(void);

/* Memory that the shim made, given back. */
void ccp_free(void* memory);

/* One segment of a message that is read, in words. */
typedef struct ccp_segment {
  const uint64_t* words;
  size_t size;
} ccp_segment;

/* A struct in a message that is read, and the limits for what is below it. */
typedef struct ccp_place {
  const ccp_segment* segments;
  uint32_t segment_count;
  uint32_t segment;     /* the struct's */
  uint32_t word;        /* where it starts there */
  uint32_t sizes;       /* data words | pointers << 16 */
  int32_t depth;        /* pointers that may be followed below it */
  uint64_t budget;      /* words that may be traversed */
} ccp_place;
