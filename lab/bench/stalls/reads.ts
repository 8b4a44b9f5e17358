import { setTimeout as pause } from 'node:timers/promises'
import { imageLimits } from '../../../shared/contract/analysis/image.ts'
import { usageInDays } from '../../../shared/contract/sessions/session-usage.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'
import { shot } from '../../fixtures/shot.ts'
import { filledCollection, frequentPerson } from './filled-deployment.ts'

/** The server under test, and the filled account's key. */
export interface ReadServer {
  readonly origin: string
  readonly apiKey: string
}

/** One or several calls that are measured as one. */
export interface MeasuredRead {
  /** The name used in the figures. */
  readonly name: string
  run(server: ReadServer): Promise<unknown>
}

const get = (path: string, query: Readonly<Record<string, string>> = {}) => ask('GET', path, 200, { query })

interface ReadRequest {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** @throws an Error if the response has an unexpected status */
function ask(
  method: 'GET' | 'POST',
  path: string,
  status: number,
  { query = {}, body, headers = {} }: ReadRequest,
) {
  return async ({ origin, apiKey }: ReadServer) => {
    const address = `${origin}${path}?${new URLSearchParams(query)}`
    const content = body === undefined ? {} : { body }
    const sent = { 'Content-Type': 'application/json', Authorization: `ApiKey ${apiKey}`, ...headers }
    const answer = await fetch(address, { method, headers: sent, ...content })
    const text = await answer.text()
    if (answer.status !== status)
      throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`)
    return text
  }
}

const sessions = '/v1/verification/get-sessions'
const page = { limit: '50' }

/** The reads that are most expensive right after a start, when caches are empty. */
export const readsAfterStart: readonly MeasuredRead[] = [
  { name: 'firstList', run: get(sessions, page) },
  { name: 'firstQueue', run: get(sessions, { ...page, review: 'waiting', order: 'leastCertain' }) },
  { name: 'firstInVain', run: get(sessions, { ...page, kioskId: 'unknown' }) },
]

/** All of the list's filters. Several match nothing and therefore scan the whole list. */
const filters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  none: {},
  verificationSessionId: { verificationSessionId: 'unknown' },
  idBeginsWith: { idBeginsWith: 'abcdef' },
  verificationId: { verificationId: 'unknown' },
  outcome: { outcome: 'failed' },
  state: { state: 'Submitted' },
  verificationResult: { verificationResult: 'Fail' },
  failedReason: { failedReason: 'personChanged' },
  externalId: { externalId: 'user 7' },
  correlationId: { correlationId: 'order 7' },
  kioskId: { kioskId: 'unknown' },
  source: { source: 'kiosk' },
  device: { device: 'phone' },
  browser: { browser: 'safari' },
  reached: { reached: 'submitted' },
  review: { review: 'reviewed' },
  leastCertain: { review: 'waiting', order: 'leastCertain' },
  created: { createdTo: new Date(Date.now() - 5 * 24 * 3600 * 1000).toISOString() },
}

const day = 24 * 3600 * 1000
const usage = () => ({
  from: new Date(Date.now() - usageInDays * day + 60_000).toISOString(),
  to: new Date().toISOString(),
})

/** All reads that are measured once the server has been running for a while. */
export function reads(pictures: number): MeasuredRead[] {
  return [
    ...Object.entries(filters).map(([name, query]) => ({
      name: `list.${name}`,
      run: get(sessions, { ...page, ...query }),
    })),
    { name: 'usage.day', run: get('/v1/verification/get-usage', { ...usage(), interval: 'day' }) },
    { name: 'usage.hour', run: get('/v1/verification/get-usage', { ...usage(), interval: 'hour' }) },
    {
      name: 'usage.split',
      run: get('/v1/verification/get-usage', { ...usage(), interval: 'hour', splitBy: 'verification' }),
    },
    { name: 'audit.newest', run: get('/v1/account/get-audit-log') },
    { name: 'audit.middle', run: get('/v1/account/get-audit-log', { cursor: '50000' }) },
    { name: 'audit.verify', run: get('/v1/account/verify-audit-log') },
    { name: 'deliveries', run: get('/v1/webhook/get-deliveries') },
    { name: 'requests', run: get('/v1/account/get-requests') },
    { name: 'personExport', run: get('/v1/person/export', { externalId: frequentPerson }) },
    { name: 'faces', run: get('/v1/face/get-all', { collectionId: filledCollection, limit: '100' }) },
    ...refusedBodies(),
    { name: 'import', run: (server) => importPictures(server, pictures) },
  ]
}

/** Bodies that are as large as a picture may be, but are rejected because of their Base64. */
function refusedBodies(): MeasuredRead[] {
  const random = randomNumbers(1)
  const bytes = Buffer.from(Uint8Array.from({ length: imageLimits.bytes }, () => Math.floor(random() * 256)))
  const text = bytes.toString('base64')
  const brokenIn = (wrong: string) => `${text.slice(0, -8)}${wrong}${text.slice(-7)}`
  const refused = (name: string, content: string, headers: Readonly<Record<string, string>> = {}) => ({
    name: `refused.${name}`,
    run: ask('POST', '/v1/face-verification/detect-faces', 400, {
      body: JSON.stringify({ image: { bytes: content } }),
      headers,
    }),
  })
  return [
    refused('noPicture', text),
    refused('otherAlphabet', brokenIn('*')),
    refused('lineBreak', brokenIn('\n')),
    refused('addressSafe', brokenIn('_')),
    refused('tooLong', `${text}AAAAAAAA`),
    refused('looseBits', `${text.slice(0, -4)}AAB=`),
    { ...refused('repeated', text), run: repeatedBody(text) },
  ]
}

/** Sends each body with a new `Idempotency-Key`, so that it is hashed. */
function repeatedBody(text: string) {
  const body = JSON.stringify({ image: { bytes: text }, collectionId: filledCollection })
  let sent = 0
  return (server: ReadServer) => {
    const headers = { 'Idempotency-Key': `stalls ${sent++} ${Date.now()}` }
    return ask('POST', '/v1/face/index', 400, { body, headers })(server)
  }
}

const sentAtOnce = 2

/** Imports a folder like the console does, indexing two pictures at a time. */
async function importPictures(server: ReadServer, count: number): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let number = next++; number < count; number = next++) {
      const body = JSON.stringify({
        image: { bytes: await shot(number) },
        collectionId: filledCollection,
        externalId: `picture ${number}`,
      })
      await ask('POST', '/v1/face/index', 200, { body })(server)
      await pause(0)
    }
  }
  await Promise.all(Array.from({ length: sentAtOnce }, lane))
}
