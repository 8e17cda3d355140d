/// Marks what the libraries offer: everything else stays hidden in them, so that it can change and cannot clash.
#pragma once

#define VERNE_API __attribute__((visibility("default")))
