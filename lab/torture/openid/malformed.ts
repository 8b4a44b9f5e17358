import type { FuzzRequest } from '#lab/fuzz/fuzz-request.ts'
import { createRandom, type Random } from '#lab/fuzz/random.ts'
import { strangeTexts } from '#lab/fuzz/strange-values.ts'
import { type CodeRedemption, redirectUri, type TestIssuer } from './test-sign-in.ts'

type Pairs = readonly (readonly [name: string, value: string])[]
type Form = Readonly<Record<string, string>>

/** A request with at least one fault. */
export type MalformedRequest = FuzzRequest

const form = ['Content-Type', 'application/x-www-form-urlencoded'] as const

/** The required members of an authorization request. Each is invalid if it is missing, malformed or repeated. */
const needed = [
  'client_id',
  'response_type',
  'redirect_uri',
  'scope',
  'code_challenge',
  'code_challenge_method',
] as const

/** Additions that turn a valid request into one that must be rejected. */
const poison: Pairs = [
  ['request', 'a.b.c'],
  ['request_uri', 'https://evil.example/r'],
  ['request_uri', 'urn:ietf:params:oauth:request_uri:x'],
  ['prompt', 'none'],
  ['prompt', 'none login'],
  ['response_mode', 'fragment'],
  ['response_mode', 'web_message'],
  ['claims', '{'],
  ['claims', '[]'],
  ['claims', '{"id_token":1}'],
  ['claims', '{"id_token":{"acr":{"essential":true,"value":"urn:other"}}}'],
  ['claims', '{"id_token":{"acr":{"values":"urn:selfsame:assurance:low"}}}'],
  ['claims', '{"id_token":{"acr":{"value":{"toString":1,"valueOf":1}}}}'],
  ['max_age', '-1'],
  ['max_age', 'x'],
  ['id_token_hint', 'a.b.c'],
  ['id_token_hint', 'eyJhbGciOiJub25lIn0.e30.'],
  ['registration', '{}'],
]

/** Redirect addresses that are almost, but not quite, the right one. */
const almost = [
  `${redirectUri}/`,
  `${redirectUri}?a`,
  `${redirectUri}#a`,
  `${redirectUri}%00`,
  redirectUri.replace('127.0.0.1', '127.0.0.1.evil.example'),
  redirectUri.replace('127.0.0.1', '127.0.0.1@evil.example'),
  redirectUri.replace('http:', 'https:'),
  'https://evil.example/callback',
  '//evil.example/callback',
  'javascript:alert(1)',
  'data:text/html,x',
]

/** Generates the request with this number. The same seed gives the same request, except for ids and codes. */
export function malformed(
  issuer: TestIssuer,
  fresh: CodeRedemption,
  { seed, number }: { seed: number; number: number },
): MalformedRequest {
  const random = createRandom(seed, number)
  return random.pick([authorize, authorize, authorize, push, redeem, redeem, redeem, tell, revoke, walk])(
    random,
    issuer,
    fresh,
  )
}

/** The browser's request after a pushed request, because some faults in a pushed request are only reported there. */
export function comingAfter(issuer: TestIssuer, pushed: Buffer): MalformedRequest {
  const { request_uri = '' } = JSON.parse(pushed.toString()) as { request_uri?: string }
  const query = new URLSearchParams({ client_id: issuer.clientId, request_uri })
  return whole('GET', `${new URL(issuer.issuer).pathname}/auth?${query}`, [], ['pushed before'])
}

type Make = (random: Random, issuer: TestIssuer, fresh: CodeRedemption) => MalformedRequest

const authorize: Make = (random, issuer) => {
  const [pairs, done] = brokenRequest(random, issuer)
  const path = new URL(issuer.issuer).pathname
  const text = encoded(random, pairs)
  return random.chance(0.25)
    ? whole('POST', `${path}/auth`, [form], done, text)
    : whole('GET', `${path}/auth?${text}`, [], done)
}

const push: Make = (random, issuer) => {
  const target = `${new URL(issuer.issuer).pathname}/par`
  const { asked } = issuer.newRequest()
  if (random.chance(0.4)) {
    const [credentials, done] = wrongCredentials(random, issuer)
    return whole('POST', target, [form, ...credentials], done, String(new URLSearchParams(asked)))
  }
  const [pairs, done] = brokenRequest(random, issuer)
  const headers = [form, ['Authorization', issuer.credentials] as const]
  return whole('POST', target, headers, done, encoded(random, pairs))
}

const redeem: Make = (random, issuer, fresh) => {
  const target = `${new URL(issuer.issuer).pathname}/token`
  if (random.chance(0.3)) {
    const [credentials, done] = wrongCredentials(random, issuer)
    return whole('POST', target, [form, ...credentials], done, String(new URLSearchParams({ ...fresh })))
  }
  const headers = [form, ['Authorization', issuer.credentials] as const]
  const names = ['grant_type', 'code', 'redirect_uri', 'code_verifier'] as const
  const [pairs, done] = broken(random, { ...fresh }, names)
  return whole('POST', target, headers, done, encoded(random, pairs))
}

const tell: Make = (random, issuer) => {
  const target = `${new URL(issuer.issuer).pathname}/userinfo`
  const token = random.pick([issuer.clientId, 'x'.repeat(43), ...strangeTexts])
  const scheme = random.pick(['Bearer', 'bearer', 'Basic', 'DPoP', ''])
  const headers = [['Authorization', headerText(`${scheme} ${token}`)] as const]
  return random.chance(0.5)
    ? whole('GET', target, headers, ['a token of nobody'])
    : whole(
        'POST',
        target,
        [form],
        ['a token of nobody'],
        `access_token=${encodeURIComponent(wellFormed(token))}`,
      )
}

const revoke: Make = (random, issuer) => {
  const [credentials, done] = wrongCredentials(random, issuer)
  const target = `${new URL(issuer.issuer).pathname}/revoke`
  return whole('POST', target, [form, ...credentials], done, 'token=x')
}

/** Jumps into the middle of a sign-in that was never started in this browser. */
const walk: Make = (random, issuer) => {
  const uid = random.pick(['x', 'a'.repeat(43), encodeURIComponent(wellFormed(random.pick(strangeTexts)))])
  const path = random.pick([`/visit/${uid}`, `/visit/${uid}/done`, `/auth/${uid}`])
  const cookie = headerText(
    `openid_visit=${random.pick(strangeTexts)}; openid_visit.sig=${uid}; openid_resume=${uid}`,
  )
  const target = new URL(issuer.issuer).pathname + path
  return whole(
    random.pick(['GET', 'GET', 'POST', 'HEAD']),
    target,
    [['Cookie', cookie]],
    ['a visit of nobody'],
  )
}

function brokenRequest(random: Random, issuer: TestIssuer): [Pairs, string[]] {
  const { asked } = issuer.newRequest()
  if (random.chance(0.3)) {
    const [name, value] = random.pick(poison)
    return [[...Object.entries(asked), [name, value]], [`${name}=${value}`]]
  }
  if (random.chance(0.2)) {
    const address = random.pick(almost)
    return [Object.entries({ ...asked, redirect_uri: address }), [`sent back to ${address}`]]
  }
  return broken(random, asked, needed)
}

/** Drops, distorts or repeats at least one of the required members. */
function broken(random: Random, whole: Form, names: readonly string[]): [Pairs, string[]] {
  const chosen = names.filter(() => random.chance(0.15))
  const hit = chosen.length === 0 ? [random.pick(names)] : chosen
  const done: string[] = []
  const pairs = Object.entries(whole).flatMap(([name, value]): Pairs => {
    if (!hit.includes(name)) return [[name, value]]
    const how = random.pick(['gone', 'strange', 'twice'] as const)
    done.push(`${name} is ${how}`)
    if (how === 'gone') return []
    const strange = random.pick(strangeTexts)
    if (how === 'strange') return [[name, strange]]
    return [
      [name, value],
      [name, random.chance(0.5) ? value : strange],
    ]
  })
  return [pairs, done]
}

function wrongCredentials(random: Random, { clientId, credentials }: TestIssuer): [Pairs, string[]] {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const value = random.pick([
    undefined,
    '',
    'Basic',
    'Basic !',
    `${credentials}x=`,
    credentials.toLowerCase(),
    credentials.replace('Basic', 'Bearer'),
    basic(clientId),
    basic(`${clientId}:`),
    basic(`${clientId}:${'x'.repeat(43)}`),
    basic(`:${random.pick(strangeTexts)}`),
    basic(`${random.pick(strangeTexts)}:${random.pick(strangeTexts)}`),
    basic(`%zz:%`),
  ])
  return [value === undefined ? [] : [['Authorization', value]], [`credentials ${value}`]]
}

/** Encodes the pairs as a form, possibly with an invalid end. */
function encoded(random: Random, pairs: Pairs): string {
  const text = String(new URLSearchParams(pairs.map(([name, value]) => [name, value])))
  return random.chance(0.05)
    ? `${text}${random.pick(['&%', '&=', '&a[b]=c', '&__proto__=x', '&\u0000'])}`
    : text
}

function headerText(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e]/g, '?')
}

function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}

function whole(
  method: string,
  target: string,
  headers: Pairs,
  done: readonly string[],
  body?: string,
): MalformedRequest {
  return {
    aim: target.split('?')[0]!,
    method,
    target: target.replaceAll(/[^\x21-\x7e]/g, encodeURIComponent),
    headers,
    body: body === undefined ? undefined : Buffer.from(body),
    manner: 'whole',
    done,
    isExact: true,
  }
}
