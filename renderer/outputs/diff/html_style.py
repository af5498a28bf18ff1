"""How a page looks: light and dark, wide and narrow, on screen and on paper."""

_LIGHT = """\
  --page: #ffffff; --ink: #1f2328; --soft: #57606a; --card: #f6f8fa; --rim: #d0d7de;
  --link: #0550ae; --bad: #a40e26; --bad-ground: #ffe3e0; --doubt: #7d4e00;
  --doubt-ground: #fff1c2; --good: #116329; --good-ground: #dcf5e3; --moves: #0550ae;
  --moves-ground: #dbeafe; --plain: #424a53; --plain-ground: #e6e9ed;
"""
_DARK = """\
  --page: #0d1117; --ink: #e6edf3; --soft: #9da7b3; --card: #161b22; --rim: #3d444d;
  --link: #79c0ff; --bad: #ffa198; --bad-ground: #4a1512; --doubt: #f0c862;
  --doubt-ground: #3d2e00; --good: #7ee787; --good-ground: #0f3320; --moves: #a5d6ff;
  --moves-ground: #0f2d55; --plain: #c3ccd6; --plain-ground: #2d333b;
"""
_BODY = """\
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0 auto; padding: 0 1.5rem 4rem; max-width: 74rem; background: var(--page);
  color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
  Helvetica, Arial, sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link);
  outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono",
  monospace; font-size: .875em; }
code { background: var(--card); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; margin: 2rem 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-bottom: .3rem;
  border-bottom: 1px solid var(--rim); }
h3 { font-size: 1rem; font-weight: 600; margin: 1rem 0 .5rem; }
ul { margin: 0; padding: 0; list-style: none; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--page); padding: .5rem; z-index: 2; }
header p { margin: 0 0 1rem; color: var(--soft); }
.tallies { display: flex; flex-wrap: wrap; gap: .75rem; }
.tallies li { border: 1px solid var(--rim); border-radius: 8px; padding: .4rem .9rem;
  background: var(--card); }
.tallies b { font-size: 1.4rem; font-variant-numeric: tabular-nums; }
nav { position: sticky; top: 0; z-index: 1; background: var(--page); margin-top: 1.25rem;
  border-bottom: 1px solid var(--rim); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .6rem 0; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: .8125rem; color: var(--soft); font-weight: 600; }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--rim);
  vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.quiet { color: var(--soft); font-size: .875em; overflow-wrap: anywhere; }
.where { color: var(--soft); }
.where::after { content: " /"; }
.pill { display: inline-block; border-radius: 999px; padding: 0 .6rem; font-size: .8125rem;
  font-weight: 600; white-space: nowrap; }
.bad { color: var(--bad); } .pill.bad { background: var(--bad-ground); }
.doubt { color: var(--doubt); } .pill.doubt { background: var(--doubt-ground); }
.good { color: var(--good); } .pill.good { background: var(--good-ground); }
.moves { color: var(--moves); } .pill.moves { background: var(--moves-ground); }
.plain { color: var(--plain); } .pill.plain { background: var(--plain-ground); }
.happenings li + li, .findings li + li { margin-top: .35rem; }
.findings li { padding: .5rem .75rem; border-left: 3px solid var(--rim); background: var(--card); }
details { border: 1px solid var(--rim); border-radius: 8px; margin: .75rem 0; }
summary { padding: .6rem 1rem; cursor: pointer; }
details[open] > summary { border-bottom: 1px solid var(--rim); }
.cause { content-visibility: auto; contain-intrinsic-size: auto 6rem; }
.cause > :not(summary), .row > :not(summary) { margin: .75rem 1rem; }
:is(.cause, .row) > summary:focus-visible { outline-offset: -3px; }
.edit { overflow-wrap: anywhere; }
.hit { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; margin-top: .3rem;
  padding-left: 1.1rem; }
.changes > li { padding: .5rem 0; border-top: 1px solid var(--rim); overflow-wrap: anywhere; }
.changes p { margin: 0 0 .2rem; }
.path code:not(.value) { font-weight: 600; background: none; padding: 0; }
.names { display: inline-block; border: 0; margin: 0; max-width: 100%; }
.names > summary { padding: 0; font-size: .875em; color: var(--soft); overflow-wrap: anywhere;
  border: 0; }
.names > ul { max-height: 20rem; overflow-y: auto; font-size: .875em; padding: .25rem 1rem; }
#filters { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end;
  margin-bottom: .75rem; }
#filters[hidden] { display: none; }
#filters label { display: grid; font-size: .8125rem; color: var(--soft); font-weight: 600; }
#filters label:first-child { flex: 1 1 14rem; }
input, select, button { font: inherit; font-size: .9375rem; font-weight: 400; color: var(--ink);
  background: var(--card); border: 1px solid var(--rim); border-radius: 6px; padding: .3rem .5rem; }
#filters :is(input, select, button) { height: 2.25rem; }
input, select { width: 100%; max-width: 100%; }
select { max-width: 16rem; }
output { margin-left: auto; font-variant-numeric: tabular-nums; padding: .3rem 0; }
.cells { display: grid; gap: .25rem .75rem; align-items: baseline;
  grid-template-columns: minmax(12rem, 2.2fr) minmax(5rem, 1fr) minmax(8rem, 2fr) 4rem
  minmax(7rem, 1.6fr); }
.cells > * { overflow-wrap: anywhere; min-width: 0; }
.cells > :nth-child(4), #heads :nth-child(4) { text-align: right;
  font-variant-numeric: tabular-nums; }
.cells small { display: none; }
#heads { padding: 0 1rem; }
#heads button { text-align: left; border: 0; background: none; padding: .3rem 0;
  font-size: .8125rem; font-weight: 600; color: var(--soft); }
#heads button:enabled { cursor: pointer; }
#heads button[data-way]::after { content: " " attr(data-way); color: var(--link); }
#heads button[aria-pressed="true"] { color: var(--ink); }
.row { content-visibility: auto; contain-intrinsic-size: auto 2.5rem; margin: 0; border-radius: 0;
  border-width: 1px 0 0; }
.row > summary { padding: .4rem 1rem; border: 0; list-style: none; }
.row > summary::-webkit-details-marker { display: none; }
.row > summary:hover, .row[open] { background: var(--card); }
.row > summary b { font-weight: 600; }
.row > summary b::before { content: "▸ "; color: var(--soft); }
.row[open] > summary b::before { content: "▾ "; }
.brief { padding-left: 1.25rem; overflow-wrap: anywhere; }
del, ins { text-decoration: none; }
del .value, .lines .removed { color: var(--bad); background: var(--bad-ground); }
ins .value, .lines .added { color: var(--good); background: var(--good-ground); }
.value.block { display: block; white-space: pre-wrap; margin: .25rem 0; padding: .5rem .75rem; }
.arrow { color: var(--soft); }
.lines { margin: .25rem 0 .5rem; padding: .5rem 0; overflow-x: auto; background: var(--card);
  border-radius: 6px; line-height: 1.45; }
.lines span { display: inline-block; min-width: 100%; padding: 0 .75rem; white-space: pre; }
.lines .place { color: var(--soft); }
.impacts li { margin: .35rem 0; padding-left: .75rem; border-left: 3px solid var(--rim); }
.advice { color: var(--soft); }
figure { margin: 0 0 1rem; }
figcaption { color: var(--soft); font-size: .875rem; }
@media (max-width: 40rem) {
  body { padding: 0 .9rem 3rem; font-size: 15px; }
  nav { position: static; }
  select { max-width: none; }
  #filters label { flex: 1 1 8rem; }
  #heads { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0; }
  .row > summary { display: flex; flex-wrap: wrap; padding: .5rem; }
  .row > summary > :first-child { flex: 1 0 100%; }
  .row > summary > :not(:first-child) { color: var(--soft); font-size: .9375em; }
  .cells small { display: inline; font-size: inherit; }
}
@media print {
  body { max-width: none; font-size: 10.5pt; }
  nav, .skip, #filters, .cause a[data-edit] { display: none; }
  details { break-inside: avoid-page; }
  .cause::details-content { content-visibility: visible; block-size: auto; }
}
"""
STYLE = (
    f":root {{ color-scheme: light dark;\n{_LIGHT}}}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{\n{_DARK}}} }}\n{_BODY}"
)
