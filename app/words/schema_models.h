// Models, right and wrong, that have what no example has: so that the schema is made from readers that have met every
// key.
#pragma once

#include <string>
#include <vector>

#include "invar/read/key_tree.h"
#include "invar/read/test_models.h"

namespace invar::app {

// `file` is one that exists: what they name as surfaces of bodies is this file, which is none.
inline std::vector<ModelText> further_models(const std::string& file) {
  const std::string crane = test::overhead_crane() + "[initial]\ns = 0\nl = 4\nx = 0\nz = -4\n";
  const std::string beam = R"(
[[beam]]
name = "boom"
points = [[0, 0, 1], [1, 0, 1]]
normal = [0, 0, 1]
elements = 2
)";
  const std::string elastic = beam + "EA = 1e5\nGA = 1e5\nEI = [1, 1]\nGJ = 1\nmass_per_length = 1\n";
  std::vector<ModelText> models;
  for (const std::string& part : {
           std::string("[[output]]\nname = \"turn\"\norientation = \"b\"\n"),
           std::string("[[output]]\nname = \"w\"\nangular_velocity = \"b\"\nframe = \"body\"\n"),
           std::string("[[output]]\nname = \"w\"\nangular_velocity = { on = \"b\" }\n"),
           std::string("[[output]]\nname = \"w\"\norientation = { on = \"b\" }\n"),
           std::string("[[output]]\nname = \"y\"\npoint = { on = \"b\" }\n"),
           std::string(
               "[[actuator]]\nname = \"F\"\nbody = \"a\"\nat = [0, 0, 0]\nforce = [1, 0, 0]\nframe = \"body\"\n"),
           std::string("[[actuator]]\nname = \"F\"\nbody = { on = \"a\" }\ntorque = [1, 0, 0]\n"),
           std::string("[[actuator]]\nname = \"F\"\non = { between = [\"a\", \"b\"], torque = [1, 0, 0] }\n"),
           std::string("[[actuator]]\nname = \"F\"\nbetween = [{ on = \"a\" }, { on = \"b\" }]\ntorque = [1, 0, 0]\n"),
           std::string("[[actuator]]\nname = \"F\"\n"
                       "on = { body = \"b\", at = [0, 0, 0], force = [1, 0, 0], frame = \"world\" }\n"),
           std::string("[[force]]\non = \"b\"\nat = [0, 0.4, 0]\nforce = [\"sin(t)\", 0, 0]\n"),
           std::string("[[force]]\non = { on = \"b\" }\nforce = [\"sin(t)\", 0, 0]\n"),
           std::string("[[output]]\nname = \"y\"\npoint = { on = { on = \"b\" } }\n"),
           std::string("[[actuator]]\nname = \"F\"\n"
                       "on = { between = [{ on = \"a\" }, \"b\"], torque = [1, 0, 0] }\n"),
           std::string("[[actuator]]\nname = \"F\"\non = { body = { on = \"b\" }, force = [1, 0, 0] }\n"),
           std::string("[[joint]]\nname = \"C\"\ntype = \"spherical\"\nbetween = [{ on = \"b\" }, \"ground\"]\n"
                       "at = [1, 0, 0]\n"),
           std::string("[[spin]]\non = { on = \"b\" }\nangular_velocity = [0, 0, 1]\n"),
           std::string("[[bushing]]\nbetween = [{ on = \"a\" }, \"b\"]\nat = [1, 0, 0]\nstiffness = [1, 1, 1]\n"
                       "rest = [0, 0, 0]\naxes = { axis = [0, 0, 1], angle = 0.1 }\n"
                       "rest_rotation = { quaternion = [1, 0, 0, 0] }\n"),
           std::string("[[bushing]]\nbetween = [\"a\", \"b\"]\nat = [1, 0, 0]\nstiffness = [1, 1, 1]\n"
                       "axes = { bryant = [0, 0, 0] }\nrest_rotation = { matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1] }\n"),
           std::string("[[bushing]]\nbetween = [\"a\", \"b\"]\nat = [1, 0, 0]\nstiffness = [1, 1, 1]\n"
                       "axes = { matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1] }\nrest_rotation = { bryant = [0, 0, 0] }\n"),
           std::string("[[bushing]]\nbetween = [\"a\", \"b\"]\nat = [1, 0, 0]\nstiffness = [1, 1, 1]\n"
                       "axes = { quaternion = [1, 0, 0, 0] }\nrest_rotation = { axis = [0, 0, 1], angle = 0 }\n"),
           std::string("[[body]]\nname = \"c\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 0]\n"
                       "rotation = { bryant = [0, 0, 0] }\nshape = { mesh = \"model.toml\", scale = 1 }\n"),
           std::string("[[point]]\nname = \"c\"\nmass = 1\nposition = [0, 0, 0]\nshape = { sphere = 1 }\n"),
           std::string("[[point]]\nname = \"c\"\nmass = 1\nposition = [0, 0, 0]\nshape = { box = [1, 1, 1] }\n"),
           std::string("[[point]]\nname = \"c\"\nmass = 1\nposition = [0, 0, 0]\nshape = { cylinder = [1, 1] }\n"),
           std::string("[[point]]\nname = \"c\"\nmass = 1\nposition = [0, 0, 0]\n"
                       "shape = { mesh = \"model.toml\", scale = 1 }\n"),
           std::string("[[signal]]\nname = \"c\"\nfile = \"none.csv\"\nsmoothness = 3\n"),
           std::string("[[signal]]\nname = \"c\"\nvia = [0, 1]\ntimes = [0, 1]\nsmoothness = 3\n"),
           std::string("[[trajectory]]\noutputs = [\"tip.x\"]\nvia = [[0], [1]]\ntimes = [0, 1]\nsmoothness = 3\n"),
           std::string("[[trajectory]]\norientation = { on = \"b\" }\naxis = [0, 0, 1]\nangle = \"1\"\n"),
           std::string("[[joint]]\nname = \"C\"\ntype = \"revolute\"\nbetween = [\"b\", \"ground\"]\nat = [1, 0, 0]\n"
                       "axis = [0, 0, 1]\nstiffness = 1\nrest = 0.5\ndamping = 1\n"),
           beam +
               "section = { circle = 0.01 }\nmaterial = { E = 1e9, G = 4e8, density = 1000 }\nshear_correction = 0.9\n"
               "twist = \"0*s\"\nfollower_load = [0, 0, 0]\ndamping = 0.1\n",
           beam + "section = { rectangle = [0.1, 0.1] }\nmaterial = { E = 1e9, nu = 0.3, density = 1000 }\n",
           beam + "stiffness = [1,0,0,0,0,0, 0,1,0,0,0,0, 0,0,1,0,0,0, 0,0,0,1,0,0, 0,0,0,0,1,0, 0,0,0,0,0,1]\n"
                  "mass_per_length = 1\nvelocity = [0, 0, 0]\nangular_velocity = [0, 0, 0]\n",
           elastic + "from = { on = \"a\", at = [-0.5, 0, 1] }\n",
           elastic + "to = { on = \"a\", at = [0.5, 0, 1] }\n",
           elastic + "[[output]]\nname = \"y\"\npoint = { on = \"boom\", s = 0.5, at = [0, 0, 0] }\n",
           elastic + "[[output]]\nname = \"y\"\norientation = { on = \"boom\", s = 0.5 }\n",
           elastic + "[[output]]\nname = \"y\"\nangular_velocity = { on = \"boom\", s = 0.5 }\n",
           elastic + "[[force]]\non = \"boom\"\ns = 0.5\nforce = [0, 0, 1]\n",
           elastic + "[[force]]\non = { on = \"boom\", s = 0.5 }\nforce = [0, 0, 1]\n",
           elastic + "[[spin]]\non = { on = \"boom\", s = 0.5 }\nangular_velocity = [0, 0, 1]\n",
           elastic +
               "[[bushing]]\nbetween = [{ on = \"boom\", s = 1.0 }, \"b\"]\nat = [1, 0, 1]\nstiffness = [1, 1, 1]\n",
           elastic + "[[spring]]\nbetween = [{ on = \"boom\", s = 0.5 }, { on = \"a\" }]\n",
           elastic + "[[actuator]]\nname = \"F\"\nbody = { on = \"boom\", s = 0.5 }\nforce = [0, 0, 1]\n",
           elastic + "[[actuator]]\nname = \"F\"\non = { body = { on = \"boom\", s = 0.5 }, force = [0, 0, 1] }\n",
           elastic + "[[actuator]]\nname = \"F\"\nbetween = [{ on = \"boom\", s = 0.5 }, \"a\"]\ntorque = [0, 0, 1]\n",
           elastic + "[[trajectory]]\norientation = { on = \"boom\", s = 1 }\naxis = [0, 0, 1]\nangle = 1\n"
                     "duration = 1\nprofile = \"poly9\"\n",
           std::string("[[string]]\nname = \"rope\"\ncurve = [\"s\", 0, 0]\nlength = 1\nmass_per_length = 1\nEA = 10\n"
                       "velocity = [0, 0, 0]\n"),
           std::string("[[string]]\nname = \"rope\"\narc = { from = [0, 0, 0], along = [0, 1, 0], towards = [1, 0, 0], "
                       "radius = 10, angle = 0.3 }\nmass_per_length = 1\nEA = 10\ndamping = 0.1\n"),
           std::string(
               "[[string]]\nname = \"rope\"\npoints = [[0.5, 0, 0], [1.5, 0, 0]]\nmass_per_length = 1\nEA = 10\n"
               "from = { on = \"a\", at = [0, 0, 0] }\n"),
           std::string(
               "[[string]]\nname = \"rope\"\npoints = [[1.5, 0, 0], [0.5, 0, 0]]\nmass_per_length = 1\nEA = 10\n"
               "to = { on = \"a\", at = [0, 0, 0] }\n"),
           std::string(
               "[[string]]\nname = \"rope\"\npoints = [[0.5, 0, 0], [1.5, 0, 0]]\nmass_per_length = 1\nEA = 10\n"
               "from = \"a\"\nwinch = { coordinate = \"out\", stored = 5, inertia = 0.1, radius = 0.1 }\n"),
           std::string("[[cable]]\nname = \"c\"\nroute = [{ on = \"ground\" }, { on = \"a\", pulley = { inertia = 0.1, "
                       "radius = 0.2 } }, { on = \"b\" }]\n"),
       })
    models.push_back({test::two_links + part, file});
  for (const char* part :
       {"[optimize]\nhorizon = 1\nfinal = { x = { min = 0, max = 1 } }\n",
        "[optimize]\nhorizon = 1\nend_cost = \"x^2\"\nconditions = [{ expr = \"x\", min = 0, max = 1 }]\n",
        "[optimize]\nhorizon = 1\npath = [{ expr = \"x\", min = 0, max = 1 }]\n",
        "[sweep]\ntask = \"simulate\"\nover = { m = [1, 2] }\nsamples = 2\nseed = 1\nlimit = 1\n",
        "[sweep]\ncases = \"none.csv\"\nrecord = [\"x\"]\nsampling = \"sobol\"\ndevice = \"cpu\"\n",
        "[simulate]\nformulation = \"director\"\n", "[invert]\nformulation = \"director\"\n",
        "[control]\nformulation = \"director\"\n", "[equilibrium]\nformulation = \"director\"\n",
        "[simulate]\ninputs = { F = { times = [0, 1], values = [0, \"g\"] } }\n"})
    models.push_back({crane + part, file});
  return models;
}

}  // namespace invar::app
