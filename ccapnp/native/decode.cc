// Whole trees as plain Python values, in marshal's format.

#include "decoder.hpp"
#include "marshal_writer.hpp"

ccp_status ccp_decode(
    const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word, uint32_t sizes,
    int32_t depth, uint64_t budget, const ccp_layouts* layouts, uint32_t type, ccp_presence presence,
    ccp_decoded* decoded) {
  return ccp::guarded([&]() {
    if (type >= layouts->structs.size()) ccp::decline();
    ccp::Source source({kj::arrayPtr(segments, segment_count), segment, word, sizes, depth, budget});
    ccp::Decoder<ccp::MarshalWriter> decoder(source, *layouts, presence, budget);
    decoder.structure(source.root, type, depth);
    decoded->words = decoder.budget.used();
    decoded->data = decoder.out.release(decoded->size);
  });
}
