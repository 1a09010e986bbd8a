#include "cuda/runtime/graphs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda {

namespace {

template <typename Map, typename Handle>
auto& known(Map& map, Handle handle) {
  const auto found = map.find(handle);
  if (found == map.end()) throw ApiError(cudaErrorInvalidValue);
  return found->second;
}

}  // namespace

void Graphs::require_graph(cudaGraph_t graph) const { known(graphs_, graph); }
const Graphs::Node& Graphs::node(cudaGraphNode_t node) const { return known(nodes_, node); }
GraphOperation& Graphs::operation(cudaGraphNode_t node) { return known(nodes_, node).operation; }
cudaGraph_t Graphs::graph(cudaGraphNode_t of) const { return node(of).graph; }
std::vector<cudaGraphNode_t> Graphs::nodes(cudaGraph_t graph) const { return known(graphs_, graph); }
const std::vector<cudaGraphNode_t>& Graphs::dependencies(cudaGraphNode_t of) const { return node(of).dependencies; }
const std::vector<Graphs::Step>& Graphs::steps(cudaGraphExec_t executable) const {
  return known(executables_, executable).steps;
}
unsigned long long Graphs::flags(cudaGraphExec_t executable) const { return known(executables_, executable).flags; }
bool Graphs::frees_memory(cudaGraphExec_t executable) const {
  return (flags(executable) & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
}

std::vector<cudaGraphNode_t> Graphs::dependents(cudaGraphNode_t on) const {
  std::vector<cudaGraphNode_t> found;
  for (const cudaGraphNode_t other : nodes(node(on).graph))
    if (std::ranges::find(dependencies(other), on) != dependencies(other).end()) found.push_back(other);
  return found;
}

cudaGraph_t Graphs::create() {
  const auto graph = reinterpret_cast<cudaGraph_t>(next_++);
  graphs_[graph];
  return graph;
}

void Graphs::destroy(cudaGraph_t graph) {
  for (const cudaGraphNode_t node : known(graphs_, graph)) nodes_.erase(node);
  graphs_.erase(graph);
  objects_.drop(graph);
}

cudaGraph_t Graphs::clone(cudaGraph_t graph) {
  for (const cudaGraphNode_t original : nodes(graph))
    if (allocates_or_frees(node(original).operation)) throw ApiError(cudaErrorInvalidValue);
  const cudaGraph_t copy = create();
  objects_.share(graph, copy);
  std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (const cudaGraphNode_t original : nodes(graph)) {
    copies[original] = add(copy, {}, node(original).operation);
    nodes_[copies[original]].original = original;
  }
  for (const auto& [original, copied] : copies)
    for (const cudaGraphNode_t dependency : node(original).dependencies)
      add_dependency(copy, copies.at(dependency), copied);
  return copy;
}

cudaGraphNode_t Graphs::find_in_clone(cudaGraphNode_t original, cudaGraph_t clone) const {
  for (const cudaGraphNode_t copy : known(graphs_, clone))
    if (node(copy).original == original) return copy;
  throw ApiError(cudaErrorInvalidValue);
}

cudaGraphNode_t Graphs::add(cudaGraph_t graph, std::span<const cudaGraphNode_t> dependencies,
                            GraphOperation operation) {
  require_graph(graph);
  for (const cudaGraphNode_t dependency : dependencies)
    if (node(dependency).graph != graph) throw ApiError(cudaErrorInvalidValue);
  const auto added = reinterpret_cast<cudaGraphNode_t>(next_++);
  nodes_[added] = {graph, std::move(operation), {}};
  graphs_[graph].push_back(added);
  for (const cudaGraphNode_t dependency : dependencies) add_dependency(graph, dependency, added);
  return added;
}

void Graphs::add_dependency(cudaGraph_t graph, cudaGraphNode_t on, cudaGraphNode_t of) {
  if (node(on).graph != graph || node(of).graph != graph) throw ApiError(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t>& dependencies = nodes_[of].dependencies;
  if (std::ranges::find(dependencies, on) == dependencies.end()) dependencies.push_back(on);
}

void Graphs::remove_dependency(cudaGraph_t graph, cudaGraphNode_t on, cudaGraphNode_t of) {
  if (node(on).graph != graph || node(of).graph != graph || std::erase(nodes_[of].dependencies, on) == 0)
    throw ApiError(cudaErrorInvalidValue);
}

void Graphs::destroy(cudaGraphNode_t gone) {
  std::vector<cudaGraphNode_t>& nodes = graphs_[node(gone).graph];
  std::erase(nodes, gone);
  for (const cudaGraphNode_t other : nodes) std::erase(nodes_[other].dependencies, gone);
  nodes_.erase(gone);
}

bool Graphs::is_before(cudaGraphNode_t first, std::span<const cudaGraphNode_t> others) const {
  std::vector<cudaGraphNode_t> open(others.begin(), others.end());
  std::set<cudaGraphNode_t> seen;
  while (!open.empty()) {
    const cudaGraphNode_t next = open.back();
    open.pop_back();
    if (next == first) return true;
    if (!seen.insert(next).second) continue;
    const std::vector<cudaGraphNode_t>& before = dependencies(next);
    open.insert(open.end(), before.begin(), before.end());
  }
  return false;
}

std::vector<Graphs::Step> Graphs::steps(cudaGraph_t graph) const {
  std::vector<cudaGraphNode_t> left = nodes(graph);
  std::set<cudaGraphNode_t> done;
  std::vector<Step> steps;
  while (!left.empty()) {
    const auto next = std::ranges::find_if(left, [&](cudaGraphNode_t candidate) {
      return std::ranges::all_of(dependencies(candidate), [&](cudaGraphNode_t on) { return done.contains(on); });
    });
    if (next == left.end()) throw ApiError(cudaErrorInvalidValue);
    steps.push_back({*next, node(*next).operation});
    done.insert(*next);
    left.erase(next);
  }
  return steps;
}

cudaGraphExec_t Graphs::instantiate(cudaGraph_t graph, unsigned long long flags) {
  std::vector<Step> instantiated = steps(graph);
  const bool is_one_at_a_time = std::ranges::any_of(instantiated, allocates_or_frees, &Step::operation);
  if (is_one_at_a_time && std::ranges::any_of(executables_, [&](const auto& e) { return e.second.source == graph; }))
    throw ApiError(cudaErrorInvalidValue);
  const auto executable = reinterpret_cast<cudaGraphExec_t>(next_++);
  executables_[executable] = {graph, std::move(instantiated), flags};
  objects_.share(graph, executable);
  return executable;
}

void Graphs::destroy(cudaGraphExec_t executable) {
  if (executables_.erase(executable) == 0) throw ApiError(cudaErrorInvalidValue);
  objects_.drop(executable);
}

Graphs::Step& Graphs::step(cudaGraphExec_t executable, cudaGraphNode_t node) {
  std::vector<Step>& steps = known(executables_, executable).steps;
  const auto found = std::ranges::find(steps, node, &Step::node);
  if (found == steps.end()) throw ApiError(cudaErrorInvalidValue);
  return *found;
}

cudaGraphExecUpdateResult Graphs::update(cudaGraphExec_t executable, cudaGraph_t graph) {
  std::vector<Step>& old = known(executables_, executable).steps;
  std::vector<Step> changed = steps(graph);
  if (old.size() != changed.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < old.size(); ++i)
    if (old[i].operation.type != changed[i].operation.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
  for (std::size_t i = 0; i < old.size(); ++i) old[i].operation = std::move(changed[i].operation);
  objects_.drop(executable);
  objects_.share(graph, executable);
  return cudaGraphExecUpdateSuccess;
}

}  // namespace warpfork::cuda
