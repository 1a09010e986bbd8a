// Clustering after Rodinia's kmeans (Che et al. 2009; MineBench): every point goes to the nearest of K centres, centres
// move to the mean of their points, until hardly any point changes. Points are divided over the threads; each adds up
// the new centres of its own points, and thread 0 adds the sums.
//
// Features are small whole numbers, as most of the original's network records are, so that sums in single precision
// are exact: the result does not depend on the number of threads.
#include <omp.h>

#include <cfloat>
#include <cmath>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/verdict.h"

namespace {

constexpr int kFeatures = 34;  // of a record of the KDD Cup data
constexpr int kClusters = 5;
constexpr int kMostRounds = 500;

struct Point {
  float features[kFeatures];
};

struct Sums {
  Point features[kClusters];
  int points[kClusters];
};

struct Clustering {
  std::vector<Point> centres;
  std::vector<int> nearest;           // of each point: which centre
  std::vector<Point> centres_before;  // those that `nearest` refers to
};

float squared_distance(const Point& one, const Point& other) {
  float sum = 0;
  for (int i = 0; i < kFeatures; ++i)
    sum += (one.features[i] - other.features[i]) * (one.features[i] - other.features[i]);
  return sum;
}

int find_nearest(const Point& point, const std::vector<Point>& centres) {
  int nearest = 0;
  float least = FLT_MAX;
  for (int i = 0; i < kClusters; ++i) {
    const float distance = squared_distance(point, centres[i]);
    if (distance < least) {
      least = distance;
      nearest = i;
    }
  }
  return nearest;
}

void move_centres(std::vector<Point>& centres, const std::vector<Sums>& partial) {
  for (int cluster = 0; cluster < kClusters; ++cluster) {
    Point total{};
    int points = 0;
    for (const Sums& sums : partial) {
      points += sums.points[cluster];
      for (int i = 0; i < kFeatures; ++i) total.features[i] += sums.features[cluster].features[i];
    }
    if (points == 0) continue;  // an empty cluster stays where it is
    for (int i = 0; i < kFeatures; ++i) centres[cluster].features[i] = total.features[i] / static_cast<float>(points);
  }
}

extern "C" [[gnu::noinline]] void kmeans_worker(const std::vector<Point>& points, Clustering& clustering, int threads) {
  const int count = static_cast<int>(points.size());
  int changed = count;
  for (int round = 0; round < kMostRounds && changed > count / 1000; ++round) {
    std::vector<Sums> partial(threads);
    changed = 0;
#pragma omp parallel reduction(+ : changed)
    {
      Sums& mine = partial[omp_get_thread_num()];
#pragma omp for schedule(static)
      for (int i = 0; i < count; ++i) {
        const int nearest = find_nearest(points[i], clustering.centres);
        if (nearest != clustering.nearest[i]) ++changed;
        clustering.nearest[i] = nearest;
        ++mine.points[nearest];
        for (int f = 0; f < kFeatures; ++f) mine.features[nearest].features[f] += points[i].features[f];
      }
    }
    clustering.centres_before = clustering.centres;
    move_centres(clustering.centres, partial);
  }
}

// Overlapping groups of points around as many random places.
std::vector<Point> make_points(int count) {
  spmd::Random random(10);
  Point places[kClusters];
  for (Point& place : places)
    for (float& feature : place.features) feature = static_cast<float>(60 + random.below(40));
  std::vector<Point> points(count);
  for (Point& point : points) {
    const Point& place = places[random.below(kClusters)];
    for (int i = 0; i < kFeatures; ++i)
      point.features[i] = place.features[i] - 40 + static_cast<float>(random.below(81));
  }
  return points;
}

// What a round must have left: each point at the nearest of the centres before it, each centre the mean of its points.
void check(spmd::Verdict& verdict, const std::vector<Point>& points, const Clustering& clustering) {
  std::vector<std::vector<double>> sums(kClusters, std::vector<double>(kFeatures + 1));
  for (std::size_t i = 0; i < points.size(); ++i) {
    double distances[kClusters] = {};
    for (int cluster = 0; cluster < kClusters; ++cluster)
      for (int f = 0; f < kFeatures; ++f)
        distances[cluster] +=
            std::pow(double{points[i].features[f]} - clustering.centres_before[cluster].features[f], 2);
    const int chosen = clustering.nearest[i];
    for (double distance : distances)  // of two equally near ones, rounding in single precision decides
      verdict.require(distances[chosen] <= distance * (1 + 1e-5), "point %zu: centre %d is not the nearest", i, chosen);
    for (int f = 0; f < kFeatures; ++f) sums[chosen][f] += points[i].features[f];
    ++sums[chosen][kFeatures];
  }
  for (int cluster = 0; cluster < kClusters; ++cluster)
    for (int f = 0; f < kFeatures && sums[cluster][kFeatures] > 0; ++f)
      verdict.near("centre", cluster, clustering.centres[cluster].features[f],
                   sums[cluster][f] / sums[cluster][kFeatures], 1e-5);
}

}  // namespace

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"POINTS", 128, 12000, kClusters, 1 << 16}});
  omp_set_num_threads(command.threads());
  const std::vector<Point> points = make_points(command[0]);
  Clustering clustering{{points.begin(), points.begin() + kClusters}, std::vector<int>(points.size(), -1), {}};
  kmeans_worker(points, clustering, command.threads());

  spmd::Verdict verdict;
  check(verdict, points, clustering);
  std::printf("kmeans: %zu points, first centre %.4f %.4f\n", points.size(), clustering.centres[0].features[0],
              clustering.centres[0].features[1]);
  return verdict.conclude();
}
