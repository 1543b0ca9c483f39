// Linear systems of IPOPT solved by SymmetricFactors. IPOPT has a place for routines with the interface of MA27, which
// a program may set [HSL, MA27, specification, section 2]; ours stand there while an object of this class exists.
#pragma once

#include <memory>
#include <vector>

#include "invar/program/symmetric_factors.h"

namespace invar {

class IpoptFactors {
 public:
  IpoptFactors();
  ~IpoptFactors();
  IpoptFactors(const IpoptFactors&) = delete;
  IpoptFactors& operator=(const IpoptFactors&) = delete;

  static bool possible();  // does this IPOPT have such a place?
  static constexpr const char* solver_name = "ma27";

  std::vector<std::unique_ptr<SymmetricFactors>> systems;  // one for every pattern that was announced
};

}  // namespace invar
