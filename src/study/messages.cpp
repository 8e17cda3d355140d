#include "study/messages.h"

#include "study/wire.h"

namespace verne {

std::string packed(const PointOrder& order) {
  WireWriter out;
  out.put(order.point).put(std::span<const double>(order.values)).put(order.start);
  return out.put(order.motion_wanted).put(order.keep_below).bytes();
}

PointOrder unpack_order(std::string_view bytes) {
  WireReader in(bytes);
  PointOrder order;
  order.point = in.take<int>();
  order.values = in.take_numbers<double>();
  order.start = in.take_text();
  order.motion_wanted = in.take<bool>();
  order.keep_below = in.take<double>();
  return order;
}

std::string packed(const PointResult& result) {
  WireWriter out;
  out.put(result.status)
      .put(result.success)
      .put(result.reason)
      .put(result.binding)
      .put(result.cost)
      .put(result.used_start);
  return out.put(std::span<const double>(result.results))
      .put(std::span<const float>(result.curves))
      .put(result.motion)
      .put(result.solution)
      .bytes();
}

PointResult unpack_result(std::string_view bytes) {
  WireReader in(bytes);
  PointResult result;
  result.status = in.take_text();
  result.success = in.take<bool>();
  result.reason = in.take_text();
  result.binding = in.take_text();
  result.cost = in.take<double>();
  result.used_start = in.take<bool>();
  result.results = in.take_numbers<double>();
  result.curves = in.take_numbers<float>();
  result.motion = in.take_text();
  result.solution = in.take_text();
  return result;
}

}  // namespace verne
