// Clustering of one chunk of points by local search (O'Callaghan et al. 2002; Charikar and Guha 1999), by several
// threads: which of the points should be centres, if a centre costs as much as `opening cost` and a point its weight
// times the squared distance to its centre.
//
// Every thread runs through the same steps and takes the same decisions; it looks at its own share of the points.
#pragma once

#include <utility>
#include <vector>

#include "common/random.h"
#include "common/threads.h"

namespace streamcluster {

constexpr int kDimensions = 32;

struct Point {
  const float* place;  // whole numbers of at most eight bits: squared distances are exact, and so are all sums of costs
  double weight;
  double cost = 0;  // with its present centre
  int centre = 0;   // which point that is
};

inline float squared_distance(const Point& one, const Point& other) {
  float sum = 0;
  for (int i = 0; i < kDimensions; ++i) sum += (one.place[i] - other.place[i]) * (one.place[i] - other.place[i]);
  return sum;
}

// What the threads share.
struct Chunk {
  Chunk(std::vector<Point> given, int least_centres, int most_centres, int threads)
      : least_centres(least_centres),
        most_centres(most_centres),
        points(std::move(given)),
        is_centre(points.size()),
        slots(points.size()),
        switches(points.size()),
        partial(threads),
        savings(threads),
        barrier(threads) {}

  int least_centres, most_centres;
  std::vector<Point> points;
  std::vector<char> is_centre;

  std::vector<int> slots;      // of a centre: its place in `savings` and `closes`
  std::vector<char> switches;  // of a point: whether the candidate is nearer than its centre
  std::vector<char> closes;    // of a centre's slot
  std::vector<int> candidates;
  std::vector<double> partial;               // one number of each thread
  std::vector<std::vector<double>> savings;  // [thread][slot]
  spmd::Random random{14};                   // thread 0 draws
  spmd::Barrier barrier;

  spmd::Lock announcement;  // guards the three below
  spmd::Condition announced;
  int announcements = 0;
  int opened = 0;  // the newest centre, or kNoMore
};

constexpr int kNoMore = -1;

// One thread's view of the search.
class Searcher {
 public:
  Searcher(Chunk& chunk, int thread, int threads)
      : chunk_(chunk),
        thread_(thread),
        threads_(threads),
        mine_(spmd::share(static_cast<int>(chunk.points.size()), threads, thread)) {}

  // Looks for the opening cost that leads to as many centres as are wanted.
  void run();

 private:
  double sum_over_threads(double mine);
  void assign(int centre);
  int open_at_random();
  void follow_announcements(int seen);
  void announce(int opened);
  void draw_candidates();
  void shuffle_candidates();
  int number_centres();
  double try_centre(int candidate);
  void close_and_switch(int candidate);
  void improve(double tolerance);
  double total_cost();
  void open_all();

  Chunk& chunk_;
  int thread_, threads_;
  spmd::Range mine_;
  double opening_cost_ = 0;
  int centres_ = 0;
};

}  // namespace streamcluster
