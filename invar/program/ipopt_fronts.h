// Linear systems of IPOPT solved by FrontFactors. IPOPT has a place for routines with the interface of MA27, which a
// program may set [HSL, MA27, specification, section 2]; ours stand there while an object of this class exists.
#pragma once

#include <memory>
#include <vector>

#include "invar/program/front_factors.h"

namespace invar {

class IpoptFronts {
 public:
  IpoptFronts();
  ~IpoptFronts();
  IpoptFronts(const IpoptFronts&) = delete;
  IpoptFronts& operator=(const IpoptFronts&) = delete;

  static bool possible();  // does this IPOPT have such a place?
  static constexpr const char* solver_name = "ma27";

  std::vector<std::unique_ptr<FrontFactors>> systems;  // one for every pattern that was announced
};

}  // namespace invar
