// Found by pkg-config.
#include "verne/motion/task.h"

int main() {
  try {
    verne::load_task("nowhere.yaml");
  } catch (const verne::InputError&) {  // an exception of the library is caught by its type
    return 0;
  }
  return 1;
}
