// Inputs of a flat system at very many instants: the sweeps of all stages (invar/dae/sweep.h) as a kernel, a point for
// each instant, with the given functions of time evaluated there.
//
// Expansions of a few solved jets, the bases, predict every instant: the nearest base at equal distances. Only
// coefficients on which a sweep depends are predicted and judged, since all others follow from them. What does not
// contract from the first sweep on, or is not solved after six, is told.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "invar/dae/sweep.h"
#include "invar/device/device.h"
#include "invar/device/time_pieces.h"

namespace invar {

class InstantBatch {
 public:
  // `bases` are jets at equal distances, from the first to the last instant that will be asked for, with some further
  // derivatives; of the unknowns in `wanted` values are found.
  InstantBatch(Device& device, const Sweep& sweep, std::span<const Jet> bases, std::span<const std::size_t> wanted);

  // How far apart bases may stand for these jets, so that two or three sweeps reach round-off.
  static double reach(const Jet& jet, const Sweep& sweep);

  // wanted unknown k at instant p in [k * times.size() + p], NaN where it was not found.
  std::vector<double> operator()(std::span<const double> times);

  // The same in two halves, for those who leave numbers on the device.
  void write(std::span<const double> times);
  void run();
  std::vector<double> read() const;

  Kernel::Size kernel_size() const { return kernel_->size(); }

 private:
  Device* device_;
  std::unique_ptr<Kernel> kernel_;
  std::size_t wanted_;
  double first_, distance_;
  DeviceArray bases_, places_, coefficients_;
  std::unique_ptr<DeviceArray> times_, found_;
};

}  // namespace invar
