# `cmake --install`, `find_package(verne)` and pkg-config. Components are packages: VernePackages.cmake.
include(CMakePackageConfigHelpers)

if(VERNE_IO)
  install(TARGETS verne_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  install(FILES LICENSE THIRD_PARTY_NOTICES DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools)
  install(DIRECTORY models tasks studies DESTINATION ${CMAKE_INSTALL_DATADIR}/verne COMPONENT tools)
endif()
install(DIRECTORY include/verne DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/verne)
set(verne_static_layers ${verne_layers})
list(TRANSFORM verne_static_layers APPEND _static)
install(TARGETS ${verne_layers} EXPORT verneTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lib NAMELINK_COMPONENT dev)
install(EXPORT verneTargets NAMESPACE verne:: DESTINATION ${package_folder} COMPONENT dev)
if(VERNE_STATIC)  # apart, since only they need the packages that ours stand on
  install(TARGETS ${verne_static_layers} EXPORT verneStaticTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  install(EXPORT verneStaticTargets NAMESPACE verne:: DESTINATION ${package_folder} COMPONENT dev)
endif()
configure_package_config_file(cmake/verneConfig.cmake.in ${PROJECT_BINARY_DIR}/verneConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/verneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/verneConfig.cmake ${PROJECT_BINARY_DIR}/verneConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT dev)

# One .pc file a library. The prefix is found from where the file lies, so that an installation can be moved.
file(RELATIVE_PATH prefix_from_here /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(library ${verne_layers})
  get_target_property(uses ${library} verne_uses)
  string(REPLACE ";" " " uses "${uses}")
  configure_file(cmake/verne.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()
