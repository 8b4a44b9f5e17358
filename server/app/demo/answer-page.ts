import { type Html, html, raw } from '#server/platform/http/responses/html.ts'
import type { SignatureState } from '#shared/contract/configuration/signature.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import { documentOf } from './document.ts'
import { type Finding, findingsOf } from './findings.ts'
import type { AnswerWording } from './wording/answer-wording.ts'
import { ownParameterMeaning, parameterMeanings } from './wording/meanings.ts'

/** The verified return: whether the signature is valid and, if it is, the server's result for the session. */
export interface VerifiedReturn {
  readonly state: SignatureState
  /** Absent if the signature is not valid, because the address must not reveal anything on its own. */
  readonly result: SessionResult | undefined
}

type Verdict = keyof AnswerWording['verdict']

/**
 * The page that a visitor sees: the verdict, the reason and the signature. Folded below it is the response that an
 * integrator's server receives.
 */
export function answerPage(query: string, { state, result }: VerifiedReturn, wording: AnswerWording): string {
  const returned = new URLSearchParams(query).get('reVerificationResult')
  const verdict = verdictOf(state, returned)
  return documentOf(
    wording,
    html`<div class="verdict ${verdict}">
${emblems[verdict]}
<div><h1>${wording.verdict[verdict]}</h1>
<p class="why">${whyOf(verdict, result, wording)}</p></div>
</div>
<p class="seal ${state === 'Valid' ? 'good' : 'bad'}">${state === 'Valid' ? sealed : unsealed}<span>${wording.signature[state]}</span></p>
<a class="button" href="/demo">${wording.again}</a>
<details>
<summary>${wording.details}</summary>
<div lang="en" dir="ltr">${received(query)}
${result === undefined ? html`` : whole(result)}</div>
</details>`,
  )
}

/** Reports no verdict if the signature is not valid. */
function verdictOf(state: SignatureState, returned: string | null): Verdict {
  if (state !== 'Valid') return 'untrusted'
  return returned === 'passed' ? 'passed' : 'failed'
}

/** One sentence for the first reason that the server lists. */
function whyOf(verdict: Verdict, result: SessionResult | undefined, { why, reasons }: AnswerWording): string {
  const reason = verdict === 'failed' ? result?.verificationFailedReasons[0] : undefined
  return reason === undefined ? why[verdict] : reasons[reason]
}

function received(query: string): Html {
  const parameters = [...new URLSearchParams(`?${query}`)]
  return html`<h2>The address that the visitor returned with</h2>
<p class="lead">It comes through the visitor’s browser, so it is signed and contains only what you allow.</p>
${table(parameters.map(([name, value]) => ({ name, value, meaning: said(name) })))}`
}

/** The address also contains names chosen by the visitor. */
function said(name: string): string {
  return Object.hasOwn(parameterMeanings, name) ? parameterMeanings[name]! : ownParameterMeaning
}

function whole(result: SessionResult): Html {
  return html`<h2>What your own server can request</h2>
<p class="lead">The full answer of <code>GET /v1/verification/get-session-result</code>, for seven days, for the account’s key only.</p>
${table(findingsOf(result))}`
}

function table(findings: readonly Finding[]): Html {
  const rows = findings.map(
    ({ name, value, meaning }) =>
      html`<div class="row"><dt>${name}</dt><dd><bdi class="value">${value || '(empty)'}</bdi><span>${meaning}</span></dd></div>`,
  )
  return html`<dl>
${rows}
</dl>`
}

/** Verdicts differ in shape as well as in colour. */
const emblems: Readonly<Record<Verdict, Html>> = {
  passed: emblem('<circle cx="24" cy="24" r="20"/><path d="m15 25 6 6 12-13"/>'),
  failed: emblem('<circle cx="24" cy="24" r="20"/><path d="M15 24h18"/>'),
  untrusted: emblem('<path d="M24 6 44 41H4Z"/><path d="M24 19v11m0 5v.500"/>'),
}
const shield = '<path d="M24 5 40 11v12c0 10-7 17-16 20C15 40 8 33 8 23V11Z"/>'
const sealed = emblem(`${shield}<path d="m17 24 5 5 9-10"/>`)
const unsealed = emblem(`${shield}<path d="M24 15v11m0 6v.500"/>`)

function emblem(drawing: string): Html {
  return raw(`<svg class="emblem" viewBox="0 0 48 48" aria-hidden="true">${drawing}</svg>`)
}
