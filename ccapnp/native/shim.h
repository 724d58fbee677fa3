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

/* Whether the library has the second module, `_objects`. */
int ccp_has_objects(void);

/* Memory that the shim made, given back. */
void ccp_free(void* memory);

/* One segment of a message that is read, in words. */
typedef struct ccp_segment {
  const uint64_t* words;
  size_t size;
} ccp_segment;

/* A place in a message that is read, and the limits for what is below it, are always given as the seven arguments

     segments, segment_count   the message
     segment, word, sizes      a struct: its segment, its first word there, and its data words | pointers << 16
     depth                     how many pointers may be followed below it, one after the other
     budget                    how many words may be traversed */

/* What is at a place; the sizes of a pointer do not matter. */
typedef enum ccp_subject { CCP_A_STRUCT, CCP_A_POINTER, CCP_STRUCTS } ccp_subject;

/* ---- Layouts: types as tables, so that a whole tree can be decoded or encoded without asking Python. */

typedef enum ccp_form {
  CCP_VOID,
  CCP_BOOL,
  CCP_INT8,
  CCP_INT16,
  CCP_INT32,
  CCP_INT64,
  CCP_UINT8,
  CCP_UINT16,
  CCP_UINT32,
  CCP_UINT64,
  CCP_FLOAT32,
  CCP_FLOAT64,
  CCP_ENUM,   /* detail: its index among the enums */
  CCP_TEXT,
  CCP_DATA,
  CCP_LIST,   /* detail: its element's index among the values */
  CCP_STRUCT, /* detail: its index among the structs */
  CCP_GROUP,  /* the same */
  CCP_OTHER   /* what has no plain Python value */
} ccp_form;

/* What a field, or a list's element, holds. */
typedef struct ccp_value {
  uint32_t form;
  uint32_t detail;
} ccp_value;

/* A run of bytes, or of entries in another table. */
typedef struct ccp_span {
  uint32_t start;
  uint32_t count;
} ccp_span;

typedef struct ccp_field {
  ccp_span name; /* of the bytes */
  uint32_t value;
  uint32_t offset;      /* in units of its own size, or pointers */
  uint64_t mask;        /* the default's bits */
  int32_t discriminant; /* -1 outside a union */
  ccp_span absent;      /* of the bytes: what is written where a pointer is null, in the writer's format; may be empty */
} ccp_field;

typedef struct ccp_struct {
  ccp_span fields;
  int32_t tag_index; /* -1 without a union */
  uint32_t data_words;
  uint32_t pointers;
} ccp_struct;

typedef struct ccp_layouts ccp_layouts;

/* A copy of all tables; an enum is a span of ``names``, in the order of its numbers, and a name one of ``bytes``.
   NULL where an index leads out of its table, or memory is lacking. */
ccp_layouts* ccp_layouts_new(
    const ccp_struct* structs, size_t struct_count, const ccp_field* fields, size_t field_count,
    const ccp_value* values, size_t value_count, const ccp_span* enums, size_t enum_count,
    const ccp_span* names, size_t name_count, const uint8_t* bytes, size_t byte_count);

void ccp_layouts_free(ccp_layouts* layouts);

/* ---- Whole trees. */

typedef struct ccp_decoded {
  uint8_t* data; /* in marshal's format, to be given back with ccp_free */
  size_t size;
  uint64_t words; /* traversed */
} ccp_decoded;

/* Which fields are given, of those that are not inactive members of unions. */
typedef enum ccp_presence {
  CCP_SET,           /* no null pointers, but of the active member of a union that is not its first */
  CCP_SET_OR_ACTIVE, /* and of one that is its first */
  CCP_ALL,
  CCP_NOT_DEFAULT /* as CCP_SET, but nothing that has its default and is no such member */
} ccp_presence;

/* A struct and all below it as plain Python values; a union member that the layout lacks is declined, but with
   CCP_SET_OR_ACTIVE. */
ccp_status ccp_decode(
    const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word, uint32_t sizes,
    int32_t depth, uint64_t budget, const ccp_layouts* layouts, uint32_t type, ccp_presence presence,
    ccp_decoded* decoded);

/* The same as JSON, without white space; names are given with their quotes, those of fields with a colon, too, and
   what is absent with a comma. */
ccp_status ccp_write_json(
    const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word, uint32_t sizes,
    int32_t depth, uint64_t budget, const ccp_layouts* layouts, uint32_t type, ccp_decoded* decoded);

/* What is built is to go behind what a segment holds already: it is given in memory of its own, to be copied there.
   ``room`` says how many words are left in that segment.  With ``may_grow``, for a message that has nothing but its root
   pointer, what does not fit is given as segments that follow. */

typedef struct ccp_block {
  uint64_t* words;
  size_t used;
  size_t capacity;
} ccp_block;

typedef struct ccp_built {
  uint64_t* words; /* the pointer to what was built, and right behind it, as if in one segment, that */
  size_t used;
  ccp_block* blocks; /* the segments that follow */
  size_t block_count;
  size_t first; /* words of the outermost object of a copy; also given with CCP_NO_ROOM */
} ccp_built;

/* Give back the memory of what was built with CCP_OK. */
void ccp_built_free(ccp_built* built);

/* Build a struct of a type, or a list of such structs, from what Python's marshal wrote: a dict, or a list of dicts.
   With a ``json_depth`` they are JSON values of no greater depth, in which an object is a tuple of (name, value). */
ccp_status ccp_encode(
    size_t room, int may_grow, const ccp_layouts* layouts, uint32_t type, int is_list, int json_depth,
    const uint8_t* marshalled, size_t size, ccp_built* built);

/* ---- Whole trees as they are. */

typedef struct ccp_size {
  uint64_t words; /* without landing pads */
  uint64_t capabilities;
  uint64_t traversed;
} ccp_size;

/* What a struct and all below it take. */
ccp_status ccp_total_size(
    const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word, uint32_t sizes,
    int32_t depth, uint64_t budget, ccp_size* size);

/* A deep copy of the struct, the pointer or the ``count`` structs at a place; ``traversed`` counts words of these. */
ccp_status ccp_copy(
    size_t room, int may_grow, const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word,
    uint32_t sizes, int32_t depth, uint64_t budget, ccp_subject subject, uint32_t count, uint64_t* traversed,
    ccp_built* built);

typedef enum ccp_equality {
  CCP_NOT_EQUAL,
  CCP_EQUAL,
  CCP_EQUAL_BUT_CAPABILITIES /* of which it cannot be said */
} ccp_equality;

/* Whether two structs and all below them are equal.  Both must be within their limits as a whole. */
ccp_status ccp_equal(
    const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word, uint32_t sizes,
    int32_t depth, uint64_t budget,
    const ccp_segment* other_segments, uint32_t other_segment_count, uint32_t other_segment, uint32_t other_word,
    uint32_t other_sizes, int32_t other_depth, uint64_t other_budget, ccp_equality* equality);

typedef struct ccp_canonical {
  uint64_t* words; /* to be given back with ccp_free */
  size_t size;
  uint64_t traversed;
} ccp_canonical;

/* The canonical form of a struct: the words of its only segment. */
ccp_status ccp_canonicalize(
    const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word, uint32_t sizes,
    int32_t depth, uint64_t budget, ccp_canonical* canonical);

/* Packing.  Each gives memory for ccp_free, or NULL where it is for Python to do the work, or to say what is wrong. */

/* Bytes that were packed. */
typedef struct ccp_packed {
  size_t size;
  char bytes[];
} ccp_packed;

/* Pieces of so many bytes, each packed for itself; NULL where one is not a whole number of words. */
ccp_packed* ccp_pack(const char** pieces, const size_t* sizes, size_t count);

/* Words that were unpacked. */
typedef struct ccp_words {
  size_t end;  /* the packed byte behind them */
  size_t size; /* in bytes */
  char bytes[];
} ccp_words;

/* What whole tokens make from byte `start` on: the whole words of `most_bytes`, or less where no whole token is left;
   NULL where a run goes past them. */
ccp_words* ccp_expand(const char* packed, size_t size, size_t start, uint64_t most_bytes);

/* The packed message at byte `start`, with its segment table, and those behind it as long as all of them fit into
   `most_bytes`; NULL where it is cut off, over the limit, or has no root. */
ccp_words* ccp_unpack(const char* packed, size_t size, size_t start, uint64_t limit_words, size_t most_bytes);
