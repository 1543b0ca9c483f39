// The limit of a cost on ever finer meshes, from meshes that are halved each time: c(h) = c + a hᵖ gives
//
//   p = log₂ (c₂ - c₁)/(c₃ - c₂),   c = c₃ + (c₃ - c₂)/(2ᵖ - 1)
//
// with the order that the costs show, not the one that a scheme promises for smooth inputs [L. F. Richardson, Phil.
// Trans. R. Soc. A 210 (1911) 307; P. J. Roache, J. Fluids Eng. 116 (1994) 405]. Where they show the promised one but
// for the next terms, that is taken, and the next terms are removed one after the other as long as what each of them
// changes becomes less [W. Romberg, Norske Vid. Selsk. Forh. 28 (1955) 30]; where they show none there is no limit to
// tell.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace invar {

struct MeshLimit {
  std::optional<double> value, order;
  std::string why_none;  // empty if there is a value
};

// The powers of the step in the error of a cost: `order`, then every further one, or every second one.
struct ErrorPowers {
  int order;
  bool every_second = false;
};

// `costs` of the coarsest mesh first, with the powers that the scheme promises; `solved` is the relative error of a
// cost.
MeshLimit mesh_limit(std::span<const double> costs, const ErrorPowers& promised, double solved);

}  // namespace invar
