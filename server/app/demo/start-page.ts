import { type Html, html } from '#server/platform/http/responses/html.ts'
import { isLoopbackAddress } from '#shared/web-address.ts'
import type { Choice, Option } from './choices.ts'
import { documentOf } from './document.ts'
import { en } from './wording/en.ts'

/** The page with the choices, and the links for the selected ones. */
export function startPage(
  choices: readonly Choice[],
  options: readonly Option[],
  { link, testLink, origin }: { readonly link: string; readonly testLink: string; readonly origin: string },
): string {
  return documentOf(
    { ...en, title: 'Try it' },
    html`<h1>Try a face check</h1>
<p class="lead">Choose what to check. This page signs a link, as your own server would, sends you through the check, and explains what comes back.</p>
<div class="try">
<form action="/demo" method="get">
${choices.map((choice, i) => fieldset(choice, options[i]!.value))}
<button class="quiet" type="submit">Sign a new link</button>
</form>
<section aria-labelledby="link">
<h2 id="link">Your signed link</h2>
<p>It opens one check, within an hour. Have your camera ready; it takes about half a minute.</p>
<a class="button" href="${link}">Start the check</a>
<p>No camera at hand? <a class="test" href="${testLink}">Try it as a test</a>: the page says that it is one, and ends as you choose there.</p>
${phoneNote(origin)}<details>
<summary>The whole address</summary>
<p class="muted">Change a single character, and it no longer works.</p>
<code class="link">${link}</code>
</details>
</section>
</div>
<ul class="more">
<li><a href="/demo/playground">Playground</a>: see what a picture shows, and if two pictures show the same person. Nothing is stored.</li>
<li><a href="/console">The console</a>: where operators see and review sessions. The server printed its address when it started.</li>
</ul>`,
  )
}

/** The requirements for a phone if the address leads only to this machine. */
function phoneNote(origin: string): Html {
  if (!isLoopbackAddress(origin)) return html``
  return html`<p>On a phone? This address works only on this computer. Start the server with <code>npm start -- --https</code>: it prints a code for a phone on the same network.</p>
`
}

function fieldset(choice: Choice, value: string) {
  return html`<fieldset>
<legend>${choice.label}</legend>
<div class="options">
${choice.options.map((option) => {
  const checked = option.value === value ? html` checked` : html``
  return html`<label><input type="radio" name="${choice.name}" value="${option.value}"${checked}><span>${option.label}</span></label>`
})}
</div>
</fieldset>`
}
