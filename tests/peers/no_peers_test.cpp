#include <gtest/gtest.h>

TEST(Peers, Agree) {
  GTEST_SKIP() << "built without Orocos KDL and MuJoCo (VERNE_PEERS)";
}
