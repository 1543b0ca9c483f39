// Builds the page from the data in it.
import { Clock } from "./clock";
import { makeConvergence } from "./convergence";
import { decode, readReport, Report } from "./data";
import { makeFoot } from "./details";
import { el } from "./dom";
import { makeHead } from "./head";
import { listenToKeys } from "./keyboard";
import { groupsOf } from "./panels";
import { makePlayer, Player } from "./player";
import { makePlots } from "./plots";
import { makeSweep } from "./sweep/page";
import { startTheme } from "./theme";

/** From the first time of any run to the last. */
function makeClock(report: Report): Clock {
  const times = report.runs.flatMap((run) => [run.time, run.scene?.time]).map((values) => decode(values ?? []));
  const ends = times.flatMap((time) => (time.length ? [time[0], time[time.length - 1]] : []));
  return ends.length ? new Clock(Math.min(...ends), Math.max(...ends)) : new Clock(0, 0);
}

function tryPlayer(report: Report, clock: Clock): Player | null {
  if (!report.runs.some((run) => run.scene)) return null;
  try {
    return makePlayer(report.runs, clock);
  } catch (error) {
    const element = el(
      "p",
      { class: "notice" },
      `The animation cannot be shown here (${error instanceof Error ? error.message : error}).`,
    );
    return { element, fit: () => {}, step: () => {}, keep: () => {} };
  }
}

function show(report: Report): void {
  document.title = `${report.name} – Invar`;
  if (report.sweep) {
    document.body.append(makeHead(report), makeSweep(report, report.sweep), makeFoot(report));
    return;
  }
  const clock = makeClock(report);
  const player = tryPlayer(report, clock);
  const plots = makePlots(groupsOf(report), report.runs, clock);
  const right = el(
    "div",
    { class: "side" },
    ...(report.convergence ? [makeConvergence(report.convergence)] : []),
    plots.element,
  );
  document.body.append(
    makeHead(report),
    el("main", { class: player ? "with-player" : "" }, ...(player ? [player.element] : []), right),
    makeFoot(report),
  );
  const hundredth = (clock.to - clock.from) / 100;
  listenToKeys(clock, {
    step: (frames) => (player ? player.step(frames) : clock.seek(clock.time + frames * hundredth)),
    reset: () => {
      player?.fit();
      plots.resetZoom();
    },
    keep: () => player?.keep(),
    mark: () => plots.mark(),
  });
  clock.seek(clock.from);
}

startTheme();
show(readReport());
