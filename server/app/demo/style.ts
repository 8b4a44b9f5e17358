/** The demo's style sheet, with the product's design tokens. */
export const style = `:root {
  --page: #f7f8fa; --surface: #ffffff; --sunken: #eceff3; --text: #14191f; --muted: #505b67; --line: #7a8694;
  --accent: #0b5fcc; --label: #ffffff; --good: #0b6b3a; --bad: #a3221b;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1318; --surface: #171e25; --sunken: #212a33; --text: #f0f3f6; --muted: #aeb9c4; --line: #76828f;
    --accent: #7fb4ff; --label: #000000; --good: #6fd79e; --bad: #ff9f96;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  min-height: 100dvh; display: flex; flex-direction: column;
}
header, main, footer {
  inline-size: 100%; max-inline-size: 68rem; margin-inline: auto;
  padding-inline: max(16px, env(safe-area-inset-left));
}
header { display: flex; gap: 12px; align-items: baseline; padding-block: 8px; }
.brand { color: var(--text); font-size: 1.125rem; font-weight: 650; text-decoration: none; padding-block: 12px; }
.tag, footer { color: var(--muted); font-size: .875rem; }
main { flex: 1; padding-block: 8px 32px; }
a:not(.button, .brand) { color: var(--accent); }
footer { padding-block: 24px; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 12px; }
h2 { font-size: 1.125rem; line-height: 1.25; margin: 0 0 8px; }
p { margin: 0 0 16px; }
.lead { color: var(--muted); max-inline-size: 44rem; margin-block-end: 24px; }
form { display: grid; gap: 16px; align-content: start; }
.options { display: grid; gap: 0 24px; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); clear: both; }
.more { display: grid; gap: 8px 32px; margin: 24px 0 0; padding: 0; list-style: none; color: var(--muted); }
.more a { font-weight: 600; }
.more li { padding-block: 8px; }
.try section { margin-block-start: 24px; }
.try details { margin-block: 0 -12px; }
fieldset { border: 0; margin: 0; padding: 16px; background: var(--surface); border-radius: 16px; min-inline-size: 0; }
legend { float: inline-start; inline-size: 100%; font-weight: 600; margin-block-end: 8px; padding: 0; }
label { clear: both; display: flex; gap: 12px; align-items: center; min-block-size: 48px; cursor: pointer; }
input[type="radio"] { inline-size: 20px; block-size: 20px; margin: 0; accent-color: var(--accent); flex: none; }
section { margin-block-start: 32px; padding: 24px 16px; background: var(--surface); border-radius: 16px; }
.link {
  display: block; overflow-wrap: anywhere; background: var(--sunken); border-radius: 8px; padding: 12px;
  font: .875rem/1.5 ui-monospace, monospace;
}
.button, button {
  display: inline-flex; align-items: center; justify-content: center; min-block-size: 48px; padding-inline: 24px;
  border-radius: 999px; border: 2px solid var(--accent); background: var(--accent); color: var(--label);
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
.button + p { margin-block-start: 16px; }
.quiet { background: transparent; color: var(--accent); justify-self: start; }
/* With scripts, a new choice signs a new link at once. */
@media (scripting: enabled) { .quiet { display: none; } }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; border-radius: 8px; }
.button:focus-visible, button:focus-visible { border-radius: 999px; }
.verdict { display: flex; gap: 20px; align-items: center; background: var(--surface); border-radius: 16px; padding: 24px; border: 2px solid; }
.verdict, .seal { --tone: var(--good); } .failed, .untrusted, .seal.bad { --tone: var(--bad); }
.verdict { border-color: var(--tone); margin-block: 8px 16px; } .verdict p { margin: 0; }
.emblem { flex: none; inline-size: 64px; fill: none; stroke: var(--tone); stroke-width: 3.5; stroke-linecap: round; stroke-linejoin: round; }
.verdict h1 { color: var(--tone); margin: 0 0 4px; }
.why { font-size: 1.125rem; text-wrap: pretty; }
.seal { display: flex; gap: 12px; align-items: center; padding-inline: 12px; margin-block-end: 24px; }
.seal .emblem { inline-size: 28px; }
details { margin-block-start: 32px; }
summary { cursor: pointer; min-block-size: 48px; padding-block: 12px; font-weight: 600; color: var(--accent); }
summary::marker { color: var(--muted); }
details h2 { margin-block-start: 16px; }
:lang(ar), :lang(hi) { line-height: 1.7; }
.muted { color: var(--muted); font-size: .875rem; margin: 24px 0 8px; }
.lead code { font-size: .875rem; overflow-wrap: anywhere; }
dl { margin: 0 0 32px; background: var(--surface); border-radius: 16px; padding-inline: 16px; }
.row { display: grid; gap: 4px 24px; padding-block: 16px; }
.row + .row { border-block-start: 1px solid var(--sunken); }
dt { color: var(--muted); font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
dd { margin: 0; min-inline-size: 0; }
dd span { display: block; color: var(--muted); font-size: .875rem; }
.value { font-weight: 600; overflow-wrap: anywhere; }
@media (min-width: 56rem) {
  .try { display: grid; grid-template-columns: minmax(0, 1fr) 25rem; gap: 24px; align-items: start; }
  .try section { margin-block-start: 0; }
  .more { grid-template-columns: 1fr 1fr; }
}
@media (min-width: 48rem) { .row { grid-template-columns: 18rem 1fr; } section { padding: 24px; } }
@media (prefers-reduced-motion: no-preference) { .button, button { transition: opacity .15s; } .button:hover, button:hover { opacity: .9; } }
`
