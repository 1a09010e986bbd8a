# warpfork_asset(ROOM NAME FILE…)
#   `const std::string_view NAME` of the room's namespace, declared in src/ROOM/assets.h: the text of these files of
#   src/ROOM/assets, one behind the other. It stands in the program, which needs no files where it runs.
function(warpfork_asset room name)
  list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/src/${room}/assets/)
  set(source ${CMAKE_BINARY_DIR}/generated/assets/${room}/${name}.cpp)
  list(JOIN ARGN "|" files) # a semicolon would part the command's argument
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DROOM=${room} -DNAME=${name} "-DFILES=${files}" -DSOURCE=${source}
            -P ${CMAKE_SOURCE_DIR}/cmake/write_asset.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/write_asset.cmake
    COMMENT "" VERBATIM)
  set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS TRUE)
  target_sources(warpfork_${room} PRIVATE ${source})
endfunction()

warpfork_asset(html kPageStyles page.css)
warpfork_asset(html kPageScript page.js)

warpfork_asset(html_report kReportStyles report.css)
warpfork_asset(html_report kReportScript charts.js table.js runs.js speed_ups.js stacks.js lanes.js memory.js
  roofline.js timeline.js heat_map.js experiments.js source.js control_flow.js main.js)
warpfork_asset(html_report kCharts vendor/echarts.min.js)
warpfork_asset(html_report kGraphLayout vendor/dagre.min.js)
warpfork_asset(step kStepBody step.html)
warpfork_asset(step kStepStyles step.css)
warpfork_asset(step kStepScript states.js view.js controls.js)
