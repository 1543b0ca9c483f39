"""A plot with two logarithmic axes as SVG, with the slope of each curve in its legend."""
import math

COLOURS = ["#0b62a4", "#7a92a3", "#2f8f5b", "#b5651d", "#a83279", "#6b4fbb", "#c0392b", "#555555"]


def slope(points):
    x = [math.log(p[0]) for p in points]
    y = [math.log(p[1]) for p in points]
    if len(points) < 2:
        return math.nan
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def svg(curves, xlabel, ylabel, width=880, height=420):
    curves = {name: [p for p in curve if p[0] > 0 and 0 < p[1] < math.inf] for name, curve in curves.items()}
    points = [p for curve in curves.values() for p in curve]
    lo = [math.floor(math.log10(min(p[i] for p in points))) for i in (0, 1)]
    hi = [max(lo[i] + 1, math.ceil(math.log10(max(p[i] for p in points)))) for i in (0, 1)]
    left, right, top, bottom = 60, 340, 16, 44

    def place(p):
        return (left + (math.log10(p[0]) - lo[0]) / (hi[0] - lo[0]) * (width - left - right),
                height - bottom - (math.log10(p[1]) - lo[1]) / (hi[1] - lo[1]) * (height - top - bottom))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           f'font-size="12"><rect width="{width}" height="{height}" fill="white"/>']
    for k in range(lo[0], hi[0] + 1):
        x, y = place((10.0**k, 10.0 ** lo[1]))
        out.append(f'<path d="M{x:.1f} {top}V{y:.1f}" stroke="#ddd"/><text x="{x:.1f}" y="{y + 16:.1f}" '
                   f'text-anchor="middle">{10.0**k:g}</text>')
    for k in range(lo[1], hi[1] + 1):
        x, y = place((10.0 ** lo[0], 10.0**k))
        out.append(f'<path d="M{x:.1f} {y:.1f}H{width - right}" stroke="#ddd"/><text x="{x - 6:.1f}" y="{y + 4:.1f}" '
                   f'text-anchor="end">{10.0**k:g}</text>')
    middle = left + (width - left - right) / 2
    out.append(f'<text x="{middle}" y="{height - 8}" text-anchor="middle">{xlabel}</text>'
               f'<text transform="translate(14 {height / 2}) rotate(-90)" text-anchor="middle">{ylabel}</text>')
    for i, (name, curve) in enumerate(curves.items()):
        if not curve:
            continue
        colour = COLOURS[i % len(COLOURS)]
        places = [place(p) for p in curve]
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.8" points="'
                   + " ".join(f"{x:.1f},{y:.1f}" for x, y in places) + '"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        told = f" (slope {slope(curve):.2f})" if len(curve) > 1 else ""
        y = top + 14 + 20 * i
        out.append(f'<circle cx="{width - right + 16}" cy="{y - 4}" r="4" fill="{colour}"/>'
                   f'<text x="{width - right + 26}" y="{y}">{name}{told}</text>')
    return "".join(out) + "</svg>\n"
