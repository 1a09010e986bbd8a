// One X-ray photon: how it is emitted, flies and is scattered. All arithmetic is written with explicit fmaf, and
// without other products that are added to anything, so that host and device round alike and the check can be exact;
// the logarithm and the sine are our own for the same reason.
#pragma once

#include "phantom.h"
#include "ranecu.h"

struct Vec {
  float x, y, z;
};

struct Photon {
  Vec position;   // cm; the phantom fills the box from 0 to kBox
  Vec direction;  // unit length
  float energy;   // keV
};

__host__ __device__ inline float at(Line line, float energy) { return fmaf(line.slope, energy, line.offset); }

// -ln(u) for 0 < u < 1, by the series of artanh.
__host__ __device__ inline float negative_log(float u) {
  int bits;
  memcpy(&bits, &u, sizeof bits);
  const int exponent = (bits - 0x3f3504f3) >> 23;  // 0x3f3504f3 is the square root of 1/2
  bits -= exponent << 23;
  float mantissa;
  memcpy(&mantissa, &bits, sizeof mantissa);
  const float s = (mantissa - 1.0f) / (mantissa + 1.0f);
  const float square = s * s;
  const float series = fmaf(fmaf(fmaf(fmaf(square, 1.0f / 9, 1.0f / 7), square, 0.2f), square, 1.0f / 3), square, 1.0f);
  return fmaf(static_cast<float>(-exponent), 0.69314718f, -2.0f * s * series);
}

__host__ __device__ inline void move(Photon& photon, float distance) {
  photon.position.x = fmaf(distance, photon.direction.x, photon.position.x);
  photon.position.y = fmaf(distance, photon.direction.y, photon.position.y);
  photon.position.z = fmaf(distance, photon.direction.z, photon.position.z);
}

// Turns a photon by an angle of the given cosine, and by any angle around its path.
__host__ __device__ inline void turn(Photon& photon, float cosine, Ranecu& random) {
  // A sine between two quarters of a turn, by its series; the cosine follows, with either sign.
  const float turns = fmaf(2.0f, random.next(), -1.0f);
  const float a = fmaf(2.0f, fabsf(turns), -1.0f) * 1.5707963f, square = a * a;
  const float series =
      fmaf(fmaf(fmaf(fmaf(square, 1.0f / 362880, -1.0f / 5040), square, 1.0f / 120), square, -1.0f / 6), square, 1.0f);
  const float sine_phi = fminf(fmaxf(a * series, -1.0f), 1.0f);
  const float cosine_phi = copysignf(sqrtf(fmaf(-sine_phi, sine_phi, 1.0f)), turns);

  const Vec old = photon.direction;
  const float sine = sqrtf(fmaxf(fmaf(-cosine, cosine, 1.0f), 0.0f));
  const float across = fmaf(old.x, old.x, old.y * old.y);
  Vec fresh;
  if (across > 1e-12f) {
    const float root = sqrtf(across), scale = sine / root;
    fresh.x = fmaf(old.x, cosine, scale * fmaf(old.x * old.z, cosine_phi, -old.y * sine_phi));
    fresh.y = fmaf(old.y, cosine, scale * fmaf(old.y * old.z, cosine_phi, old.x * sine_phi));
    fresh.z = fmaf(old.z, cosine, -root * (sine * cosine_phi));
  } else {
    fresh = {sine * cosine_phi, sine * sine_phi, old.z > 0.0f ? cosine : -cosine};
  }
  const float norm = sqrtf(fmaf(fresh.x, fresh.x, fmaf(fresh.y, fresh.y, fresh.z * fresh.z)));
  photon.direction = {fresh.x / norm, fresh.y / norm, fresh.z / norm};
}

// A photon of the tube's spectrum, somewhere in a square beam a little wider than the phantom, which starts 100 cm
// before it. False if it flies past.
__host__ __device__ inline bool emit(Photon& photon, const Physics& physics, Ranecu& random) {
  const float scaled = random.next() * kSpectrum;
  int bin = static_cast<int>(scaled);
  if (scaled - static_cast<float>(bin) > physics.threshold[bin]) bin = physics.alias[bin];
  photon.energy = fmaf(static_cast<float>(bin) + random.next(), 96.0f / kSpectrum, 24.0f);

  const float distance = 100.0f;
  const float across = random.next() - 0.5f, along = random.next() - 0.5f;
  const float width = 1.1f * kBox;
  const Vec to = {across * width, distance, along * width};
  const float norm = sqrtf(fmaf(to.x, to.x, fmaf(to.y, to.y, to.z * to.z)));
  photon.direction = {to.x / norm, to.y / norm, to.z / norm};
  photon.position = {fmaf(across, width, 0.5f * kBox), 0.0f, fmaf(along, width, 0.5f * kBox)};
  const float edge = 0.5f * kBox;
  return fabsf(to.x) < edge && fabsf(to.z) < edge;
}

// The voxel in which a point lies, -1 outside of the phantom.
__host__ __device__ inline int locate(Vec point) {
  if (point.x < 0.0f || point.x >= kBox || point.y < 0.0f || point.y >= kBox || point.z < 0.0f || point.z >= kBox)
    return -1;
  const int i = static_cast<int>(point.x / kVoxelSize), j = static_cast<int>(point.y / kVoxelSize);
  return (static_cast<int>(point.z / kVoxelSize) * kVoxels + j) * kVoxels + i;
}

// Compton scattering at a bound electron: Klein and Nishina's formula by Kahn's method, rejected at small momentum
// transfers and where the electron could not leave its shell. Lowers the energy; returns the cosine of the angle.
__host__ __device__ inline float scatter_compton(float& energy, int material, const Physics& physics, Ranecu& random) {
  const float k = energy / kElectronMass;
  const float wide = fmaf(2.0f, k, 1.0f), share = wide / fmaf(2.0f, k, 9.0f);
  for (;;) {
    float ratio, cosine;  // of the old energy to the new
    if (random.next() <= share) {
      ratio = fmaf(2.0f * k, random.next(), 1.0f);
      const float inverse = 1.0f / ratio;
      if (random.next() > 4.0f * fmaf(-inverse, inverse, inverse)) continue;
      cosine = 1.0f - (ratio - 1.0f) / k;
    } else {
      ratio = wide / fmaf(2.0f * k, random.next(), 1.0f);
      cosine = 1.0f - (ratio - 1.0f) / k;
      if (random.next() > 0.5f * fmaf(cosine, cosine, 1.0f / ratio)) continue;
    }
    cosine = fmaxf(cosine, -1.0f);
    const float squared = energy * energy * (0.5f / (12.398f * 12.398f));  // 12.398: keV times Angstrom
    const float bound = fmaf(squared, 1.0f - cosine, physics.screening[material]);
    if (random.next() * bound > squared * (1.0f - cosine)) continue;

    const float lost = energy - energy / ratio;
    const float electron = random.next();
    const Shell* shell = physics.shells[material];
    while (electron > shell->electrons) ++shell;
    if (lost <= shell->binding) continue;
    energy -= lost;
    return cosine;
  }
}

// The greatest index whose value is not above `value`, at most kMomenta - 2.
__host__ __device__ inline int search(const float* values, float value) {
  int low = 0, high = kMomenta - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (value < values[middle])
      high = middle;
    else
      low = middle;
  }
  return low;
}

__host__ __device__ inline float interpolated(const float* from, const float* to, float value) {
  const int i = search(from, value);
  return fmaf((value - from[i]) / (from[i + 1] - from[i]), to[i + 1] - to[i], to[i]);
}

// Rayleigh scattering: momentum transfer after the form factor, angle by rejection after Thomson. Returns the cosine.
__host__ __device__ inline float scatter_rayleigh(float energy, int material, const Physics& physics, Ranecu& random) {
  const float* const form = physics.form[material];
  const float most = energy * energy * (1.0f / (12.398f * 12.398f));
  const float whole = interpolated(physics.momenta, form, most);
  for (;;) {
    const float momentum = interpolated(form, physics.momenta, random.next() * whole);
    const float cosine = fmaxf(1.0f - 2.0f * (momentum / most), -1.0f);
    if (2.0f * random.next() <= fmaf(cosine, cosine, 1.0f)) return cosine;
  }
}
