"""Satellite with a manipulator: Kane's equations in the angle α of the elbow and the place s of the slider on its rod.

Satellite and base rod turn at constant rates Ω₁, Ω₂, so R₁ = exp(t Ω₁), R₂ = exp(t Ω₂) and the elbow at R₁ c₁ + R₂ c₂
is known, with c₁ = (0, 0, 1.5) from the satellite's centre to the shoulder and c₂ = (0, 0, L). Slider rod and slider
have the orientation R₃ = R₂ Rx(α); from the elbow their centres are at r₃ = (0, 0, L/2) and r₄ = (0, 0, L/2 + s). All
vectors in the frame of the slider rod:
    ω = Rx(α)ᵀ Ω₂ + α' e₁,   ω' = -α' e₁ × Rx(α)ᵀ Ω₂ + α'' e₁,   elbow'' = R₃ᵀ (R₁ Ω₁×(Ω₁×c₁) + R₂ Ω₂×(Ω₂×c₂)),
    a₃ = elbow'' + ω'×r₃ + ω×(ω×r₃),   a₄ = elbow'' + ω'×r₄ + ω×(ω×r₄) + 2 s' ω×e₃ + s'' e₃.
With partial velocities e₁ × r of α and e₃ of s, the motor's torque τ and a force F on the slider,
    α:  m₃ a₃·(e₁×r₃) + m₄ a₄·(e₁×r₄) + e₁·((J₃ + J₄) ω' + ω×(J₃ + J₄) ω) = τ + F·(e₁×r₄),     s:  m₄ a₄·e₃ = F·e₃.
In cases 1 and 3 s = 0.02 t - 0.00035 t² is prescribed and the second equation is not needed.

Data: see below; w is one turn a minute. Source: I. Zenzerović, Numerical modelling of dynamics of multibody systems in
Lie-group setting, University of Zagreb (2012), chapter 4. Method: extrapolation in 30 digits.
"""

from extrapolation import integrate
from mpmath import cos, mp, mpf, pi, sin, sqrt
from vectors import cross, dot, plus, times

TOLERANCE = 1e-14  # digits of the files

mp.dps = 30
w, L = 2 * pi / 60, mpf("1.5")
M2, M3, M4 = mpf(80), mpf(60), mpf(30)
J1, J2 = (1800, 1800, 900), (mpf("15.1125"), mpf("15.1125"), mpf("0.225"))
J3, J4 = (mpf("11.3"), mpf("11.3"), mpf("0.1")), (mpf("0.35"), mpf("0.35"), mpf("0.5"))
C1, C2 = (0, 0, mpf("1.5")), (0, 0, L)
E1, E3 = (1, 0, 0), (0, 0, 1)


def spin(inertia, rate):
    """Angular momentum for principal moments of inertia."""
    return [p * q for p, q in zip(inertia, rate)]


def turned(vector, Ω, t):
    """exp(t Ω) vector, by the formula of Rodrigues."""
    rate = sqrt(dot(Ω, Ω))
    axis = times(1 / rate, Ω)
    across = cross(axis, vector)
    return plus(vector, times(sin(rate * t), across), times(1 - cos(rate * t), cross(axis, across)))


def into_rod(vector, α):
    """Rx(α)ᵀ vector, from the frame of the base rod to that of the slider rod."""
    x, y, z = vector
    return [x, y * cos(α) + z * sin(α), z * cos(α) - y * sin(α)]


class Case:
    """Rates of satellite and base rod, torque of the motor by the slider's place, force on the slider; is it free?"""

    def __init__(self, Ω1, Ω2, torque, force, free):
        self.Ω1, self.Ω2, self.torque, self.force, self.free = Ω1, Ω2, torque, force, free

    def slider(self, t, state):
        """Place and rate of the slider."""
        return state[2:] if self.free else (mpf("0.02") * t - mpf("0.00035") * t**2, mpf("0.02") - mpf("0.0007") * t)

    def rates(self, t, state):
        α, dα = state[:2]
        s, ds = self.slider(t, state)
        base = into_rod(self.Ω2, α)
        ω = plus(base, times(dα, E1))
        dω = times(-dα, cross(E1, base))  # without α''
        centripetal = turned(cross(self.Ω1, cross(self.Ω1, C1)), self.Ω1, t)
        elbow = plus(turned(centripetal, self.Ω2, -t), cross(self.Ω2, cross(self.Ω2, C2)))
        elbow = into_rod(elbow, α)
        r3, r4 = (0, 0, L / 2), (0, 0, L / 2 + s)
        a3 = plus(elbow, cross(dω, r3), cross(ω, cross(ω, r3)))
        a4 = plus(elbow, cross(dω, r4), cross(ω, cross(ω, r4)), times(2 * ds, cross(ω, E3)))  # without s''
        J = [p + q for p, q in zip(J3, J4)]
        gyro = plus(spin(J, dω), cross(ω, spin(J, ω)))
        swing3, swing4 = cross(E1, r3), cross(E1, r4)
        active = self.torque(s) + dot(self.force, swing4)
        inertial = M3 * dot(a3, swing3) + M4 * dot(a4, swing4) + dot(E1, gyro)  # s'' does not enter: e₃·(e₁×r₄) = 0
        ddα = (active - inertial) / (M3 * dot(swing3, swing3) + M4 * dot(swing4, swing4) + J[0])
        return [dα, ddα, ds, dot(self.force, E3) / M4 - dot(a4, E3)] if self.free else [dα, ddα]

    def line(self, t, state):
        α, dα = state[:2]
        s, ds = self.slider(t, state)
        to_world = lambda a: turned(into_rod(a, -α), self.Ω2, t)
        shoulder, arm = turned(C1, self.Ω1, t), turned(C2, self.Ω2, t)
        places = [plus(shoulder, arm, to_world((0, 0, L / 2 + a))) for a in (0, s)]
        directors = [to_world(a) for a in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
        line = {"t": t, "alpha": α, "s": s, "alpha'": dα, "s'": ds}
        names = "slider_rod", "slider", "slider_rod.d1", "slider_rod.d2", "slider_rod.d3"
        for name, vector in zip(names, places + directors):
            line |= {f"{name}.{axis}": a for axis, a in zip("xyz", vector)}
        return line | {"energy.kinetic": self.kinetic_energy(t, α, dα, s, ds)}

    def kinetic_energy(self, t, α, dα, s, ds):
        v1 = cross(self.Ω1, turned(C1, self.Ω1, t))  # of the shoulder
        half, whole = [cross(self.Ω2, turned(times(a, C2), self.Ω2, t)) for a in (mpf("0.5"), 1)]
        ω = plus(into_rod(self.Ω2, α), times(dα, E1))
        relative = [plus(cross(ω, (0, 0, L / 2 + a)), (0, 0, b)) for a, b in ((0, 0), (s, ds))]  # to the elbow
        v3, v4 = [turned(into_rod(v, -α), self.Ω2, t) for v in relative]
        squares = [(M2, plus(v1, half)), (M3, plus(v1, whole, v3)), (M4, plus(v1, whole, v4))]
        spins = [(J1, self.Ω1), (J2, self.Ω2), (J3, ω), (J4, ω)]
        return (sum(m * dot(v, v) for m, v in squares) + sum(dot(a, spin(J, a)) for J, a in spins)) / 2

    def table(self):
        instants = [mpf(i) for i in range(61)]
        start = [mpf(0), mpf("-0.43") * w] + ([mpf(0), mpf(0)] if self.free else [])
        for t, state in zip(instants, integrate(self.rates, instants, start, tolerance=mpf("1e-22"))):
            yield self.line(t, state)


STEADY = mpf("-0.00058") * J3[0]


def motor(s):
    """A steady torque, and what balances the force of 25 N on the slider."""
    return STEADY + 25 * (s + L / 2)


def reference():
    """Case 1: rates about one axis each, the slider prescribed, a force across its rod."""
    return Case((0, 0, w), (w / 4, 0, 0), motor, (0, 25, 0), free=False).table()


def free_slider():
    """Case 2: the slider free, with a weak force along the rod."""
    return Case((0, 0, w), (w / 4, 0, 0), lambda s: STEADY, (0, 0, mpf("-0.014")), free=True).table()


def two_axes():
    """Case 3: as case 1, with rates about two axes each."""
    return Case((0, w, 3 * w / 2), (w / 4, w, 0), motor, (0, 25, 0), free=False).table()
