#include "sweep/identity.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "unit/test_folder.h"

namespace warpfork::sweep {
namespace identity_test {

/// Of what is not looked into until it runs.
Point point_of(const std::string& name) {
  Point point;
  point.file = test_folder() + "/" + name;
  std::ofstream(point.file) << "what it does";
  return point;
}

config::SweepOptions energy() {
  config::SweepOptions options;
  options.energy = true;
  return options;
}

// A plan has options for its programs beside its recordings, whose runs do not know them.
TEST(Identity, of_a_recording_does_not_depend_on_options_of_gpus) {
  Point recording = point_of("a.wft");
  recording.core = "smt";
  const IdentifiedPoint without = Identifier({}).identify(recording), with = Identifier(energy()).identify(recording);
  EXPECT_EQ(with.id, without.id);
  EXPECT_EQ(with.request, without.request);
}

TEST(Identity, of_a_program_depends_on_its_options) {
  Point program = point_of("bfs");
  program.description = "gtx480";
  EXPECT_NE(Identifier(energy()).identify(program).id, Identifier({}).identify(program).id);
}

}  // namespace identity_test
}  // namespace warpfork::sweep
