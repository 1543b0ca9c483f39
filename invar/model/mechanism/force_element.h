// What pulls, pushes or brakes bodies without being an input: springs, loads, bushings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace invar {

struct Attachment;
class Loads;
struct MemberLine;
struct NamedCoordinate;

class ForceElement {
 public:
  enum class Picture {
    none,
    spring,
    sign,
    member
  };  // nothing; a spring between its ends; a sign like that of a joint at the first one; a beam or string through all

  virtual ~ForceElement() = default;

  virtual std::string_view kind() const = 0;         // as in model files: "spring"
  virtual void act(Loads& loads) const = 0;          // adds its potential, its dissipation, its forces
  virtual std::vector<Attachment> ends() const = 0;  // which bodies it connects, and where; none if it connects nothing
  virtual Picture picture() const = 0;
  virtual const MemberLine* member() const { return nullptr; }           // of a beam or string: see member_line.h
  virtual const NamedCoordinate* coordinate() const { return nullptr; }  // that comes with it

  std::string name;
};

}  // namespace invar
