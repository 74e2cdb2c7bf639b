/** The page's style sheet: own tokens, light and dark, narrow screens and print. No font, image or URL from outside. */
export const STYLES = `
:root {
  --paper: #f3f5f7; --card: #ffffff; --ink: #14222e; --muted: #5b6a78; --line: #dbe2e8; --soft: #eef2f5;
  --sea: #0d5c75; --link: #0b5a80;
  --idle: #a9b8c5; --low: #79b8d8; --good: #2b8aa0; --high: #dd9412; --critical: #c93f24; --used: #10222f;
  --tick: rgb(255 255 255 / .85); --track: #e3e9ee; --hatch: rgb(255 255 255 / .38);
  --warn-ink: #7a4b00; --warn-soft: #fdf1da; --bad-ink: #9c2710; --bad-soft: #fdeae5; --info-ink: #2c5470; --info-soft: #e6f1f8;
  --ok-ink: #17694f;
  color-scheme: light dark;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #0d141a; --card: #151f28; --ink: #e7eef4; --muted: #97a7b6; --line: #273643; --soft: #1b2732;
    --sea: #5fb7cf; --link: #7cc4e6;
    --idle: #5b6d7d; --low: #4b93b8; --good: #2f97ad; --high: #d8962a; --critical: #e0583c; --used: #f4f8fb;
    --tick: rgb(13 20 26 / .75); --track: #24323e; --hatch: rgb(13 20 26 / .36);
    --warn-ink: #f0bf6a; --warn-soft: #33280f; --bad-ink: #ff9b85; --bad-soft: #3a1b14; --info-ink: #9ccbe8; --info-soft: #17303f;
    --ok-ink: #7fd1b1;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif; font-variant-numeric: tabular-nums; }
.defs { position: absolute; }
.hatch { stroke: var(--hatch); stroke-width: .9; }
header, main, footer { max-width: 1180px; margin: 0 auto; padding: 0 28px; }
header { display: flex; gap: 18px; align-items: center; padding-top: 36px; padding-bottom: 22px; }
h1 { font-size: 28px; line-height: 1.15; letter-spacing: -.015em; margin: 0; font-weight: 650; }
header p { margin: 4px 0 0; color: var(--muted); }
.mark { width: 64px; height: 48px; flex: none; fill: none; stroke: var(--sea); stroke-width: 5; }
h2 { font-size: 19px; margin: 0 0 12px; font-weight: 620; letter-spacing: -.005em; }
h3 { font-size: 18px; margin: 0; font-weight: 620; display: inline; overflow-wrap: anywhere; }
h4 { font-size: 12px; text-transform: uppercase; letter-spacing: .07em; color: var(--muted); margin: 0 0 10px; font-weight: 620; }
p { margin: 0; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 3px; }
b { font-weight: 620; }
code { font: 12px/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--muted); overflow-wrap: anywhere; }
.muted, .sub { color: var(--muted); }
.sub { font-size: 13px; display: block; font-weight: 400; }
main > section { margin: 0 0 34px; }
.figures { display: grid; grid-template-columns: repeat(6, 1fr); gap: 14px; }
.tile { grid-column: span 2; background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 18px 20px; min-width: 0; }
.tile.wide { grid-column: span 3; }
.tile h2 { font-size: 12px; text-transform: uppercase; letter-spacing: .07em; color: var(--muted); margin: 0 0 6px; }
.big { font-size: 30px; line-height: 1.2; font-weight: 640; letter-spacing: -.02em; }
.big .of { font-size: 15px; font-weight: 400; letter-spacing: 0; color: var(--muted); }
.cur { font-size: .72em; font-weight: 500; color: var(--muted); letter-spacing: .02em; }
.big .cur { font-size: .55em; }
.tile .sub { font-size: 14px; margin-top: 2px; }
.chips-line { padding-top: 8px; }
.chips { display: inline-flex; flex-wrap: wrap; gap: 5px; }
.chip { display: inline-block; border-radius: 999px; padding: 1px 9px; font-size: 13px; line-height: 1.55; white-space: nowrap; background: var(--soft); color: var(--ink); font-weight: 500; }
.sev-critical, .sev-error { background: var(--bad-soft); color: var(--bad-ink); }
.sev-warning { background: var(--warn-soft); color: var(--warn-ink); }
.sev-info { background: var(--info-soft); color: var(--info-ink); }
.sev-error { white-space: normal; overflow-wrap: anywhere; }
.chip.stale { background: none; border: 1px dashed var(--muted); color: var(--muted); padding: 0 8px; }
.loads { display: grid; gap: 12px; margin-top: 8px; }
.load-name { display: flex; justify-content: space-between; gap: 12px; font-weight: 560; margin-bottom: 3px; }
.load-name .muted { font-weight: 400; font-size: 13px; }
.bar { display: block; width: 100%; height: 12px; border-radius: 3px; overflow: hidden; }
.tile .bar { height: 18px; border-radius: 4px; }
.bar.none { border: 1px dashed var(--muted); background: none; }
.track { fill: var(--track); }
.used { fill: var(--used); }
.lines { stroke: var(--tick); stroke-width: 1.5; vector-effect: non-scaling-stroke; fill: none; }
rect.idle { fill: var(--idle); } rect.low { fill: var(--low); } rect.good { fill: var(--good); } rect.high { fill: var(--high); } rect.critical { fill: var(--critical); }
.wm-text { font-size: 13px; line-height: 1.4; color: var(--muted); } .bar + .wm-text { margin-top: 4px; }
.tile .wm { display: flex; flex-wrap: wrap; gap: 0 14px; } .tile .wm-text { margin-top: 4px; } .tile .wm .bar { flex: 1 0 100%; }
.wm-text b { color: var(--ink); }
.band.high { color: var(--warn-ink); } .band.critical { color: var(--bad-ink); font-weight: 600; }
.scale { position: relative; height: 18px; margin-top: 6px; font-size: 11px; color: var(--muted); border-top: 1px solid var(--line); }
.scale span { position: absolute; padding-left: 4px; border-left: 1px solid var(--line); line-height: 17px; }
.s0 { left: 0; } .s20 { left: 20%; } .s40 { left: 40%; } .s75 { left: 75%; } .s90 { left: 90%; }
.coverage { font-size: 13px; margin-top: 8px; }
.bar.cost { margin-top: 14px; }
.tile .list { margin-top: 16px; font-size: 14px; } .tile .list tbody th, .tile .list tbody td, .tile .list tfoot * { padding-top: 3px; padding-bottom: 3px; }
.cost-workloads { fill: var(--sea); } .cost-idle { fill: var(--idle); } .cost-system { fill: var(--muted); }
.legend { list-style: none; margin: 10px 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 20px; font-size: 14px; }
.key { width: 10px; height: 10px; margin-right: 6px; border-radius: 2px; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 500; }
.num { text-align: right; white-space: nowrap; }
.fleet { background: var(--card); border: 1px solid var(--line); border-radius: 12px; border-spacing: 0; border-collapse: separate; }
.fleet thead th { font-size: 12px; color: var(--muted); padding: 10px 12px; border-bottom: 1px solid var(--line); font-weight: 560; white-space: nowrap; }
.fleet thead button { all: unset; cursor: pointer; }
.fleet thead button::after { content: " ↕"; opacity: .45; }
.fleet thead [aria-sort=ascending] button::after { content: " ↑"; opacity: 1; } .fleet thead [aria-sort=descending] button::after { content: " ↓"; opacity: 1; }
button:focus-visible, a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 3px; }
.fleet tbody th, .fleet tbody td { padding: 12px; vertical-align: top; border-bottom: 1px solid var(--line); }
.fleet .chip { white-space: nowrap; }
.fleet tbody tr:last-child > * { border-bottom: 0; }
.fleet tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 130px; }
.fleet td[data-label=Nodes] .sub { white-space: nowrap; }
.fleet td[data-label=Version] { overflow-wrap: anywhere; min-width: 112px; }
.fleet thead th.num { text-align: right; }
.wm-cell { width: 17%; min-width: 150px; }
.wm-cell .bar { margin-top: 5px; } .wm-cell .wm-text { white-space: nowrap; }
.missing { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--critical); border-radius: 12px; padding: 18px 20px; }
.missing h2 { font-size: 16px; }
.findings { list-style: none; margin: 0; padding: 0; display: grid; gap: 12px; }
.findings li { display: grid; grid-template-columns: 128px 1fr; gap: 14px; align-items: start; }
.findings li > div { min-width: 0; overflow-wrap: anywhere; }
.findings .chip { justify-self: start; }
.remedy { color: var(--muted); }
main > section > .findings { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 18px 20px; }
.missing > .findings { border: 0 !important; padding: 0 !important; }
.cluster { background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin-bottom: 14px; }
summary { padding: 15px 20px; cursor: pointer; list-style-position: outside; display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: baseline; }
summary::before { content: "▸"; color: var(--muted); width: 10px; }
details[open] > summary::before { content: "▾"; }
summary::-webkit-details-marker { display: none; }
.tags { display: inline-flex; flex-wrap: wrap; gap: 6px; font-size: 13px; align-items: center; }
.tag { background: var(--soft); border-radius: 5px; padding: 1px 8px; }
.health-healthy { color: var(--ok-ink); } .health-degraded { color: var(--warn-ink); } .health-unhealthy { color: var(--bad-ink); }
.cluster-body { padding: 4px 20px 18px; border-top: 1px solid var(--line); }
.part { padding: 20px 0 6px; } .part + .part { border-top: 1px solid var(--soft); }
.part > p { margin-bottom: 8px; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 10px 24px; margin: 0 0 10px; }
.facts dt { font-size: 12px; color: var(--muted); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
.list caption { text-align: left; font-weight: 600; padding-bottom: 4px; }
.list thead th { font-size: 12px; color: var(--muted); font-weight: 500; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
.list thead th.num { text-align: right; }
.list tbody th, .list tbody td, .list tfoot th, .list tfoot td { padding: 6px 10px 6px 0; border-bottom: 1px solid var(--soft); vertical-align: top; }
.list tbody th { overflow-wrap: anywhere; }
.list tfoot th, .list tfoot td { font-weight: 640; border-bottom: 0; }
.list .remainder th { color: var(--muted); font-style: italic; }
.list th:last-child, .list td:last-child { padding-right: 0; }
.resources tbody th { white-space: nowrap; }
.barcol { width: 20%; min-width: 110px; }
.resources .bar { margin-top: 6px; }
.num .sub { font-size: 12px; }
.share { width: 34%; } .share span { font-size: 13px; color: var(--muted); margin-left: 8px; }
.mini { display: inline-block; width: calc(100% - 52px); height: 7px; border-radius: 2px; overflow: hidden; vertical-align: 1px; } .mini .fill { fill: var(--sea); }
.remainder .mini .fill { fill: var(--idle); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 22px 44px; align-items: start; margin-top: 18px; }
.plain { margin: 0; padding-left: 18px; }
.notes dl { display: grid; grid-template-columns: 110px 1fr; gap: 8px 18px; margin: 0; font-size: 14px; } .notes dt { font-weight: 620; } .notes dd { margin: 0; color: var(--muted); max-width: 78ch; }
footer { color: var(--muted); font-size: 13px; padding-bottom: 44px; }
@media screen and (max-width: 860px) {
  header, main, footer { padding-left: 16px; padding-right: 16px; }
  header { padding-top: 22px; }
  .tile, .tile.wide { grid-column: span 6; }
  .fleet, .fleet tbody, .fleet tr, .fleet th, .fleet td { display: block; width: auto; }
  .fleet { background: none; border: 0; }
  .fleet thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .fleet tbody tr { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 14px 16px; margin-bottom: 12px; display: grid; grid-template-columns: 1fr 1fr; gap: 10px 16px; }
  .fleet tbody th, .fleet tbody td { padding: 0; border: 0; text-align: left; white-space: normal; min-width: 0; }
  .fleet tbody th, .wm-cell { grid-column: 1 / -1; }
  .fleet tbody th { font-size: 17px; }
  .fleet td::before { content: attr(data-label); display: block; font-size: 12px; color: var(--muted); }
  .findings li { grid-template-columns: 1fr; gap: 4px; }
  .cluster-body, summary { padding-left: 16px; padding-right: 16px; }
  .notes dl { grid-template-columns: 1fr; gap: 2px; } .notes dd { margin-bottom: 8px; }
}
@media screen and (max-width: 480px) { .mini { display: none; } .share { width: auto; } .share span { margin-left: 0; } }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  :root { --paper: #fff; --card: #fff; }
  @page { margin: 12mm; }
  body { zoom: .66; } header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  .tile, tr, .findings li { break-inside: avoid; } h2, h3, h4, summary { break-after: avoid; }
  details.cluster::details-content { content-visibility: visible; block-size: auto; }
  .scroll { overflow: visible; } a { color: inherit; text-decoration: none; } .fleet thead button::after, summary::before { content: ""; }
  * { print-color-adjust: exact; }
}
`;
