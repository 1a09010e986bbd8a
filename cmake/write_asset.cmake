# Writes SOURCE, which defines NAME of namespace ROOM as the text of FILES (parted by "|"): see assets.cmake.
string(REPLACE "|" ";" FILES "${FILES}")
set(text "")
foreach(file IN LISTS FILES)
  file(READ ${file} part)
  string(APPEND text "${part}")
endforeach()
string(FIND "${text}" ")_asset_\"" end)
if(NOT end EQUAL -1)
  message(FATAL_ERROR "${FILES}: holds the text )_asset_\" which ends a string of ours")
endif()
file(WRITE ${SOURCE} "#include \"${ROOM}/assets.h\"\n\nnamespace warpfork::${ROOM} {\n\n"
  "const std::string_view ${NAME} = R\"_asset_(${text})_asset_\";\n\n}  // namespace warpfork::${ROOM}\n")
