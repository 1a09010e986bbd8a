// Which places of a map enemies can see: VIS of the spatio-temporal SIMT paper's Table II, the visibility calculation
// of a game's artificial intelligence (its source is given as AiGameDev, without more). A thread tests the lines of
// sight between one place and all enemies, over a map of heights.
//
// Most tests end early: the place is out of an enemy's range, out of the field that it looks at, or behind a wall that
// lies near or far. Neighbouring threads have neighbouring places, so that whole warps may see nothing.
#include "../common/check.h"

namespace {

constexpr int kTile = 16;  // a block of threads has 16 x 16 places
constexpr int kTilesPerRow = 4, kPlacesPerRow = kTilesPerRow * kTile;
constexpr int kPlaceSpacing = 2;  // places lie on every second cell
constexpr int kWidth = kPlacesPerRow * kPlaceSpacing;
constexpr int kRange = 48;                          // cells
constexpr int kEyeHeight = 170, kBodyHeight = 110;  // cm: of what sees, of what is to be seen
constexpr int kFraction = 8;                        // bits of a coordinate below a cell or a centimetre

struct Enemy {
  int x, y;
  int facing_x, facing_y;  // -1 to 1
};

// Who sees a place.
struct Exposure {
  int enemies;
  int nearest;  // -1: none does
  bool operator==(const Exposure& other) const { return enemies == other.enemies && nearest == other.nearest; }
};

// The field of view is 120 degrees, 60 to each side: the cosine is at least one half.
__host__ __device__ inline bool in_field_of_view(Enemy enemy, int dx, int dy) {
  const int cosine = dx * enemy.facing_x + dy * enemy.facing_y;  // times the lengths of both
  const int facing = enemy.facing_x * enemy.facing_x + enemy.facing_y * enemy.facing_y;
  return cosine > 0 && 4 * cosine * cosine >= facing * (dx * dx + dy * dy);
}

// Walks from an enemy's eye towards a place, a cell at a time, until something is higher than the line of sight.
__host__ __device__ inline bool line_is_free(const int* heights, Enemy enemy, int dx, int dy) {
  const int across = dx < 0 ? -dx : dx, along = dy < 0 ? -dy : dy;
  const int steps = across > along ? across : along;
  if (steps < 2) return true;
  const int step_x = dx * (1 << kFraction) / steps, step_y = dy * (1 << kFraction) / steps;
  const int step_height = (kBodyHeight - kEyeHeight) * (1 << kFraction) / steps;
  constexpr int kHalf = 1 << (kFraction - 1);
  int x = (enemy.x << kFraction) + kHalf, y = (enemy.y << kFraction) + kHalf, height = kEyeHeight << kFraction;
  for (int i = 1; i < steps; ++i) {
    x += step_x;
    y += step_y;
    height += step_height;
    if (heights[(y >> kFraction) * kWidth + (x >> kFraction)] << kFraction > height) return false;
  }
  return true;
}

// Nobody stands where there is an obstacle.
__host__ __device__ inline Exposure exposure(const int* heights, const Enemy* enemies, int enemy_count, int place) {
  const int x = place % kPlacesPerRow * kPlaceSpacing, y = place / kPlacesPerRow * kPlaceSpacing;
  Exposure result{0, -1};
  if (heights[y * kWidth + x] > 0) return result;
  int nearest = kRange * kRange + 1;
  for (int i = 0; i < enemy_count; ++i) {
    const Enemy enemy = enemies[i];
    const int dx = x - enemy.x, dy = y - enemy.y, distance = dx * dx + dy * dy;
    if (distance > kRange * kRange) continue;
    if (!in_field_of_view(enemy, dx, dy)) continue;
    if (!line_is_free(heights, enemy, dx, dy)) continue;
    ++result.enemies;
    if (distance < nearest) {
      nearest = distance;
      result.nearest = i;
    }
  }
  return result;
}

__global__ void visibility(const int* heights, const Enemy* enemies, int enemy_count, Exposure* exposures) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int place = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * kPlacesPerRow + column;
  exposures[place] = exposure(heights, enemies, enemy_count, place);
}

// Level ground with walls and houses on it, one for each 150 cells. What is lower than a body hides nobody.
std::vector<int> make_heights(int rows) {
  workload::Random random(23);
  std::vector<int> heights(static_cast<std::size_t>(rows) * kWidth, 0);
  for (int obstacles = rows * kWidth / 150; obstacles > 0; --obstacles) {
    const int left = static_cast<int>(random.below(kWidth)), top = static_cast<int>(random.below(rows));
    const int right = left + 1 + static_cast<int>(random.below(8)),
              bottom = top + 1 + static_cast<int>(random.below(8));
    const int height = 50 + static_cast<int>(random.below(400));
    for (int y = top; y < bottom && y < rows; ++y)
      for (int x = left; x < right && x < kWidth; ++x) heights[y * kWidth + x] = height;
  }
  return heights;
}

std::vector<Enemy> make_enemies(int count, const std::vector<int>& heights) {
  workload::Random random(29);
  std::vector<Enemy> enemies;
  while (static_cast<int>(enemies.size()) < count) {
    const int cell = static_cast<int>(random.below(static_cast<unsigned>(heights.size())));
    const int x = static_cast<int>(random.below(3)) - 1, y = static_cast<int>(random.below(3)) - 1;
    if (heights[cell] == 0 && (x != 0 || y != 0)) enemies.push_back({cell % kWidth, cell / kWidth, x, y});
  }
  return enemies;
}

std::vector<Exposure> device_exposures(const std::vector<int>& heights, const std::vector<Enemy>& enemies,
                                       int tile_rows) {
  const workload::DeviceArray<int> device_heights(heights);
  const workload::DeviceArray<Enemy> device_enemies(enemies);
  const workload::DeviceArray<Exposure> exposures(static_cast<std::size_t>(tile_rows) * kTile * kPlacesPerRow);
  visibility<<<dim3(kTilesPerRow, tile_rows), dim3(kTile, kTile)>>>(device_heights.get(), device_enemies.get(),
                                                                    static_cast<int>(enemies.size()), exposures.get());
  CUDA_CHECK(cudaGetLastError());
  return exposures.download();
}

}  // namespace

int main(int argc, char** argv) {
  int tile_rows = 6, enemy_count = 64;
  workload::Options("visibility", "which places of a map enemies can see, checked exactly")
      .number("--size", tile_rows, 1, 1024, "rows of the map in tiles of 16 places; it is four tiles wide")
      .number("--enemies", enemy_count, 1, 100000, "enemies on the map")
      .parse(argc, argv);

  const int places = tile_rows * kTile * kPlacesPerRow;
  const std::vector<int> heights = make_heights(tile_rows * kTile * kPlaceSpacing);
  const std::vector<Enemy> enemies = make_enemies(enemy_count, heights);
  const std::vector<Exposure> got = device_exposures(heights, enemies, tile_rows);
  int seen = 0;
  for (int place = 0; place < places; ++place) {
    const Exposure expected = exposure(heights.data(), enemies.data(), enemy_count, place);
    if (!(got[place] == expected))
      workload::fail("place %d: seen by %d enemies, the nearest %d; expected %d, %d", place, got[place].enemies,
                     got[place].nearest, expected.enemies, expected.nearest);
    seen += expected.enemies > 0;
  }
  std::printf("%d of %d places are seen\n", seen, places);
  return workload::pass();
}
