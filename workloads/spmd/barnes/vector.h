// Points and directions in space.
#pragma once

namespace barnes {

struct Vector {
  double x, y, z;
};

inline Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator*(double factor, Vector a) { return {factor * a.x, factor * a.y, factor * a.z}; }
inline double square(Vector a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

}  // namespace barnes
