// The compiled part of the Python module: the façade that the commands of the command line call, documents as text.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <new>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"
#include "ooo/cores.h"
#include "process/child_process.h"
#include "process/install_paths.h"
#include "process/processors.h"
#include "process/version.h"
#include "python/interruptible.h"
#include "results/store.h"
#include "simulation/cpu_work.h"
#include "simulation/key_use.h"
#include "simulation/simulation.h"
#include "sweep/failure.h"
#include "sweep/identity.h"
#include "sweep/point_list.h"
#include "sweep/side_by_side.h"
#include "sweep/sweep_files.h"

namespace warpfork::python {

namespace {

namespace py = pybind11;
using report::Json;
using simulation::CpuOptions;
using simulation::WorkOptions;

/// Whatever the command line would print behind "error: " is an Error.
template <class Work>
auto told(const Work& work) try {
  return work();
} catch (const Error&) {
  throw;
} catch (const InvariantError& error) {
  throw Error("error in warpfork itself, please report it: {}", error.what());
} catch (const std::bad_alloc&) {
  throw;
} catch (const py::error_already_set&) {
  throw;
} catch (const std::exception& error) {
  throw Error("{}", message_of(error));
}

template <class Work>
auto run_told(const Work& work, const std::function<void()>& at_times = {}) {
  return told([&] { return interruptible(work, at_times); });
}

/// Of one run: document, standard output, why the status is not 0.
std::tuple<std::string, py::bytes, std::vector<std::string>> run(const WorkOptions& options) {
  const auto work = run_told([&] {
    simulation::require_consistent(options);
    simulation::require_key_use(options, {options.mechanisms});
    return simulation::do_work(options, options.mechanisms, process::GuestOutput::Captured);
  });
  return {report::write_document(work.document()), work.outcome.output, work.outcome.complaints};
}

std::string compare(const WorkOptions& options) {
  return run_told([&] {
    simulation::require_consistent(options);
    const sweep::SideBySide compared = sweep::compare_mechanisms(options);
    compared.require_whole();
    compared.require_same_output(options.numbers_may_differ);
    return report::write_document(compared.document());
  });
}

std::string cpu_run(const CpuOptions& options, const std::string& core) {
  return run_told([&] {
    simulation::require_use(options.overrides, {core});
    return report::write_document(simulation::run_recording(options, core).document());
  });
}

std::string points(sweep::SweepFiles files) {
  return run_told([&] {
    const config::SweepPlan plan = sweep::open_plan(files);
    const sweep::PointList list = sweep::list_points(plan, sweep::ResultFolder(files.results));
    Json all = Json::array();
    for (std::size_t i = 0; i < list.points.size(); ++i) {
      const sweep::IdentifiedPoint& point = list.points[i];
      const auto cause = list.causes.find(point.id);
      const char* state = list.states[i] == sweep::PointState::There    ? "there"
                          : list.states[i] == sweep::PointState::Failed ? "failed"
                                                                        : "to run";
      all.push_back({{"id", point.id},
                     {"state", state},
                     {"cause", cause == list.causes.end() ? Json() : Json(cause->second)},
                     {"label", point.point.label()}});
    }
    return all.dump();
  });
}

/// Runs the program `warpfork` itself; what it writes goes into the two files. `at_times` is called meanwhile.
int run_command(const std::vector<std::string>& words, const std::filesystem::path& output,
                const std::filesystem::path& errors, const std::function<void()>& at_times) {
  return run_told(
      [&] {
        const process::DeferredSignals signals;
        return process::run_child({process::program_file(), words, {}, output, errors}, signals).status;
      },
      at_times);
}

std::string query(const std::filesystem::path& folder, const std::string& sql) {
  return run_told([&] {
    results::refresh(folder);
    return results::query_json(folder, sql).dump();
  });
}

template <class Entries>
Json listed(const Entries& entries) {
  Json list = Json::array();
  for (const auto& entry : entries)
    list.push_back({{"name", entry.name}, {"summary", entry.summary}, {"paper", entry.paper}});
  return list;
}

std::string mechanisms() {
  return told([] {
    return Json{{"divergence", listed(divergence_mechanisms())}, {"lanes", listed(gpu::lane_organisations())}}.dump();
  });
}

std::string machines() {
  return told([] {
    Json list = Json::array();
    for (const std::string& name : simulation::machine_names())
      list.push_back({{"name", name}, {"summary", simulation::machine_description(name).at("summary")}});
    return list.dump();
  });
}

void bind_options(py::module_& module) {
  py::class_<simulation::MechanismChoice>(module, "MechanismChoice")
      .def_readwrite("divergence", &simulation::MechanismChoice::divergence)
      .def_readwrite("lanes", &simulation::MechanismChoice::lanes);
  py::class_<gpu::SampleRequest>(module, "SampleRequest")
      .def_readwrite("share", &gpu::SampleRequest::share)
      .def_readwrite("seed", &gpu::SampleRequest::seed);
  py::class_<cuda::SaveRequest>(module, "SaveRequest")
      .def_readwrite("launch", &cuda::SaveRequest::launch)
      .def_readwrite("file", &cuda::SaveRequest::file);
  py::class_<WorkOptions>(module, "WorkOptions")
      .def(py::init<>())
      .def_readwrite("program", &WorkOptions::program)
      .def_readwrite("arguments", &WorkOptions::arguments)
      .def_readwrite("launch", &WorkOptions::launch)
      .def_readwrite("machine", &WorkOptions::machine)
      .def_readwrite("mechanisms", &WorkOptions::mechanisms)
      .def_readwrite("divergences", &WorkOptions::divergences)
      .def_readwrite("lanes", &WorkOptions::lanes)
      .def_readwrite("jobs", &WorkOptions::jobs)
      .def_readwrite("numbers_may_differ", &WorkOptions::numbers_may_differ)
      .def_readwrite("scheduler", &WorkOptions::scheduler)
      .def_readwrite("scalarize", &WorkOptions::scalarize)
      .def_readwrite("check_scalars", &WorkOptions::check_scalars)
      .def_readwrite("overrides", &WorkOptions::overrides)
      .def_readwrite("functional_only", &WorkOptions::functional_only)
      .def_readwrite("energy", &WorkOptions::energy)
      .def_readwrite("kernels", &WorkOptions::kernels)
      .def_readwrite("launches", &WorkOptions::launches)
      .def_readwrite("lines", &WorkOptions::lines)
      .def_readwrite("interval", &WorkOptions::interval)
      .def_readwrite("check_races", &WorkOptions::check_races)
      .def_readwrite("check_memory", &WorkOptions::check_memory)
      .def_readwrite("sample", &WorkOptions::sample)
      .def_readwrite("save", &WorkOptions::save)
      .def_readwrite("host_threads", &WorkOptions::threads)
      .def_readwrite("max_cycles", &WorkOptions::max_cycles)
      .def_readwrite("max_instructions", &WorkOptions::max_instructions);
  py::class_<CpuOptions>(module, "CpuOptions")
      .def(py::init<>())
      .def_readwrite("recording", &CpuOptions::recording)
      .def_readwrite("machine", &CpuOptions::machine)
      .def_readwrite("warps", &CpuOptions::warps)
      .def_readwrite("threads", &CpuOptions::threads)
      .def_readwrite("overrides", &CpuOptions::overrides);
}

}  // namespace

PYBIND11_MODULE(_warpfork, module) {
  py::register_exception<Error>(module, "Error");
  bind_options(module);
  module.attr("version") = process::tool().version;
  module.attr("causes") = std::vector<std::string>(sweep::kCauses.begin(), sweep::kCauses.end());
  module.def("processors", &process::processors);
  module.def("run", &run);
  module.def("compare", &compare);
  module.def("cpu_run", &cpu_run);
  module.def("cores", &ooo::core_names);
  module.def("points", [](const std::string& plan, const std::string& results) { return points({plan, results}); });
  module.def("run_command", &run_command);
  module.def("query", &query);
  module.def("mechanisms", &mechanisms);
  module.def("machines", &machines);
  module.def("machine", [](const std::string& name) {
    return told([&] { return simulation::machine_description(name).dump(); });
  });
  module.def("find_program",
             [](const std::string& name) { return told([&] { return sweep::find_program_file(name); }); });
}

}  // namespace warpfork::python
