// Volume rendering after SPLASH-2's volrend (Woo et al. 1995; Nieh and Levoy 1992): a ray through every pixel adds up
// what the volume's voxels reflect, jumps over empty space with the help of a pyramid of cells, and ends where hardly
// any light would come through. Threads begin with equal parts of the picture, tile by tile, and take tiles of others
// when theirs are done.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/command.h"
#include "common/threads.h"
#include "common/verdict.h"
#include "volume.h"

namespace volrend {
namespace {

constexpr int kTile = 8;          // pixels a side
constexpr float kOpaque = 0.95f;  // a ray ends here
constexpr float kDegreesAFrame = 30;

// The tiles that were given to one thread and are not yet taken.
struct TileQueue {
  spmd::Lock lock;
  int next = 0, end = 0;
};

struct Scene {
  Scene(int volume_side, int picture_side, int frames, int threads)
      : head(make_head(volume_side)),
        voxels(volume_side),
        pyramid(volume_side - 1),
        side(picture_side),
        frames(frames),
        picture(static_cast<std::size_t>(side) * side),
        queues(threads),
        barrier(threads) {}

  int tiles_a_side() const { return (side + kTile - 1) / kTile; }

  Grid<std::uint8_t> head;
  Grid<Voxel> voxels;
  Pyramid pyramid;
  int side;  // of the picture
  int frames;
  std::vector<float> picture;
  std::vector<TileQueue> queues;
  spmd::Barrier barrier;
};

struct Ray {
  Vector start, direction;  // in voxels; the direction's length is 1
  int samples;              // at start, start + direction, and so on: those that lie in the volume

  Vector at(int sample) const {
    const float t = static_cast<float>(sample);
    return {start.x + t * direction.x, start.y + t * direction.y, start.z + t * direction.z};
  }
};

// The ray of a pixel, all parallel, for a viewer who goes round the head: clipped to the cells of the volume.
Ray make_ray(const Scene& scene, int frame, int column, int row) {
  const float last = static_cast<float>(scene.voxels.side - 1), middle = last / 2;
  const float angle = static_cast<float>(frame) * kDegreesAFrame * 3.14159265f / 180;
  const float across = (static_cast<float>(column) + 0.5f - static_cast<float>(scene.side) / 2) *
                       (1.2f * last / static_cast<float>(scene.side));
  const float height = (static_cast<float>(row) + 0.5f) * (last / static_cast<float>(scene.side));
  const Vector direction = {std::sin(angle), 0, std::cos(angle)};
  const Vector centre = {middle + across * direction.z, height, middle - across * direction.x};

  float enter = -1e9f, leave = 1e9f;
  const auto clip = [&](float place, float slope) {
    if (std::fabs(slope) < 1e-6f) {
      if (place < 0 || place > last) leave = enter - 1;
      return;
    }
    const float one = -place / slope, other = (last - place) / slope;
    enter = std::max(enter, std::min(one, other));
    leave = std::min(leave, std::max(one, other));
  };
  clip(centre.x, direction.x);
  clip(centre.z, direction.z);
  const Vector start = {centre.x + enter * direction.x, height, centre.z + enter * direction.z};
  return {start, direction, leave > enter ? static_cast<int>(leave - enter) + 1 : 0};
}

struct Light {
  float colour = 0, opacity = 0;
};

// Adds a sample behind what there is, interpolated between the eight voxels around it.
void add_sample(const Grid<Voxel>& voxels, Vector place, int x, int y, int z, Light& light) {
  const float right = place.x - static_cast<float>(x), down = place.y - static_cast<float>(y),
              back = place.z - static_cast<float>(z);
  float opacity = 0, colour = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Voxel& voxel = voxels.at(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2));
    const float weight =
        (corner & 1 ? right : 1 - right) * (corner & 2 ? down : 1 - down) * (corner & 4 ? back : 1 - back);
    opacity += weight * voxel.opacity;
    colour += weight * voxel.opacity * voxel.shade;
  }
  light.colour += (1 - light.opacity) * colour;
  light.opacity += (1 - light.opacity) * opacity;
}

// How many samples further a ray leaves the empty cube of 2^level cells around a cell.
int samples_to_leave(Vector place, Vector direction, int level, int x, int y, int z) {
  const auto way = [level](float from, float slope, int cell) {
    if (slope == 0) return 1e9f;
    const int first = cell >> level << level;
    return (static_cast<float>(slope > 0 ? first + (1 << level) : first) - from) / slope;
  };
  const float least =
      std::min({way(place.x, direction.x, x), way(place.y, direction.y, y), way(place.z, direction.z, z)});
  return std::max(1, static_cast<int>(std::ceil(least)));
}

float cast_ray(const Scene& scene, const Ray& ray) {
  const int last_cell = scene.voxels.side - 2, top = scene.pyramid.levels() - 1;
  const auto cell = [last_cell](float place) { return std::clamp(static_cast<int>(place), 0, last_cell); };
  Light light;
  for (int sample = 0; sample < ray.samples;) {
    const Vector place = ray.at(sample);
    const int x = cell(place.x), y = cell(place.y), z = cell(place.z);
    if (scene.pyramid.filled(0, x, y, z)) {
      add_sample(scene.voxels, place, x, y, z, light);
      if (light.opacity > kOpaque) break;
      ++sample;
      continue;
    }
    int level = 0;
    while (level < top && !scene.pyramid.filled(level + 1, x, y, z)) ++level;
    sample += samples_to_leave(place, ray.direction, level, x, y, z);
  }
  return light.colour;
}

// The queue's next tile; -1 when there is none left.
int take_tile(TileQueue& queue) {
  queue.lock.acquire();
  const int tile = queue.next < queue.end ? queue.next++ : -1;
  queue.lock.release();
  return tile;
}

void render_tile(Scene& scene, int frame, int tile) {
  const int top = tile / scene.tiles_a_side() * kTile, left = tile % scene.tiles_a_side() * kTile;
  for (int row = top; row < std::min(top + kTile, scene.side); ++row)
    for (int column = left; column < std::min(left + kTile, scene.side); ++column)
      scene.picture[row * scene.side + column] = cast_ray(scene, make_ray(scene, frame, column, row));
}

// All tiles of the thread's own queue, then what is left of the others', each until it is empty.
void render_tiles(Scene& scene, int frame, int thread, int threads) {
  for (int i = 0; i < threads; ++i)
    for (int tile; (tile = take_tile(scene.queues[(thread + i) % threads])) >= 0;) render_tile(scene, frame, tile);
}

void prepare(Scene& scene, int thread, int threads) {
  const int side = scene.voxels.side;
  const spmd::Range mine = spmd::share(side, threads, thread);
  for (int z = mine.begin; z < mine.end; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) scene.voxels.at(x, y, z) = classify(scene.head, x, y, z);
  for (int level = 0; level < scene.pyramid.levels(); ++level) {
    scene.barrier.wait();
    scene.pyramid.build(level, scene.voxels, thread, threads);
  }
}

extern "C" [[gnu::noinline]] void* volrend_worker(void* start) {
  const auto [scene, thread, threads] = *static_cast<spmd::Start<Scene>*>(start);
  prepare(*scene, thread, threads);
  for (int frame = 0; frame < scene->frames; ++frame) {
    const spmd::Range mine = spmd::share(scene->tiles_a_side() * scene->tiles_a_side(), threads, thread);
    scene->queues[thread].next = mine.begin;
    scene->queues[thread].end = mine.end;
    scene->barrier.wait();
    render_tiles(*scene, frame, thread, threads);
    scene->barrier.wait();
  }
  return nullptr;
}

// The same ray through every cell, to where it becomes opaque or to its end.
float reference(const Scene& scene, const Ray& ray, float opaque) {
  const int last_cell = scene.voxels.side - 2;
  Light light;
  for (int sample = 0; sample < ray.samples && light.opacity <= opaque; ++sample) {
    const Vector place = ray.at(sample);
    const auto cell = [last_cell](float at) { return std::clamp(static_cast<int>(at), 0, last_cell); };
    add_sample(scene.voxels, place, cell(place.x), cell(place.y), cell(place.z), light);
  }
  return light.colour;
}

}  // namespace
}  // namespace volrend

int main(int argc, char** argv) {
  const spmd::Command command(
      argc, argv, {{"VOLUME_SIDE", 14, 64, 2, 512}, {"PICTURE_SIDE", 12, 128, 1, 4096}, {"FRAMES", 2, 2, 1, 360}});
  volrend::Scene scene(command[0], command[1], command[2], command.threads());
  spmd::run_threads(command.threads(), volrend::volrend_worker, scene);

  spmd::Verdict verdict;
  double sum = 0;
  for (int i = 0; i < scene.side * scene.side; ++i) {
    sum += scene.picture[i];
    if (i % 7 != 0) continue;  // a sample of the pixels
    const volrend::Ray ray = volrend::make_ray(scene, command[2] - 1, i % scene.side, i / scene.side);
    verdict.near("pixel", i, scene.picture[i], volrend::reference(scene, ray, volrend::kOpaque), 1e-5);
    verdict.near("pixel", i, scene.picture[i], volrend::reference(scene, ray, 1), 1 - volrend::kOpaque);
  }
  std::printf("volrend: %d x %d pixels, mean %.6f\n", scene.side, scene.side, sum / (scene.side * scene.side));
  return verdict.conclude();
}
