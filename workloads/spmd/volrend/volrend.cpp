// Volume rendering after SPLASH-2's volrend (Woo et al. 1995; Nieh and Levoy 1992): a ray through every pixel adds up
// what the volume's voxels reflect, jumps over empty space with the help of a pyramid of cells, and ends where hardly
// any light would come through. Each thread has a strip of the picture, tile by tile, and takes tiles of others when
// its own are done.
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/command.h"
#include "common/threads.h"
#include "common/verdict.h"
#include "shade_table.h"
#include "volume.h"

namespace volrend {
namespace {

constexpr int kTile = 4;                              // pixels a side
constexpr int kHighestLevel = 5, kLowestLevel = 2;    // of the pyramid, at which rays look for empty boxes
constexpr float kOpaque = 0.95f;                      // a ray ends here
constexpr float kFirstAngle = -36, kAngleAFrame = 3;  // degrees by which the viewer has gone round the head
constexpr int kMostSteps = 72;                        // of the table of shades
constexpr float kNudge = 1e-4f;                       // voxels; a place that is nearer to a face lies behind it

// Which tiles of a thread's strip are not yet taken.
struct TileQueue {
  spmd::Lock lock;
  std::atomic<int> next = 0;
};

struct Scene {
  Scene(int volume_side, int picture_side, int frames, int threads)
      : shades(std::min(volume_side, kMostSteps)),
        volume(make_head(volume_side), shades),
        pyramid(volume.opacities),
        side(picture_side),
        frames(frames),
        strip_rows((side + threads - 1) / threads),
        picture(static_cast<std::size_t>(side) * side),
        queues(threads),
        barrier(threads) {}

  int tiles_across() const { return (side + kTile - 1) / kTile; }
  int tiles_a_strip() const { return (strip_rows + kTile - 1) / kTile * tiles_across(); }

  ShadeTable shades;
  Volume volume;
  Pyramid pyramid;
  int side;  // of the picture
  int frames;
  int strip_rows;  // of the picture, for each thread
  std::vector<float> picture;
  std::vector<TileQueue> queues;
  spmd::Barrier barrier;
};

// Where a frame is seen from: rays are parallel, and begin in a plane before the head.
struct View {
  Vector corner;       // where the first pixel's ray begins, in voxels
  Vector right, down;  // from a pixel to the next
  Vector forward;      // from a sample to the next, of length 1
  Vector light, highlight;
};

View make_view(const Scene& scene, int frame) {
  const float last = static_cast<float>(scene.volume.side() - 1), middle = last / 2;
  const float angle = (kFirstAngle + static_cast<float>(frame) * kAngleAFrame) * 3.14159265f / 180;
  const Vector forward = {std::sin(angle), 0, std::cos(angle)}, across = {forward[2], 0, -forward[0]};
  const float pixel = last / static_cast<float>(scene.side), width = 1.2f * pixel;
  const float left = width * (1 - static_cast<float>(scene.side)) / 2;
  View view = {{0, pixel / 2, 0}, {width * across[0], 0, width * across[2]}, {0, pixel, 0}, forward, {}, {}};
  for (const int axis : {0, 2}) view.corner[axis] = middle + left * across[axis] - last * forward[axis];
  // The light stands to the viewer's upper right; halfway between it and the viewer is where surfaces mirror it.
  const float right = 0.38f, up = 0.53f, back = 0.758f;
  const float length = std::sqrt(right * right + up * up + (1 + back) * (1 + back));
  for (int axis = 0; axis < 3; ++axis) {
    const float sideways = right * across[axis] - (axis == 1 ? up : 0);
    view.light[axis] = sideways - back * forward[axis];
    view.highlight[axis] = (sideways - (1 + back) * forward[axis]) / length;
  }
  return view;
}

struct Ray {
  Vector start, forward;
  int first, end;  // samples in the volume: start + first * forward, and so on

  Vector at(float sample) const {
    return {start[0] + sample * forward[0], start[1] + sample * forward[1], start[2] + sample * forward[2]};
  }
};

int round_up(float number) {
  const int whole = static_cast<int>(number);
  return static_cast<float>(whole) < number ? whole + 1 : whole;
}

// The ray of a pixel, clipped to the cells of the volume.
Ray make_ray(const Scene& scene, const View& view, int column, int row) {
  const float last = static_cast<float>(scene.volume.side() - 1);
  Ray ray = {{}, view.forward, 0, 0};
  float enter = 0, leave = 2 * last;
  for (int axis = 0; axis < 3; ++axis) {
    ray.start[axis] =
        view.corner[axis] + static_cast<float>(column) * view.right[axis] + static_cast<float>(row) * view.down[axis];
    if (std::fabs(ray.forward[axis]) < kNudge) {
      if (ray.start[axis] < 0 || ray.start[axis] > last) return ray;
      continue;
    }
    const float one = -ray.start[axis] / ray.forward[axis], other = (last - ray.start[axis]) / ray.forward[axis];
    enter = std::max(enter, std::min(one, other));
    leave = std::min(leave, std::max(one, other));
  }
  ray.first = round_up(enter);
  ray.end = static_cast<int>(leave) + 1;
  return ray;
}

struct Light {
  float colour = 0, opacity = 0;
};

// The cell of a place; that of a place on the volume's last face is the one before it.
Cell cell_of(const Volume& volume, const Vector& place) {
  const int last = volume.side() - 2;
  const auto within = [last](float at) { return std::clamp(static_cast<int>(at), 0, last); };
  return {within(place[0]), within(place[1]), within(place[2])};
}

// The same for a place on a cell's face: of the two cells there, the one into which the ray goes on.
Cell cell_ahead(const Volume& volume, const Vector& place, const Vector& forward) {
  const auto nudged = [&](int axis) {
    return forward[axis] > kNudge ? place[axis] + kNudge : forward[axis] < -kNudge ? place[axis] - kNudge : place[axis];
  };
  return cell_of(volume, {nudged(0), nudged(1), nudged(2)});
}

// Adds a sample behind what there is, interpolated between the eight voxels around it.
void add_sample(const Volume& volume, const ShadeTable& shades, const Vector& place, const Cell& cell, Light& light) {
  const float right = place[0] - static_cast<float>(cell[0]), down = place[1] - static_cast<float>(cell[1]),
              back = place[2] - static_cast<float>(cell[2]);
  const int first = volume.opacities.index(cell[0], cell[1], cell[2]);
  const int row = volume.side(), slice = row * row;
  float opacity = 0, colour = 0;
  const auto add = [&](int voxel, float weight) {
    const float part = weight * static_cast<float>(volume.opacities.values[voxel]);
    opacity += part;
    colour += part * static_cast<float>(shades[volume.normals.values[voxel]]);
  };
  add(first, (1 - right) * (1 - down) * (1 - back));
  add(first + 1, right * (1 - down) * (1 - back));
  add(first + row, (1 - right) * down * (1 - back));
  add(first + row + 1, right * down * (1 - back));
  add(first + slice, (1 - right) * (1 - down) * back);
  add(first + slice + 1, right * (1 - down) * back);
  add(first + slice + row, (1 - right) * down * back);
  add(first + slice + row + 1, right * down * back);
  light.colour += (1 - light.opacity) * colour / (255 * 255);
  light.opacity += (1 - light.opacity) * opacity / 255;
}

// How many samples further a ray leaves the box of 2^level cells a side around a cell.
float way_out(const Vector& place, const Vector& forward, const Cell& cell, int level) {
  float least = 1e9f;
  for (int axis = 0; axis < 3; ++axis) {
    const int box = cell[axis] >> level;
    if (forward[axis] > kNudge)
      least = std::min(least, (static_cast<float>((box + 1) << level) - place[axis]) / forward[axis]);
    else if (forward[axis] < -kNudge)
      least = std::min(least, (static_cast<float>(box << level) - place[axis]) / forward[axis]);
  }
  return std::max(least, kNudge);  // rounding must not keep a ray where it is
}

bool same_box(const Cell& one, const Cell& other, int level) {
  return one[0] >> level == other[0] >> level && one[1] >> level == other[1] >> level &&
         one[2] >> level == other[2] >> level;
}

// Adds the samples from `sample` up to `end`, all in one box that is not empty, but for those in empty cells.
void add_samples(const Scene& scene, const Ray& ray, int sample, int end, Light& light) {
  for (; sample < end && light.opacity <= kOpaque; ++sample) {
    const Vector place = ray.at(static_cast<float>(sample));
    const Cell cell = cell_of(scene.volume, place);
    if (scene.pyramid.filled(0, cell)) add_sample(scene.volume, scene.shades, place, cell, light);
  }
}

// Goes from box to box of the pyramid: down a level where there is something, up again with a box of other parents.
float cast_ray(const Scene& scene, const Ray& ray) {
  const int top = std::min(kHighestLevel, scene.pyramid.levels() - 1), lowest = std::min(kLowestLevel, top);
  Light light;
  int sample = ray.first, level = top;
  float near = static_cast<float>(sample);
  Vector place = ray.at(near);
  Cell cell = cell_ahead(scene.volume, place, ray.forward);
  while (sample < ray.end) {
    const bool filled = scene.pyramid.filled(level, cell);
    if (filled && level > lowest) {
      --level;
      continue;
    }
    near += way_out(place, ray.forward, cell, level);
    const int next_sample = std::min(round_up(near), ray.end);
    if (filled) add_samples(scene, ray, sample, next_sample, light);
    if (light.opacity > kOpaque) break;
    sample = next_sample;
    place = ray.at(near);
    const Cell next = cell_ahead(scene.volume, place, ray.forward);
    while (level < top && !same_box(cell, next, level + 1)) ++level;
    cell = next;
  }
  return light.colour;
}

// The strip's next tile; of an empty strip one that it does not have.
int take_tile(TileQueue& queue) {
  queue.lock.acquire();
  const int tile = queue.next++;
  queue.lock.release();
  return tile;
}

void render_tile(Scene& scene, const View& view, int strip, int tile) {
  const int top = strip * scene.strip_rows + tile / scene.tiles_across() * kTile;
  const int left = tile % scene.tiles_across() * kTile;
  const int bottom = std::min({top + kTile, (strip + 1) * scene.strip_rows, scene.side});
  for (int row = top; row < bottom; ++row)
    for (int column = left; column < std::min(left + kTile, scene.side); ++column)
      scene.picture[row * scene.side + column] = cast_ray(scene, make_ray(scene, view, column, row));
}

// All tiles of the thread's own strip, then what is left of the others', each until it is empty.
void render_tiles(Scene& scene, const View& view, int thread, int threads) {
  const int tiles = scene.tiles_a_strip();
  for (int i = 0; i < threads; ++i) {
    const int strip = (thread + i) % threads;
    TileQueue& queue = scene.queues[strip];
    if (queue.next.load(std::memory_order_relaxed) >= tiles) continue;
    for (int tile; (tile = take_tile(queue)) < tiles;) {
      render_tile(scene, view, strip, tile);
      sched_yield();  // who is recorded first must not take all tiles (README)
    }
  }
}

extern "C" [[gnu::noinline]] void* volrend_worker(void* start) {
  const auto [scene, thread, threads] = *static_cast<spmd::Start<Scene>*>(start);
  for (int frame = 0; frame < scene->frames; ++frame) {
    const View view = make_view(*scene, frame);
    scene->shades.compute(view.light, view.highlight, thread, threads);
    scene->queues[thread].next = 0;
    scene->barrier.wait();
    render_tiles(*scene, view, thread, threads);
    scene->barrier.wait();
  }
  return nullptr;
}

// The same ray through every cell, to where it becomes opaque or to its end.
float reference(const Scene& scene, const Ray& ray, float opaque) {
  Light light;
  for (int sample = ray.first; sample < ray.end && light.opacity <= opaque; ++sample) {
    const Vector place = ray.at(static_cast<float>(sample));
    add_sample(scene.volume, scene.shades, place, cell_of(scene.volume, place), light);
  }
  return light.colour;
}

}  // namespace
}  // namespace volrend

int main(int argc, char** argv) {
  const spmd::Command command(
      argc, argv, {{"VOLUME_SIDE", 12, 64, 2, 512}, {"PICTURE_SIDE", 16, 128, 1, 4096}, {"FRAMES", 2, 2, 1, 360}});
  volrend::Scene scene(command[0], command[1], command[2], command.threads());
  spmd::run_threads(command.threads(), volrend::volrend_worker, scene);

  spmd::Verdict verdict;
  double sum = 0;
  const volrend::View view = volrend::make_view(scene, command[2] - 1);
  for (int i = 0; i < scene.side * scene.side; ++i) {
    sum += scene.picture[i];
    if (i % 7 != 0) continue;  // a sample of the pixels
    const volrend::Ray ray = volrend::make_ray(scene, view, i % scene.side, i / scene.side);
    verdict.near("pixel", i, scene.picture[i], volrend::reference(scene, ray, volrend::kOpaque), 2 * volrend::kNudge);
    verdict.near("pixel", i, scene.picture[i], volrend::reference(scene, ray, 1), 1 - volrend::kOpaque);
  }
  std::printf("volrend: %d x %d pixels, mean %.6f\n", scene.side, scene.side, sum / (scene.side * scene.side));
  return verdict.conclude();
}
