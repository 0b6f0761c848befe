/** Colors of the theme; follows the system's light or dark scheme. */
export const GUIDE_CSS = `:root { color-scheme: light dark; --text: #1b2430; --dim: #56606e; --line: #d9dee5; --back: #fff; --code: #f3f5f8; --link: #1f5395; }
@media (prefers-color-scheme: dark) { :root { --text: #d3d8df; --dim: #a3adba; --line: #3a4350; --back: #14181f; --code: #1d232c; --link: #89b1e0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif; }
a { color: var(--link); }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; padding: 4px 8px; background: var(--back); }
header { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; padding: 10px 20px; border-bottom: 1px solid var(--line); }
.brand { font-weight: 650; text-decoration: none; color: var(--text); }
header form { display: flex; gap: 6px; flex: 1 1 240px; max-width: 420px; }
input { flex: 1; min-width: 0; }
input, button { font: inherit; padding: 4px 10px; color: var(--text); background: var(--back); border: 1px solid var(--dim); border-radius: 6px; }
header nav a { margin-right: 12px; }
.columns { display: grid; grid-template-columns: 230px minmax(0, 1fr); gap: 32px; max-width: 1180px; margin: 0 auto; padding: 16px 20px 60px; }
.whole { grid-template-columns: minmax(0, 1fr); }
.menu { font-size: 14px; }
.menu h2 { font-size: 13px; color: var(--dim); margin: 14px 0 2px; }
.menu ul { list-style: none; margin: 0; padding: 0; }
.menu a { display: block; padding: 2px 0; text-decoration: none; }
.menu a[aria-current] { font-weight: 650; color: var(--text); }
main { max-width: 820px; outline: none; overflow-wrap: break-word; }
h1 { font-size: 28px; line-height: 1.25; margin: 8px 0 16px; }
h2 { font-size: 21px; margin: 32px 0 8px; }
h3 { font-size: 17px; margin: 24px 0 6px; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 12px; overflow-x: auto; font-size: 13.5px; line-height: 1.5; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .92em; }
:not(pre) > code { background: var(--code); border-radius: 4px; padding: 1px 4px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14.5px; }
th, td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); }
.results li { margin-bottom: 14px; }
@media (max-width: 800px) { .columns { grid-template-columns: minmax(0, 1fr); } .menu { order: 2; border-top: 1px solid var(--line); padding-top: 12px; } }
`;
