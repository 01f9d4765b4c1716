/**
 * The one stylesheet of the store's pages: system font, one accent, cards, readable down to 320 px.
 */
export const STYLES = `
:root { color-scheme: light dark; --ink: #1f2a2e; --soft: #5b6a70; --line: #dfe5e4; --ground: #f4f6f5; --card: #fff; --field: #fff; --edge: #aeb9b5; --side: #ebefed; --hover: #dfe6e3; --bar: #10302a; --accent: #0b6b57; --accent-hover: #085546; --accent-ink: #fff; --link: #0b6b57; --danger: #a3261c; --danger-edge: #e3bdb9; --danger-tint: #fcf2f1; --good: #075443; --good-tint: #e6f2ee; --bad-tint: #fae7e5; --badge: #e8ecea; --badge-ink: #3d4a4f; --code: #f1f4f3; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3eae8; --soft: #a0b0ab; --line: #2f3a37; --ground: #131918; --card: #1b2321; --field: #131918; --edge: #55645f; --side: #171e1c; --hover: #25302d; --bar: #0c2420; --accent: #1d8a71; --accent-hover: #23a184; --accent-ink: #fff; --link: #5cc9ad; --danger: #f2958c; --danger-edge: #6b3733; --danger-tint: #2e1c1a; --good: #7fdcc2; --good-tint: #15352c; --bad-tint: #3d1f1c; --badge: #2a3431; --badge-ink: #c5d0cc; --code: #131918; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
a { color: var(--link); text-underline-offset: 2px; }
h1 { font-size: 22px; line-height: 1.3; margin: 0; font-weight: 650; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 0 0 12px; font-weight: 650; }
p { margin: 0 0 12px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.soft { color: var(--soft); }
.small { font-size: 13px; }
.mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; overflow-wrap: anywhere; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.bar { display: flex; align-items: center; gap: 10px; min-height: 52px; padding: 0 20px; background: var(--bar); color: #fff; }
.bar strong { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar .note { margin-left: auto; flex: none; padding: 2px 10px; border-radius: 999px; background: rgb(255 255 255 / .14); font-size: 12px; }
.bar :focus-visible, .bar a:focus-visible { outline-color: #fff; }
.mark { display: grid; flex: none; place-items: center; width: 28px; height: 28px; border-radius: 8px; background: var(--accent); color: var(--accent-ink); font-size: 14px; font-weight: 650; text-transform: uppercase; }
.mark.large { width: 48px; height: 48px; border-radius: 12px; font-size: 22px; }
.shell { display: grid; grid-template-columns: 216px minmax(0, 1fr); min-height: calc(100vh - 52px); }
.side { padding: 16px 12px; border-right: 1px solid var(--line); background: var(--side); }
.side ul { margin: 0; padding: 0; list-style: none; }
.side a { display: block; padding: 7px 10px; border-radius: 8px; color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
.side a:hover { background: var(--hover); }
.side a[aria-current] { background: var(--card); box-shadow: 0 0 0 1px var(--line); font-weight: 600; }
.side .label { padding: 16px 10px 4px; color: var(--soft); font-size: 12px; font-weight: 600; }
.main { width: 100%; max-width: 920px; margin: 0 auto; padding: 28px 24px 56px; }
.head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 12px; margin-bottom: 20px; }
.card > .head { margin-bottom: 14px; }
.head h2 { margin: 0; }
.card > h1 { margin-bottom: 8px; }
.card { margin-bottom: 16px; padding: 20px; border: 1px solid var(--line); border-radius: 12px; background: var(--card); box-shadow: 0 1px 2px rgb(16 48 42 / .05); }
.rows { margin: 0; padding: 0; list-style: none; }
.rows > li { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 12px 0; border-top: 1px solid var(--line); }
.rows > li:first-child { border-top: 0; padding-top: 0; }
.rows > li:last-child { padding-bottom: 0; }
ul.rows + p { margin-top: 16px; }
.grow { flex: 1 1 130px; min-width: 0; overflow-wrap: anywhere; }
.kind { flex: 0 0 76px; }
.grow a { font-weight: 600; }
.badge { display: inline-block; padding: 1px 9px; border-radius: 999px; background: var(--badge); color: var(--badge-ink); font-size: 12.5px; white-space: nowrap; }
.badge.good { background: var(--good-tint); color: var(--good); }
.badge.bad { background: var(--bad-tint); color: var(--danger); }
button, .button { display: inline-block; padding: 8px 14px; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: var(--ink); font: inherit; font-weight: 550; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--hover); }
button.primary { border-color: var(--accent); background: var(--accent); color: var(--accent-ink); }
button.primary:hover { background: var(--accent-hover); }
button.danger { border-color: var(--danger-edge); color: var(--danger); }
button.danger:hover { background: var(--danger-tint); }
form.inline { display: inline; margin: 0; }
.actions { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 10px; margin-top: 20px; }
.fields { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px; }
.fields .wide { grid-column: 1 / -1; }
label { display: block; margin-bottom: 4px; font-size: 13.5px; font-weight: 550; }
input, select, textarea { width: 100%; padding: 8px 11px; border: 1px solid var(--edge); border-radius: 8px; background: var(--field); color: inherit; font: inherit; }
textarea { min-height: 92px; resize: vertical; }
.problem { padding: 10px 14px; border: 1px solid var(--danger-edge); border-radius: 8px; background: var(--danger-tint); color: var(--danger); }
.narrow { width: 100%; max-width: 560px; margin: 0 auto; padding: 40px 16px 56px; }
.scopes { margin: 0 0 12px; padding: 0; list-style: none; }
.scopes li { padding: 8px 0 8px 28px; position: relative; border-top: 1px solid var(--line); }
.scopes li:first-child { border-top: 0; }
.scopes li::before { content: ""; position: absolute; left: 5px; top: 15px; width: 10px; height: 5px; border: solid var(--accent); border-width: 0 0 2px 2px; transform: rotate(-45deg); }
.pair { display: flex; align-items: center; gap: 14px; margin-bottom: 18px; }
details { margin-top: 4px; }
.whole { flex: 1 0 100%; min-width: 0; }
summary { cursor: pointer; color: var(--soft); font-size: 13px; width: max-content; }
pre { margin: 8px 0 0; padding: 12px; overflow: auto; max-height: 320px; border-radius: 8px; background: var(--code); white-space: pre-wrap; overflow-wrap: anywhere; font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.frame { display: flex; flex-direction: column; min-width: 0; }
.frame .strip { display: flex; align-items: center; gap: 10px; padding: 10px 20px; border-bottom: 1px solid var(--line); background: var(--card); }
.frame .strip h1 { font-size: 15px; }
.frame iframe { flex: 1; width: 100%; min-height: 420px; border: 0; background: #fff; }
.toast { position: fixed; left: 50%; bottom: 24px; transform: translateX(-50%); max-width: calc(100vw - 32px); padding: 10px 18px; border-radius: 10px; background: #10302a; color: #fff; box-shadow: 0 6px 24px rgb(16 48 42 / .25); }
@media (max-width: 720px) {
  .shell { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto 1fr; }
  .side { padding: 8px 12px; border-right: 0; border-bottom: 1px solid var(--line); overflow-x: auto; }
  .side ul, .side nav { display: flex; gap: 4px; }
  .side a { white-space: nowrap; }
  .side .label { display: none; }
  .main { padding: 20px 14px 40px; }
  .bar { padding: 0 14px; }
  .card { padding: 16px; }
}
`;
