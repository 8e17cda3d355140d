# `cmake --install` and `find_package(verne)`.
include(CMakePackageConfigHelpers)

set(verne_installed_targets verne verne_formulations verne_trajectory)
if(VERNE_NLP)
  list(APPEND verne_installed_targets verne_nlp)
endif()
if(VERNE_IO)
  list(APPEND verne_installed_targets verne_io verne_report)
  install(TARGETS verne_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES LICENSE THIRD_PARTY_NOTICES DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY models tasks DESTINATION ${CMAKE_INSTALL_DATADIR}/verne)
endif()
if(TARGET verne_motion)
  list(APPEND verne_installed_targets verne_motion)
endif()
install(TARGETS ${verne_installed_targets} EXPORT verneTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/verne DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT verneTargets NAMESPACE verne:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/verne)
configure_package_config_file(cmake/verneConfig.cmake.in ${PROJECT_BINARY_DIR}/verneConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/verne)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/verneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/verneConfig.cmake ${PROJECT_BINARY_DIR}/verneConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/verne)
