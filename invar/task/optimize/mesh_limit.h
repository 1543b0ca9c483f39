// The limit of a cost on ever finer meshes, from meshes that are halved each time: c(h) = c + a hᵖ gives
//
//   p = log₂ (c₂ - c₁)/(c₃ - c₂),   c = c₃ + (c₃ - c₂)/(2ᵖ - 1)
//
// with the order that the costs show, not the one that a scheme promises for smooth inputs [L. F. Richardson, Phil.
// Trans. R. Soc. A 210 (1911) 307; P. J. Roache, J. Fluids Eng. 116 (1994) 405]. Where they show the promised one but
// for the next terms, that is taken; where they show none there is no limit to tell.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace invar {

struct MeshLimit {
  std::optional<double> value, order;
  std::string why_none;  // empty if there is a value
};

// `costs` of the coarsest mesh first. `promised` is the order of the scheme, `solved` the relative error of a cost.
MeshLimit mesh_limit(std::span<const double> costs, int promised, double solved);

}  // namespace invar
