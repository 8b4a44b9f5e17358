import type { AccountCaller } from '#server/accounts/caller.ts'
import type { Demo } from '#server/http/demo-pages.ts'
import type { Services } from '#server/services.ts'
import { scopes } from '#shared/endpoint.ts'
import { type Choice, choices, chosen, configOf } from './choices.ts'
import { documentOf } from './document.ts'
import { html } from './html.ts'
import { meaningOf, signatureMeanings } from './meanings.ts'
import { script } from './script.ts'
import { style } from './style.ts'

const purpose = 'demo'

/** The demo: an integrator of its own, with its own account, that signs links and reads results. */
export async function createDemo(services: Services, origin: () => string): Promise<Demo> {
  await services.accounts.createOnce(purpose, 'Selfsame demo')
  const account = (await services.accounts.findByPurpose(purpose))!
  const caller: AccountCaller = {
    kind: 'account',
    accountId: account.accountId,
    keyId: account.primaryKeyId,
    scopes,
    via: 'key',
    address: 'demo',
    signal: new AbortController().signal,
  }
  return {
    style,
    script,
    start: async (query) => startPage(query, await linkFor(services, caller, query, origin())),
    result: async (query) => resultPage(query, await judge(services, caller, query)),
  }
}

async function linkFor(
  services: Services,
  caller: AccountCaller,
  query: ReadonlyMap<string, string>,
  origin: string,
): Promise<string> {
  const verificationId = await verificationFor(services, caller, query, origin)
  const queryString = `reVerificationId=${verificationId}&reCorrelationId=demo&from=demo`
  const securitySettings = { enableNonce: true, expirationEnabled: true, expirationInSeconds: 3600 }
  const body = { queryString, securitySettings }
  const { signedQueryString } = await services.signatures.create({ query: undefined, body, caller })
  return `${origin}/verification/${verificationId}?${signedQueryString}`
}

/** A verification is made once for each choice, and reused. */
async function verificationFor(
  { verifications }: Services,
  caller: AccountCaller,
  query: ReadonlyMap<string, string>,
  origin: string,
): Promise<string> {
  const options = chosen(query)
  const name = [origin, ...[...options.values()].map(({ value }) => value)].join(' ')
  const known = await verifications.findByName(caller.accountId, name)
  if (known !== undefined) return known.verificationId
  const verificationConfig = configOf(options, `${origin}/demo/result`)
  const body = { name, verificationConfig }
  return verifications.create({ query: undefined, body, caller }).then(
    ({ verificationId }) => verificationId,
    async () => (await verifications.findByName(caller.accountId, name))!.verificationId,
  )
}

async function judge(services: Services, caller: AccountCaller, query: string) {
  const body = { queryString: query }
  const answer = await services.signatures.validate({ query: undefined, body, caller }).catch(() => undefined)
  return answer?.result ?? 'Invalid'
}

function startPage(query: ReadonlyMap<string, string>, link: string): string {
  const options = chosen(query)
  return documentOf(
    'Try it',
    html`<h1>Try a face check</h1>
<p class="lead">Choose what to check. This page signs a link, as your own server would, and shows what comes back.</p>
<form action="/demo" method="get">
${choices.map((choice) => fieldset(choice, options.get(choice)!.value))}
<button class="quiet" type="submit">Sign a new link</button>
</form>
<section aria-labelledby="link">
<h2 id="link">Your signed link</h2>
<p>It works once, for one hour.</p>
<code class="link">${link}</code>
<a class="button" href="${link}">Try it</a>
</section>`,
  )
}

function fieldset(choice: Choice, value: string) {
  return html`<fieldset>
<legend>${choice.label}</legend>
${choice.options.map((option) => {
  const checked = option.value === value ? html` checked` : html``
  return html`<label><input type="radio" name="${choice.name}" value="${option.value}"${checked}><span>${option.label}</span></label>`
})}
</fieldset>`
}

function resultPage(query: string, state: keyof typeof signatureMeanings): string {
  const parameters = [...new URLSearchParams(`?${query}`)]
  const isValid = state === 'Valid'
  const rows = parameters.map(
    ([name, value]) =>
      html`<div class="row"><dt>${name}</dt><dd><bdi class="value">${value}</bdi><span>${meaningOf(name)}</span></dd></div>`,
  )
  return documentOf(
    'What came back',
    html`<h1>What came back</h1>
<p class="verdict ${isValid ? 'good' : 'bad'}" role="status"><strong>Signature: ${state}</strong> ${signatureMeanings[state]}</p>
<dl>
${rows}
</dl>
<a class="button" href="/demo">Try again</a>`,
  )
}
