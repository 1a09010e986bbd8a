// Clustering of a stream of points after PARSEC's streamcluster (Bienia et al. 2008): each chunk of the stream is
// reduced to some centres, weighted with the number of their points; in the end these are clustered once more.
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/threads.h"
#include "common/verdict.h"
#include "search.h"

namespace streamcluster {
namespace {

extern "C" [[gnu::noinline]] void* streamcluster_worker(void* start) {
  const auto [chunk, thread, threads] = *static_cast<spmd::Start<Chunk>*>(start);
  Searcher(*chunk, thread, threads).run();
  return nullptr;
}

// What a search must leave: as many centres as wanted, each point with one of them, and the costs that follow.
void check(spmd::Verdict& verdict, const Chunk& chunk) {
  const int centres = static_cast<int>(std::count(chunk.is_centre.begin(), chunk.is_centre.end(), true));
  const int least = std::min(chunk.least_centres, static_cast<int>(chunk.points.size()));
  verdict.require(centres >= least && centres <= chunk.most_centres, "%d centres", centres);
  for (std::size_t i = 0; i < chunk.points.size(); ++i) {
    const Point& point = chunk.points[i];
    verdict.require(chunk.is_centre[point.centre], "point %zu: %d is no centre", i, point.centre);
    double distance = 0;
    for (int d = 0; d < kDimensions; ++d)
      distance += std::pow(double{point.place[d]} - chunk.points[point.centre].place[d], 2);
    verdict.require(point.cost == point.weight * distance, "point %zu: its cost is wrong", i);
  }
}

// Clusters the points and appends the centres to `centres`, each with the weight of all its points.
void reduce(const std::vector<Point>& points, const spmd::Command& command, spmd::Verdict& verdict,
            std::vector<Point>& centres) {
  Chunk chunk(points, command[2], command[3], command.threads());
  spmd::run_threads(command.threads(), streamcluster_worker, chunk);
  check(verdict, chunk);
  std::vector<double> weights(points.size());
  for (const Point& point : chunk.points) weights[point.centre] += point.weight;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (chunk.is_centre[i]) centres.push_back({points[i].place, weights[i]});
}

// Groups of points, and the places around which they lie.
struct Stream {
  std::vector<float> places, groups;  // kDimensions numbers each
};

Stream make_stream(int points, int groups) {
  Stream stream;
  spmd::Random random(15);
  for (int i = 0; i < groups * kDimensions; ++i) stream.groups.push_back(static_cast<float>(32 + random.below(192)));
  for (int i = 0; i < points; ++i) {
    const float* middle = &stream.groups[random.below(static_cast<unsigned>(groups)) * kDimensions];
    for (int d = 0; d < kDimensions; ++d)
      stream.places.push_back(middle[d] - 16 + static_cast<float>(random.below(33)));
  }
  return stream;
}

// The sum over all points of the squared distance to the nearest of these.
double cost(const Stream& stream, const std::vector<Point>& centres) {
  double sum = 0;
  for (std::size_t i = 0; i < stream.places.size(); i += kDimensions) {
    float least = 1e9f;
    for (const Point& centre : centres) least = std::min(least, squared_distance({&stream.places[i], 1}, centre));
    sum += least;
  }
  return sum;
}

}  // namespace
}  // namespace streamcluster

int main(int argc, char** argv) {
  using streamcluster::kDimensions;
  const spmd::Command command(argc, argv,
                              {{"POINTS", 40, 600, 1, 1 << 20},
                               {"CHUNK", 24, 300, 1, 1 << 20},
                               {"LEAST_CENTRES", 2, 10, 1, 1000},
                               {"MOST_CENTRES", 4, 20, 1, 1000}});
  const int count = command[0], chunk = command[1];
  const streamcluster::Stream stream = streamcluster::make_stream(count, command[2]);
  spmd::Verdict verdict;
  std::vector<streamcluster::Point> points, centres, final_centres;
  for (int i = 0; i < count; ++i) {
    points.push_back({&stream.places[i * kDimensions], 1});
    if (static_cast<int>(points.size()) < chunk && i < count - 1) continue;
    streamcluster::reduce(points, command, verdict, centres);
    points.clear();
  }
  streamcluster::reduce(centres, command, verdict, final_centres);

  double weight = 0;
  for (const streamcluster::Point& centre : final_centres) weight += centre.weight;
  verdict.require(weight == count, "the centres have the weight of %g points", weight);
  const double got = streamcluster::cost(stream, final_centres);
  std::vector<streamcluster::Point> groups;
  for (int i = 0; i < command[2]; ++i) groups.push_back({&stream.groups[i * kDimensions], 1});
  const double planted = streamcluster::cost(stream, groups);
  // A random point of a group costs twice as much as its middle; a second level of clustering may double that again.
  verdict.require(got <= 4 * planted, "cost %g, with the groups' middles as centres %g", got, planted);
  std::printf("streamcluster: %d points, %zu centres, cost %.0f\n", count, final_centres.size(), got);
  return verdict.conclude();
}
