// Fields of charges in the plane after SPLASH-2's fmm (Woo et al. 1995; Singh et al. 1995): the adaptive fast multipole
// method. All threads build a quadtree together; each gets a zone of it of equal cost, and for the boxes of its zone
// finds the lists of boxes to interact with, sums up multipole series, turns them into local ones, and adds the
// fields of near charges directly.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/threads.h"
#include "common/verdict.h"
#include "lists.h"

namespace fmm {
namespace {

// Estimates of thousands of operations: a box translates some twenty series, a charge meets some hundred others.
constexpr int kBoxCost = 20, kChargeCost = 3;

constexpr double kSamePlace = 1e-12;  // charges so near to each other have no field there

struct System {
  System(std::vector<Charge> given, int threads) : charges(std::move(given)), tree(threads), barrier(threads) {}

  std::vector<Charge> charges;
  Tree tree;
  spmd::Barrier barrier;
};

int own_cost(const Box& box) { return kBoxCost + kChargeCost * static_cast<int>(box.charges.size()); }

// Collects the boxes whose cost begins between two costs, counted box before children; `before` is what precedes.
void collect(Box& box, int before, spmd::Range zone, Levels& mine) {
  if (before >= zone.end || before + box.cost <= zone.begin) return;
  if (before >= zone.begin) add_to_level(mine, &box);
  before += own_cost(box);
  for_each_child(box, [&](Box* child) {
    collect(*child, before, zone, mine);
    before += child->cost;
  });
}

// One thread's part of the computation.
class Worker {
 public:
  Worker(System& system, int thread, int threads) : system_(system), thread_(thread), threads_(threads) {}

  void run() {
    build_tree();
    take_zone();
    top_down([](Box& box) { find_lists(box); });
    bottom_up([this](Box& box) { find_multipole(box); });
    for (const std::vector<Box*>& level : mine_)
      for (Box* box : level) find_local(*box);
    system_.barrier.wait();
    top_down([](Box& box) {
      if (box.parent != nullptr) shift_local(box.local, box.parent->local, box.centre - box.parent->centre);
    });
    for (const std::vector<Box*>& level : mine_)
      for (Box* box : level) find_fields(*box);
  }

 private:
  // Calls visit(box) for the boxes of the zone, level by level: when all threads have done those above or below.
  template <class Visit>
  void do_level(const Levels& boxes, std::size_t level, Visit visit) {
    if (level < boxes.size())
      for (Box* box : boxes[level]) visit(*box);
    system_.barrier.wait();
  }
  template <class Visit>
  void top_down(Visit visit) {
    for (std::size_t level = 0; level < levels_; ++level) do_level(mine_, level, visit);
  }
  template <class Visit>
  void bottom_up(Visit visit) {
    for (std::size_t level = levels_; level-- > 0;) do_level(mine_, level, visit);
  }

  void build_tree() {
    const spmd::Range range = spmd::share(static_cast<int>(system_.charges.size()), threads_, thread_);
    for (int i = range.begin; i < range.end; ++i) system_.tree.insert(system_.charges, i, thread_);
    system_.barrier.wait();
    levels_ = system_.tree.levels();
  }

  void take_zone() {
    for (std::size_t level = levels_; level-- > 0;)
      do_level(system_.tree.made_by(thread_), level, [](Box& box) {
        box.cost = own_cost(box);
        for_each_child(box, [&box](const Box* child) { box.cost += child->cost; });
        std::sort(box.charges.begin(), box.charges.end());  // so that sums do not depend on who came first
      });
    Box& root = system_.tree.root();
    collect(root, 0, spmd::share(root.cost, threads_, thread_), mine_);
  }

  void find_multipole(Box& box) {
    for (int index : box.charges) {
      const Charge& charge = system_.charges[index];
      add_charge(box.multipole, charge.charge, charge.place - box.centre);
    }
    for_each_child(box, [&box](const Box* child) {
      shift_multipole(box.multipole, child->multipole, child->centre - box.centre);
    });
  }

  void find_local(Box& box) {
    for (const Box* other : box.far) add_multipole(box.local, other->multipole, box.centre - other->centre);
    for (const Box* other : box.coarse)
      for (int index : other->charges) {
        const Charge& charge = system_.charges[index];
        add_far_charge(box.local, charge.charge, box.centre - charge.place);
      }
  }

  Charge& charge(int index) { return system_.charges[index]; }

  // Box by box, as the original; charges of the box itself pair by pair.
  void find_fields(const Box& box) {
    for (int index : box.charges) charge(index).field = evaluate_local(box.local, charge(index).place - box.centre);
    for (const Box* other : box.fine)
      for (int index : box.charges)
        charge(index).field =
            charge(index).field + evaluate_multipole(other->multipole, charge(index).place - other->centre);
    for (const Box* other : box.near) {
      if (other == &box)
        add_own(box);
      else
        add_near(box, *other);
    }
  }

  void add_near(const Box& box, const Box& other) {
    for (int index : box.charges) {
      const Complex place = charge(index).place;
      Complex field;
      for (int source : other.charges) field = field + charge(source).charge * inverse(place - charge(source).place);
      charge(index).field = charge(index).field + field;
    }
  }

  void add_own(const Box& box) {
    for (std::size_t i = 0; i < box.charges.size(); ++i) {
      Charge& one = charge(box.charges[i]);
      for (std::size_t j = i + 1; j < box.charges.size(); ++j) {
        Charge& other = charge(box.charges[j]);
        const Complex way = one.place - other.place;
        if (std::fabs(way.re) < kSamePlace && std::fabs(way.im) < kSamePlace) continue;
        const Complex inverse_way = inverse(way);
        one.field = one.field + other.charge * inverse_way;
        other.field = other.field - one.charge * inverse_way;
      }
    }
  }

  System& system_;
  int thread_, threads_;
  std::size_t levels_ = 0;
  Levels mine_;
};

extern "C" [[gnu::noinline]] void* fmm_worker(void* start) {
  const auto [system, thread, threads] = *static_cast<spmd::Start<System>*>(start);
  Worker(*system, thread, threads).run();
  return nullptr;
}

// Two dense clusters in the unit square, as in the original's default input.
std::vector<Charge> make_charges(int count) {
  spmd::Random random(16);
  std::vector<Charge> charges;
  while (static_cast<int>(charges.size()) < count) {
    const Complex middle = charges.size() % 2 == 0 ? Complex{0.3, 0.35} : Complex{0.72, 0.6};
    const double radius = 0.05 / std::sqrt(1 / random.between(0.001, 0.999) - 1);  // Plummer's law in two dimensions
    const double angle = random.between(0, 6.283185307179586);
    const Complex place = middle + radius * Complex{std::cos(angle), std::sin(angle)};
    if (std::min(place.re, place.im) > 0 && std::max(place.re, place.im) < 1)
      charges.push_back({place, random.between(0.5, 1.5) / count, {}});
  }
  return charges;
}

// Some fields against sums over all charges.
void check(spmd::Verdict& verdict, const std::vector<Charge>& charges, int samples) {
  const int count = static_cast<int>(charges.size());
  for (int sample = 0; sample < samples; ++sample) {
    const int i = static_cast<int>(std::int64_t{count} * sample / samples);
    Complex field;
    double sizes = 0;
    for (int j = 0; j < count; ++j) {
      if (j == i) continue;
      const Complex term = charges[j].charge * inverse(charges[i].place - charges[j].place);
      field = field + term;
      sizes += std::sqrt(norm(term));
    }
    // Series end after 20 terms, each at most 0.55 times the one before.
    verdict.near("field of charge", i, std::sqrt(norm(charges[i].field - field)), 0, std::pow(0.55, kTerms) * sizes);
  }
}

}  // namespace
}  // namespace fmm

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"CHARGES", 100, 5000, 2, 1 << 20}});
  fmm::System system(fmm::make_charges(command[0]), command.threads());
  spmd::run_threads(command.threads(), fmm::fmm_worker, system);

  spmd::Verdict verdict;
  fmm::check(verdict, system.charges, std::min(command[0], 100));
  std::printf("fmm: %d charges, first field %.9f %+.9fi\n", command[0], system.charges[0].field.re,
              system.charges[0].field.im);
  return verdict.conclude();
}
