// See watch_page.h. The next report is loaded behind the one that is seen, and takes its place when it is ready, so
// nothing flickers and the page stays scrolled as it was.
#include "app/serve/watch_page.h"

namespace invar::app {

std::string_view watch_page() {
  return R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self';
               frame-src 'self'">
<title>invar watch</title>
<style>
  :root { color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --bad: #b3261e; --quiet: #666; }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #16181b; --ink: #e6e6e6; --bad: #ff8a80; --quiet: #9a9a9a; }
  }
  html, body { margin: 0; height: 100%; background: var(--paper); color: var(--ink);
               font: 15px/1.45 system-ui, sans-serif; }
  iframe { position: fixed; inset: 0; width: 100%; height: 100%; border: 0; background: var(--paper); }
  iframe.next { visibility: hidden; }
  #said { position: fixed; right: 12px; bottom: 8px; z-index: 3; color: var(--quiet); font-size: 13px;
          pointer-events: none; background: var(--paper); padding: 0 6px; border-radius: 4px; }
  #error { position: fixed; left: 0; right: 0; top: 0; z-index: 2; margin: 0; padding: 14px 20px;
           background: var(--paper); border-bottom: 3px solid var(--bad); max-height: 60%; overflow: auto; }
  #error[hidden] { display: none; }
  #message { color: var(--bad); font-weight: 600; white-space: pre-wrap; overflow-wrap: anywhere; }
  #excerpt { margin: 8px 0 0; font: 13px/1.5 ui-monospace, monospace; white-space: pre; overflow-x: auto; }
  #excerpt .here { color: var(--bad); font-weight: 700; }
</style>
</head>
<body>
<div id="error" role="alert" hidden><div id="message"></div><pre id="excerpt"></pre></div>
<div id="said" role="status">waiting for the first run</div>
<script>
  "use strict";
  const one = id => document.getElementById(id);
  let shown = null, next = null, number = 0;
  // Where the reader has scrolled to. A page grows while it is made: so until it is as long as it was, or for a second.
  let place = { x: 0, y: 0 };
  function stay(view, until) {
    view.scrollTo(place.x, place.y);
    if (Math.abs(view.scrollY - place.y) > 1 && performance.now() < until) return void setTimeout(stay, 20, view, until);
    view.onscroll = () => { place = { x: view.scrollX, y: view.scrollY }; };
  }
  function load(version) {
    if (next) next.remove();
    const frame = next = document.createElement("iframe");
    frame.className = "next";
    frame.title = "report";
    frame.src = "report?" + version;
    frame.onload = () => {
      if (frame !== next) return;
      if (shown) shown.remove();
      stay(frame.contentWindow, performance.now() + 1000);
      frame.className = "";
      shown = frame; next = null;
      if (frame.contentDocument) document.title = frame.contentDocument.title;
      document.body.dataset.shown = version;
    };
    document.body.append(frame);
  }
  function tell(state) {
    one("error").hidden = !state.error;
    one("message").textContent = state.error || "";
    one("excerpt").replaceChildren(...(state.excerpt || []).map(([line, text]) => {
      const row = document.createElement("div");
      row.textContent = String(line).padStart(5) + "  " + text;
      if (line === state.line) row.className = "here";
      return row;
    }));
    one("said").textContent = state.said || "";
    if (state.report !== number && state.report > 0) load(number = state.report);
  }
  const events = new EventSource("events");
  events.onmessage = event => tell(JSON.parse(event.data));
  events.onerror = () => { one("said").textContent = "invar watch has ended"; };
</script>
</body>
</html>
)html";
}

}  // namespace invar::app
