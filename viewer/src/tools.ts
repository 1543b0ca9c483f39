// What can be done with a plot besides looking: other axes, its spectrum, files, the whole screen.
import { Chart } from "./chart";
import { withUnit } from "./format";
import { makeMenu, menuItem } from "./menu";
import { Curve } from "./panels";
import { fileName, quoted, rasterised, save } from "./save";
import { spectrum } from "./spectrum";
import { svgPlot } from "./svg_plot";

function drawing(chart: Chart) {
  const { title, xTitle, xLog } = chart.options, { curves } = chart;
  return svgPlot({
    title,
    xTitle,
    xLog,
    curves: curves
      .filter((_, index) => chart.shows(index))
      .map((curve) => ({ ...curve, dots: curve.dotted })),
    x: chart.seen(),
    y: chart.heights(),
    log: chart.log,
  });
}

/** The rows in the window: a table for each list of times, side by side if they share it. */
function csv(chart: Chart): string {
  const { xTitle } = chart.options, { curves } = chart, [from, to] = chart.seen();
  const tables = new Map<Float64Array, Curve[]>();
  curves.forEach((curve, index) => chart.shows(index) && tables.set(curve.x, [...(tables.get(curve.x) ?? []), curve]));
  const text = [...tables].map(([x, own]) => {
    const head = [xTitle.replace(/ \[.*/, ""), ...own.map((curve) => quoted(curve.name ?? curve.label))].join(",");
    const rows = Array.from(x.keys()).filter((i) => x[i] >= from && x[i] <= to);
    return [head, ...rows.map((i) => [x[i], ...own.map(({ y }) => y[i])].join(","))].join("\n");
  });
  return `${text.join("\n\n")}\n`;
}

/** The spectra of what is seen of the curves, below the plot; renewed by asking again. */
class Spectra {
  private shown?: Chart;

  constructor(private chart: Chart) {}

  toggle(): void {
    const before = this.shown;
    before?.element.remove();
    this.shown = undefined;
    if (before) return;
    const { title } = this.chart.options, { curves } = this.chart;
    const own = curves.filter((curve, index) => !curve.dashed && this.chart.shows(index));
    const made = own.flatMap((curve): Curve[] => {
      const parts = spectrum(curve.x, curve.y, this.chart.seen());
      return parts ? [{ label: curve.label, name: curve.name, unit: curve.unit, colour: curve.colour, x: parts.f,
        y: parts.a }] : [];
    });
    if (!made.length) return;
    const plain = title.replace(/ \[.*/, "");
    this.shown = new Chart({ title: withUnit(`Amplitudes of ${plain}`, own[0].unit), xTitle: "f [Hz]", log: true,
      curves: made, events: [] });
    this.shown.visible = true;
    addTools(this.shown, false);
    this.chart.element.append(this.shown.element);
    this.shown.build();
  }
}

export function addTools(chart: Chart, withSpectrum = true): void {
  const { title, curves } = chart.options;
  const name = (ending: string) => fileName(curves.length === 1 ? (curves[0].name ?? title) : title, ending);
  const log = menuItem(chart.log ? "linear axis" : "log axis",
    "absolute values on a logarithmic axis, or values on a linear one", () => {
    chart.setLog(!chart.log);
    log.textContent = chart.log ? "linear axis" : "log axis";
  });
  const spectra = new Spectra(chart);
  chart.element.append(makeMenu(`Tools of the plot ${title}`, [
    log,
    ...(withSpectrum ? [menuItem("spectrum", "amplitudes over frequency, of what is seen of the curves", () =>
      spectra.toggle())] : []),
    menuItem("full screen", "until Escape", () => void chart.element.requestFullscreen?.()),
    menuItem("SVG", "as a picture for papers", () => save(name("svg"), drawing(chart).text, "image/svg+xml")),
    menuItem("PNG", "as a picture of pixels", async () => {
      const { text, width, height } = drawing(chart);
      save(name("png"), await rasterised(text, width, height));
    }),
    menuItem("CSV", "the rows that are seen", () => save(name("csv"), csv(chart), "text/csv")),
  ]));
}
