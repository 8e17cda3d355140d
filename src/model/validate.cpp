#include "model/validate.h"

#include "model/subject.h"

namespace verne {

namespace {

void check_visual(const VisualSpec& visual, const Subject& subject) {
  subject.require_pose("visual pose", visual.X_LV);
  // A negative mesh scale mirrors, which is usual for left and right halves.
  if (visual.shape == VisualSpec::Shape::mesh) {
    subject.require_finite("mesh scale", visual.size);
    return;
  }
  for (int i = 0; i < 3; ++i) {
    if (!subject.require_not_negative("visual size", visual.size[i])) return;
  }
}

void check_placement(const LinkSpec& link, Findings& findings) {
  const Subject subject(findings, "link", link.name, link.line);
  subject.require_pose("joint pose", link.X_PJ);
  subject.require_pose("link frame", link.X_JL);
  for (const VisualSpec& visual : link.visuals) check_visual(visual, subject);
}

}  // namespace

int joint_line(const LinkSpec& link) {
  return link.joint.line > 0 ? link.joint.line : link.line;
}

void validate(const ModelSpec& spec, Findings& findings) {
  check_structure(spec, findings);
  for (const LinkSpec& link : spec.links) check_placement(link, findings);
  check_inertias(spec, findings);
  check_joints(spec, findings);
  check_loops(spec, findings);
  for (const FrameSpec& frame : spec.frames) {
    Subject(findings, "frame", frame.name, frame.line).require_pose("pose", frame.X_LF);
  }
  for (const ContactSpec& contact : spec.contacts) {
    const Subject subject(findings, "contact", contact.name, contact.line);
    if (subject.require_finite("point", contact.point)) subject.require_pose("pose", {contact.R_LC, contact.point});
  }
  const Vec3<double>& g = spec.gravity;
  if (!is_usable(g.x) || !is_usable(g.y) || !is_usable(g.z)) {
    findings.error(0, "gravity: expected three finite numbers");
  }
}

}  // namespace verne
