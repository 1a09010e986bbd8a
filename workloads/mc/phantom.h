// The patient and the physics as tables: a chest made of voxels, what its materials do to photons by energy, and the
// spectrum of the X-ray tube. All tables are made on the host, in double precision, and read alike by host and device.
//
// The cross sections are simple formulas of the right magnitude at 50 keV (water: photoelectric 0.027, Compton 0.18,
// Rayleigh 0.019 cm2/g), not measured data.
#pragma once

#include <algorithm>

#include "../common/check.h"

constexpr int kVoxels = 64;         // per dimension
constexpr float kVoxelSize = 0.5f;  // cm
constexpr float kBox = kVoxels * kVoxelSize;
constexpr int kPixels = 64;          // of the detector, per dimension
constexpr float kPixelSize = 0.75f;  // cm
constexpr int kSpectrum = 32;        // bins of the tube's spectrum
constexpr int kEnergies = 128;       // 1 keV each
constexpr int kMomenta = 128;        // of the Rayleigh tables
constexpr int kShells = 4;
constexpr float kCutoff = 5.0f;  // keV; slower photons are absorbed where they are
constexpr float kElectronMass = 510.99895f;

enum Material { kAir, kLung, kTissue, kBone, kMaterials };

struct Voxel {
  int material;
  float density;  // g/cm3
};

// A quantity by energy, linear within 1 keV: offset + slope * energy.
struct Line {
  float offset, slope;
};

// Shares of a material's interactions, per density and length (cm2/g).
struct Attenuation {
  Line compton, rayleigh, total;
};

struct Shell {
  float electrons;  // cumulative share
  float binding;    // keV
};

struct Physics {
  Line free_path[kEnergies];  // shortest mean free path anywhere in the phantom, in cm
  Attenuation attenuation[kMaterials][kEnergies];
  float momenta[kMomenta];           // squared momentum transfers, growing
  float form[kMaterials][kMomenta];  // integral of the squared form factor up to there
  float screening[kMaterials];       // squared momentum at which half of the electrons count as free
  Shell shells[kMaterials][kShells];
  float threshold[kSpectrum];  // Walker's aliases
  int alias[kSpectrum];
};

namespace phantom {

struct Substance {
  double photoelectric, compton, rayleigh;  // cm2/g at 50 keV
  double form_width, screening;             // squared momenta, in 1/Angstrom2
  Shell shells[kShells];
};

inline const Substance& substance(int material) {
  static const Substance water = {0.027, 0.180, 0.019,
                                  0.08,  0.02,  {{0.2f, 0.013f}, {0.4f, 0.016f}, {0.8f, 0.032f}, {1.0f, 0.540f}}};
  static const Substance air = {0.023, 0.161, 0.017,
                                0.07,  0.02,  {{0.3f, 0.014f}, {0.5f, 0.020f}, {0.75f, 0.037f}, {1.0f, 0.400f}}};
  static const Substance calcium = {0.220, 0.170, 0.034,
                                    0.16,  0.05,  {{0.3f, 0.012f}, {0.55f, 0.030f}, {0.85f, 0.350f}, {1.0f, 4.038f}}};
  return material == kAir ? air : material == kBone ? calcium : water;
}

// Total cross section of Klein and Nishina relative to 50 keV's.
inline double klein_nishina(double energy) {
  const auto total = [](double k) {
    const double wide = 1 + 2 * k, log_wide = std::log(wide);
    return (1 + k) / (k * k) * (2 * (1 + k) / wide - log_wide / k) + log_wide / (2 * k) - (1 + 3 * k) / (wide * wide);
  };
  return total(energy / kElectronMass) / total(50.0 / kElectronMass);
}

// The line through a function's values at both ends of every keV. Below 2 keV, where no photon goes, it is level.
template <class Function>
void tabulate(Line* lines, std::size_t stride, Function value) {
  for (int i = 0; i < kEnergies; ++i) {
    const double low = value(i < 2 ? 2.0 : i), high = value(i < 2 ? 2.0 : i + 1.0);
    Line& line = *reinterpret_cast<Line*>(reinterpret_cast<char*>(lines) + i * stride);
    line.slope = static_cast<float>(high - low);
    line.offset = static_cast<float>(low - (high - low) * i);
  }
}

inline double compton(int m, double energy) { return substance(m).compton * klein_nishina(energy); }
inline double rayleigh(int m, double energy) { return substance(m).rayleigh * std::pow(50 / energy, 1.7); }
inline double total(int m, double energy) {
  return compton(m, energy) + rayleigh(m, energy) + substance(m).photoelectric * std::pow(50 / energy, 3.0);
}

inline void fill_scattering(Physics& physics) {
  for (int i = 0; i < kMomenta; ++i)
    physics.momenta[i] = static_cast<float>(110.0 * std::pow(i / (kMomenta - 1.0), 4));  // up to 130 keV, backwards
  for (int m = 0; m < kMaterials; ++m) {
    const double width = substance(m).form_width;
    for (int i = 0; i < kMomenta; ++i)  // the squared form factor is (1 + x / width)^-2
      physics.form[m][i] = static_cast<float>(physics.momenta[i] / (1 + physics.momenta[i] / width));
    physics.screening[m] = static_cast<float>(substance(m).screening);
    std::copy_n(substance(m).shells, kShells, physics.shells[m]);
  }
}

// A tube at 120 kV behind aluminium: Kramers' law, filtered. Walker's aliases as Vose (1991) makes them.
inline void fill_spectrum(Physics& physics) {
  std::vector<double> weight(kSpectrum);
  double sum = 0;
  for (int i = 0; i < kSpectrum; ++i) {
    const double energy = 24 + 96.0 * (i + 0.5) / kSpectrum;
    sum += weight[i] = (120 - energy) / energy * std::exp(-1.0 * std::pow(30 / energy, 3.0));
  }
  std::vector<int> small, large;
  for (int i = 0; i < kSpectrum; ++i) {
    weight[i] *= kSpectrum / sum;
    physics.threshold[i] = 1.0f;
    physics.alias[i] = i;
    (weight[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const int poor = small.back(), rich = large.back();
    small.pop_back();
    physics.threshold[poor] = static_cast<float>(weight[poor]);
    physics.alias[poor] = rich;
    weight[rich] -= 1 - weight[poor];
    if (weight[rich] >= 1) continue;
    large.pop_back();
    small.push_back(rich);
  }
}

inline Physics make_physics(const std::vector<Voxel>& voxels) {
  Physics physics{};
  std::vector<float> densest(kMaterials, 0.0f);
  for (const Voxel& voxel : voxels) densest[voxel.material] = std::max(densest[voxel.material], voxel.density);

  for (int m = 0; m < kMaterials; ++m) {
    Attenuation* const row = physics.attenuation[m];
    tabulate(&row->compton, sizeof *row, [m](double energy) { return compton(m, energy); });
    tabulate(&row->rayleigh, sizeof *row, [m](double energy) { return rayleigh(m, energy); });
    tabulate(&row->total, sizeof *row, [m](double energy) { return total(m, energy); });
  }
  tabulate(physics.free_path, sizeof(Line), [&densest](double energy) {
    double most = 0;
    for (int m = 0; m < kMaterials; ++m) most = std::max(most, densest[m] * total(m, energy));
    return 1 / most;
  });
  fill_scattering(physics);
  fill_spectrum(physics);
  return physics;
}

inline bool in_ellipsoid(double x, double y, double z, double rx, double ry, double rz) {
  return x * x / (rx * rx) + y * y / (ry * ry) + z * z / (rz * rz) < 1;
}

// A chest: soft tissue with two lungs, a spine and ribs, in air. Densities vary a little from voxel to voxel.
inline std::vector<Voxel> make_voxels() {
  workload::Random random(7);
  std::vector<Voxel> voxels;
  for (int k = 0; k < kVoxels; ++k)
    for (int j = 0; j < kVoxels; ++j)
      for (int i = 0; i < kVoxels; ++i) {
        const double center = kVoxels / 2 - 0.5;
        const double x = (i - center) * kVoxelSize, y = (j - center) * kVoxelSize, z = (k - center) * kVoxelSize;
        Voxel voxel{kAir, 0.0012f};
        if (in_ellipsoid(x, y, 0, 15, 10, 1)) voxel = {kTissue, 1.0f};
        const bool rib = !in_ellipsoid(x, y, 0, 13.5, 8.5, 1) && in_ellipsoid(x, y, 0, 14.2, 9.2, 1);
        if (rib && std::fmod(z + 30, 3.0) < 1.2) voxel = {kBone, 1.6f};
        if (in_ellipsoid(x - 7, y + 1, z, 5, 6, 12) || in_ellipsoid(x + 7, y + 1, z, 5, 6, 12)) voxel = {kLung, 0.26f};
        if (in_ellipsoid(x, y - 6, 0, 2, 2, 1)) voxel = {kBone, 1.8f};
        voxel.density *= 0.95f + 0.1f * random.unit();
        voxels.push_back(voxel);
      }
  return voxels;
}

}  // namespace phantom
