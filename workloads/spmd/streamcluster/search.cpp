#include "search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace streamcluster {

// Exact, since all are whole numbers: the same on all threads, whatever their number.
double Searcher::sum_over_threads(double mine) {
  chunk_.partial[thread_] = mine;
  chunk_.barrier.wait();
  double sum = 0;
  for (double part : chunk_.partial) sum += part;
  chunk_.barrier.wait();
  return sum;
}

// Gives this thread's points to a new centre if it is nearer.
void Searcher::assign(int centre) {
  for (int i = mine_.begin; i < mine_.end; ++i) {
    Point& point = chunk_.points[i];
    const double cost = point.weight * squared_distance(point, chunk_.points[centre]);
    if (cost < point.cost) {
      point.cost = cost;
      point.centre = centre;
    }
  }
}

void Searcher::announce(int opened) {
  chunk_.announcement.acquire();
  chunk_.opened = opened;
  ++chunk_.announcements;
  chunk_.announced.wake_all();
  chunk_.announcement.release();
}

void Searcher::follow_announcements(int seen) {
  while (true) {
    chunk_.announcement.acquire();
    while (chunk_.announcements == seen) chunk_.announced.wait(chunk_.announcement);
    ++seen;
    const int opened = chunk_.opened;
    chunk_.announcement.release();
    if (opened == kNoMore) return;
    assign(opened);
    chunk_.barrier.wait();
  }
}

// A first solution: a point becomes a centre with the probability that its cost is to the opening cost (Meyerson 2001).
// Thread 0 throws the dice and announces new centres, the others wait for it. Returns the number of centres.
int Searcher::open_at_random() {
  const int seen = chunk_.announcements;
  for (int i = mine_.begin; i < mine_.end; ++i) {
    Point& point = chunk_.points[i];
    point.cost = point.weight * squared_distance(point, chunk_.points[0]);
    point.centre = 0;
    chunk_.is_centre[i] = i == 0;
  }
  chunk_.barrier.wait();
  if (thread_ == 0) {
    for (int i = 1; i < static_cast<int>(chunk_.points.size()); ++i) {
      if (chunk_.random.unit() * opening_cost_ >= chunk_.points[i].cost) continue;
      chunk_.is_centre[i] = true;
      announce(i);
      assign(i);
      chunk_.barrier.wait();
    }
    announce(kNoMore);
  } else {
    follow_announcements(seen);
  }
  int centres = 0;
  for (int i = mine_.begin; i < mine_.end; ++i) centres += chunk_.is_centre[i];
  return static_cast<int>(sum_over_threads(centres));
}

// So many random points, drawn by weight, that with high probability some are near every good centre; or all points.
void Searcher::draw_candidates() {
  if (thread_ == 0) {
    const std::vector<Point>& points = chunk_.points;
    const int count = static_cast<int>(points.size());
    const int wanted = static_cast<int>(3 * chunk_.least_centres * std::log(chunk_.least_centres + 1));
    std::vector<double> weights_before = {0};
    for (const Point& point : points) weights_before.push_back(weights_before.back() + point.weight);
    for (int i = 0; i < std::min(wanted, count); ++i) {
      const double drawn = chunk_.random.unit() * weights_before.back();
      const auto above = std::upper_bound(weights_before.begin(), weights_before.end(), drawn);
      chunk_.candidates.push_back(wanted < count ? static_cast<int>(above - weights_before.begin()) - 1 : i);
    }
  }
  chunk_.barrier.wait();
}

void Searcher::shuffle_candidates() {
  if (thread_ == 0)
    for (std::size_t i = chunk_.candidates.size(); i > 1; --i)
      std::swap(chunk_.candidates[i - 1], chunk_.candidates[chunk_.random.below(static_cast<unsigned>(i))]);
  chunk_.barrier.wait();
}

// Gives each centre a slot. Returns the first of this thread's.
int Searcher::number_centres() {
  int centres = 0;
  for (int i = mine_.begin; i < mine_.end; ++i) centres += chunk_.is_centre[i];
  chunk_.partial[thread_] = centres;
  chunk_.barrier.wait();
  int first = 0;
  for (int other = 0; other < thread_; ++other) first += static_cast<int>(chunk_.partial[other]);
  int slot = first;
  for (int i = mine_.begin; i < mine_.end; ++i)
    if (chunk_.is_centre[i]) chunk_.slots[i] = slot++;
  if (thread_ == 0) chunk_.closes.resize(centres_);
  chunk_.savings[thread_].assign(centres_, 0);
  chunk_.barrier.wait();
  return first;
}

// Opens the candidate if that pays, together with closing those centres whose points can then do without. Returns the
// cost saved.
double Searcher::try_centre(int candidate) {
  const int first_slot = number_centres();
  double change = 0;
  for (int i = mine_.begin; i < mine_.end; ++i) {
    const Point& point = chunk_.points[i];
    const double cost = point.weight * squared_distance(point, chunk_.points[candidate]);
    chunk_.switches[i] = cost < point.cost;
    if (cost < point.cost)
      change += cost - point.cost;
    else
      chunk_.savings[thread_][chunk_.slots[point.centre]] += point.cost - cost;
  }
  chunk_.barrier.wait();
  int closed = 0, slot = first_slot;
  for (int i = mine_.begin; i < mine_.end; ++i) {
    if (!chunk_.is_centre[i]) continue;
    double saving = opening_cost_;
    for (const std::vector<double>& of_thread : chunk_.savings) saving += of_thread[slot];
    chunk_.closes[slot++] = saving > 0;
    if (saving <= 0) continue;
    change -= saving;
    ++closed;
  }
  change = opening_cost_ + sum_over_threads(change);
  closed = static_cast<int>(sum_over_threads(closed));
  if (change >= 0) return 0;
  close_and_switch(candidate);
  centres_ += 1 - closed;
  return -change;
}

void Searcher::close_and_switch(int candidate) {
  for (int i = mine_.begin; i < mine_.end; ++i) {
    Point& point = chunk_.points[i];
    if (!chunk_.switches[i] && !chunk_.closes[chunk_.slots[point.centre]]) continue;
    point.cost = point.weight * squared_distance(point, chunk_.points[candidate]);
    point.centre = candidate;
  }
  chunk_.barrier.wait();
  for (int i = mine_.begin; i < mine_.end; ++i) {
    if (chunk_.is_centre[i] && chunk_.closes[chunk_.slots[i]]) chunk_.is_centre[i] = false;
    if (i == candidate) chunk_.is_centre[i] = true;
  }
  chunk_.barrier.wait();
}

double Searcher::total_cost() {
  double cost = 0;
  for (int i = mine_.begin; i < mine_.end; ++i) cost += chunk_.points[i].cost;
  return sum_over_threads(cost) + opening_cost_ * centres_;
}

// Tries candidates in random order, again and again until the cost falls by less than this part.
void Searcher::improve(double tolerance) {
  const int trials = static_cast<int>(3 * chunk_.most_centres * std::log(chunk_.most_centres + 1));
  double cost = total_cost(), saved;
  do {
    shuffle_candidates();
    saved = 0;
    for (int i = 0; i < trials; ++i) saved += try_centre(chunk_.candidates[i % chunk_.candidates.size()]);
    cost -= saved;
  } while (saved > tolerance * cost);
}

void Searcher::open_all() {
  for (int i = mine_.begin; i < mine_.end; ++i) {
    chunk_.points[i].centre = i;
    chunk_.is_centre[i] = true;
  }
}

void Searcher::run() {
  if (static_cast<int>(chunk_.points.size()) <= chunk_.most_centres) {
    open_all();
    return;
  }
  double all_at_first = 0;
  for (int i = mine_.begin; i < mine_.end; ++i)
    all_at_first += chunk_.points[i].weight * squared_distance(chunk_.points[i], chunk_.points[0]);
  double low = 0, high = sum_over_threads(all_at_first);  // bounds of the opening cost
  opening_cost_ = std::floor(high / 2);
  centres_ = open_at_random();
  draw_candidates();
  while (true) {
    improve(0.1);
    const bool near = 10 * centres_ >= 9 * chunk_.least_centres && 10 * centres_ <= 11 * chunk_.most_centres;
    if (near) improve(0.001);
    const bool right = centres_ >= chunk_.least_centres && centres_ <= chunk_.most_centres;
    if (right || low >= 0.999 * high) return;
    (centres_ > chunk_.most_centres ? low : high) = opening_cost_;
    opening_cost_ = std::floor((low + high) / 2);  // whole, so that sums stay exact
  }
}

}  // namespace streamcluster
