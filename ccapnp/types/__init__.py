"""What a user holds: structs, lists, enums, messages; written once, over the codec seam."""
