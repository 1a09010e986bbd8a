// Clustering of a stream of points after PARSEC's streamcluster (Bienia et al. 2008): each chunk of the stream is
// reduced to some centres, weighted with the number of their points; in the end these are clustered once more.
#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/threads.h"
#include "common/verdict.h"
#include "search.h"

namespace streamcluster {
namespace {

// What the threads work through: chunk by chunk of the stream, then all chunks' centres.
struct Clustering {
  Clustering(std::vector<Point> points, int chunk_size, int least_centres, int most_centres, int threads)
      : stream(std::move(points)),
        chunk_size(chunk_size),
        least_centres(least_centres),
        most_centres(most_centres),
        threads(threads),
        barrier(threads) {}

  int stream_chunks() const { return (static_cast<int>(stream.size()) + chunk_size - 1) / chunk_size; }

  std::vector<Point> stream;
  int chunk_size, least_centres, most_centres, threads;
  spmd::Barrier barrier;
  std::deque<Chunk> chunks;    // the last is the present one
  std::vector<Point> centres;  // of all chunks since the last were taken, each with the weight of its points
};

void start_chunk(Clustering& clustering, int number) {
  std::vector<Point> points;
  if (number < clustering.stream_chunks()) {
    const int first = number * clustering.chunk_size;
    const int count = std::min(clustering.chunk_size, static_cast<int>(clustering.stream.size()) - first);
    points.assign(clustering.stream.begin() + first, clustering.stream.begin() + first + count);
  } else {
    points.swap(clustering.centres);
  }
  clustering.chunks.emplace_back(points, clustering.least_centres, clustering.most_centres, clustering.threads);
}

void collect_centres(Clustering& clustering) {
  const Chunk& chunk = clustering.chunks.back();
  std::vector<double> weights(chunk.points.size());
  for (const Point& point : chunk.points) weights[point.centre] += point.weight;
  for (std::size_t i = 0; i < chunk.points.size(); ++i)
    if (chunk.is_centre[i]) clustering.centres.push_back({chunk.points[i].place, weights[i]});
}

extern "C" [[gnu::noinline]] void* streamcluster_worker(void* start) {
  const auto [clustering, thread, threads] = *static_cast<spmd::Start<Clustering>*>(start);
  for (int number = 0; number <= clustering->stream_chunks(); ++number) {
    if (thread == 0) start_chunk(*clustering, number);
    clustering->barrier.wait();
    Searcher(clustering->chunks.back(), thread, threads).run();
    clustering->barrier.wait();
    if (thread == 0) collect_centres(*clustering);
  }
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

std::vector<Point> points_at(const std::vector<float>& places) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < places.size(); i += kDimensions) points.push_back({&places[i], 1});
  return points;
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
  const spmd::Command command(argc, argv,
                              {{"POINTS", 40, 600, 1, 1 << 20},
                               {"CHUNK", 24, 300, 1, 1 << 20},
                               {"LEAST_CENTRES", 2, 10, 1, 1000},
                               {"MOST_CENTRES", 4, 20, 1, 1000}});
  const streamcluster::Stream stream = streamcluster::make_stream(command[0], command[2]);
  streamcluster::Clustering clustering(streamcluster::points_at(stream.places), command[1], command[2], command[3],
                                       command.threads());
  spmd::run_threads(command.threads(), streamcluster::streamcluster_worker, clustering);

  spmd::Verdict verdict;
  for (const streamcluster::Chunk& chunk : clustering.chunks) streamcluster::check(verdict, chunk);
  double weight = 0;
  for (const streamcluster::Point& centre : clustering.centres) weight += centre.weight;
  verdict.require(weight == command[0], "the centres have the weight of %g points", weight);
  const double got = streamcluster::cost(stream, clustering.centres);
  const double planted = streamcluster::cost(stream, streamcluster::points_at(stream.groups));
  // A random point of a group costs twice as much as its middle; a second level of clustering may double that again.
  verdict.require(got <= 4 * planted, "cost %g, with the groups' middles as centres %g", got, planted);
  std::printf("streamcluster: %d points, %zu centres, cost %.0f\n", command[0], clustering.centres.size(), got);
  return verdict.conclude();
}
