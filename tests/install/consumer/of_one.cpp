// Uses one library, which has to find those that it uses itself.
#include "verne/report/plot.h"

int main() {
  return verne::plot_names().empty() ? 1 : 0;
}
