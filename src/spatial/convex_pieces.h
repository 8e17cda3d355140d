/// Something that stands still and is not convex, as many convex pieces in a tree of boxes: meshes as triangles, maps
/// of what is occupied as boxes. docs/theory/clearance.md, section 1
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "spatial/convex.h"

namespace verne {

/// A convex body, and where its origin is in the axes of the whole.
struct ConvexPiece {
  ConvexBody body;
  Vec3<double> at{0, 0, 0};
};

/// What a page draws of it.
struct DrawnSurface {
  std::vector<float> positions;          ///< x y z of each vertex
  std::vector<std::uint32_t> triangles;  ///< three vertices each
};

/// The piece that is nearest, and how it is separated.
struct NearestPiece {
  std::size_t piece = 0;
  Separation apart;
};

class VERNE_API ConvexPieces {
 public:
  /// At least one piece. Triangles from `first_of_shell` on are surfaces that are closed: what is inside of them
  /// touches, too, as convex pieces do by themselves.
  ConvexPieces(std::vector<ConvexPiece> pieces, std::size_t first_of_shell, DrawnSurface drawn);

  const std::vector<ConvexPiece>& all() const { return pieces_; }
  const DrawnSurface& drawn() const { return drawn_; }
  /// The ball around all of it.
  Vec3<double> center() const { return center_; }
  double radius() const { return radius_; }

  /// As separation(): of all pieces the one with the least distance; where that is more than `enough`, something that
  /// is not more than it. The body is in the axes X_PB of the whole, with the ball around it.
  NearestPiece nearest(const ConvexBody& body, const Transform<double>& X_PB, const Vec3<double>& center, double radius,
                       double enough) const;
  /// All that are less than `within` from the body.
  void near(const ConvexBody& body, const Transform<double>& X_PB, const Vec3<double>& center, double radius,
            double within, std::vector<NearestPiece>& found) const;
  /// As overlap(): of the piece that the body overlaps most with.
  double deepest(const ConvexBody& body, const Transform<double>& X_PB, const Vec3<double>& center,
                 double radius) const;
  /// Whether a point lies inside of a closed surface.
  bool inside(const Vec3<double>& p) const;

 private:
  struct Box {
    Vec3<double> low, high;
  };
  /// Children follow one another; a leaf has pieces from `first` on.
  struct Node {
    Box box;
    std::uint32_t first = 0, count = 0;  ///< count 0: `first` is the first of two children
  };
  Box box_of(std::size_t piece) const;
  void split(std::size_t node, std::vector<Box>& boxes);
  double from_box(const Box& box, const ConvexBody& body, const Transform<double>& X_PB, const Vec3<double>& center,
                  double radius, double enough) const;
  NearestPiece nearest_piece(const ConvexBody& body, const Transform<double>& X_PB, const Vec3<double>& center,
                             double radius, double enough) const;  ///< whatever is inside of surfaces
  Separation from_piece(std::size_t piece, const ConvexBody& body, const Transform<double>& X_PB, double enough) const;
  bool crossings_are_odd(const Vec3<double>& p, const Vec3<double>& along) const;

  std::vector<ConvexPiece> pieces_;
  std::vector<std::uint32_t> order_;  ///< pieces as leaves have them
  std::vector<Node> nodes_;
  std::size_t first_of_shell_;
  DrawnSurface drawn_;
  Vec3<double> center_{0, 0, 0};
  double radius_ = 0;
};

}  // namespace verne
