/** The look of /docs; everything is in the page, nothing is fetched. */
export const style = `
:root { color-scheme: light dark; --text: #1c2430; --dim: #5d6878; --line: #e1e6ed; --page: #fff; --soft: #f5f7fa;
  --accent: #3454d1; --get: #0b7a53; --post: #3454d1; --ws: #8a3ffc; }
@media (prefers-color-scheme: dark) { :root { --text: #e6eaf0; --dim: #9aa6b6; --line: #2b3442; --page: #12161d;
  --soft: #1a2029; --accent: #8ea2ff; --get: #4cc596; --post: #8ea2ff; --ws: #c39bff; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); color: var(--text);
  background: var(--page); font: 15px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1.25rem; background: var(--soft);
  border-right: 1px solid var(--line); font-size: 13px; }
nav strong { display: block; margin: 1.1rem 0 .25rem; font-size: 12px; color: var(--dim); }
nav a { display: block; padding: .12rem 0; color: inherit; overflow-wrap: anywhere; }
nav .home { font-size: 18px; font-weight: 650; }
main { padding: 2rem 2.5rem 6rem; max-width: 62rem; }
h1 { margin: 0 0 .25rem; font-size: 30px; letter-spacing: -.02em; }
h2 { margin: 3rem 0 1rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); font-size: 22px; }
h3 { margin: 0 0 .4rem; font-size: 15px; font-weight: 600; font-family: ui-monospace, 'SF Mono', Menlo, monospace;
  overflow-wrap: anywhere; }
h4 { margin: 1.1rem 0 .35rem; font-size: 12px; color: var(--dim); font-weight: 600; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
p { margin: .3rem 0; } small { color: var(--dim); }
section { margin: 0 0 1.5rem; padding: 1.25rem 1.4rem; border: 1px solid var(--line); border-radius: 10px; }
.method { display: inline-block; min-width: 3.4em; margin-right: .6em; padding: .1em .5em; border-radius: 5px;
  color: var(--page); text-align: center; font-size: 12px; font-weight: 700; }
.get { background: var(--get); } .post { background: var(--post); } .ws { background: var(--ws); }
table { width: 100%; border-collapse: collapse; font-size: 13.5px; }
td { padding: .35rem .6rem .35rem 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td:first-child { width: 13rem; } td table td:first-child { width: auto; } td code { white-space: nowrap; }
code, pre { font: 12.5px/1.5 ui-monospace, 'SF Mono', Menlo, monospace; }
code { padding: .1em .3em; border-radius: 4px; background: var(--soft); }
pre { margin: 0; padding: .8rem 1rem; border-radius: 8px; background: var(--soft); overflow-x: auto; }
pre code { padding: 0; background: none; }
@media (max-width: 860px) { body { display: block; } nav { position: static; height: auto; border-right: 0; }
  main { padding: 1.25rem; } td:first-child { width: auto; } }
`
