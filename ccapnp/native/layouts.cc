#include "layouts.hpp"

#include "guard.hpp"

#include <memory>

namespace {

bool within(const ccp_span& span, size_t count) { return span.start <= count && span.count <= count - span.start; }

bool is_sound(const ccp_layouts& layouts) {
  for (auto& each: layouts.structs) {
    if (!within(each.fields, layouts.fields.size())) return false;
  }
  for (auto& field: layouts.fields) {
    if (!within(field.name, layouts.bytes.size()) || !within(field.absent, layouts.bytes.size())) return false;
    if (field.value >= layouts.values.size()) return false;
  }
  for (auto& value: layouts.values) {
    size_t count = value.form == CCP_ENUM   ? layouts.enums.size()
                   : value.form == CCP_LIST ? layouts.values.size()
                                            : layouts.structs.size();
    bool has_detail = value.form == CCP_ENUM || (value.form >= CCP_LIST && value.form <= CCP_GROUP);
    if (value.form > CCP_OTHER || (has_detail && value.detail >= count)) return false;
  }
  for (auto& each: layouts.enums) {
    if (!within(each, layouts.names.size())) return false;
  }
  for (auto& name: layouts.names) {
    if (!within(name, layouts.bytes.size())) return false;
  }
  return true;
}

}  // namespace

ccp_layouts* ccp_layouts_new(
    const ccp_struct* structs, size_t struct_count, const ccp_field* fields, size_t field_count,
    const ccp_value* values, size_t value_count, const ccp_span* enums, size_t enum_count,
    const ccp_span* names, size_t name_count, const uint8_t* bytes, size_t byte_count) {
  ccp_layouts* made = nullptr;
  ccp::guarded([&]() {
    std::unique_ptr<ccp_layouts> layouts(new ccp_layouts{
        {structs, structs + struct_count}, {fields, fields + field_count}, {values, values + value_count},
        {enums, enums + enum_count}, {names, names + name_count},
        std::string(reinterpret_cast<const char*>(bytes), byte_count)});
    if (is_sound(*layouts)) made = layouts.release();
  });
  return made;
}

void ccp_layouts_free(ccp_layouts* layouts) { delete layouts; }
