import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Product } from '../../../e2e/support/product.ts'
import { call } from '../../../shared/call.ts'
import { createSession } from '../../../shared/contract/sessions/session-creation.ts'
import {
  bindPasskey,
  createPasskeyOptions,
  verifyPasskey,
} from '../../../shared/contract/sessions/session-passkey.ts'
import { getSessionResult } from '../../../shared/contract/sessions/session-result.ts'
import { Problem } from '../../../shared/problem.ts'
import { newAuthenticator } from '../../../tests/support/authenticator.ts'
import type { Forgery, LivenessSettings } from '../forgery.ts'
import { type Attempt, attemptOf, isAssured, type Method, type Plan, verifiersOf } from './method.ts'
import { walk } from './walk.ts'

/** A program that talks to the API directly instead of using the page, and makes up its pictures' timestamps. */
export const script: Method = {
  name: 'script',
  is: 'A program talks to the interface in place of the page; it makes up when its pictures were taken. Its passkey is one of software.',
  atOnce: 5,
  hasPasskeys: true,
  settings: named,
  async open(product, plan) {
    return {
      attempt: (forgery, again) => attempt({ product, plan, externalId: randomUUID() }, forgery, again),
      close: async () => undefined,
    }
  },
}

/** Passkeys need a host name, because browsers do not bind them to an IP address. */
async function named(): Promise<Record<string, string>> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` }
}

interface Visitor {
  readonly product: Product
  readonly plan: Plan
  readonly externalId: string
}

/** How many sessions are opened while waiting for an action. If it is drawn at all, it has come up by then. */
const mostOpened = 6

type EndedAttempt = { readonly attempt: Attempt; readonly offersPasskey: boolean; readonly bearer: string }

async function attempt(visitor: Visitor, forgery: Forgery, again?: () => Forgery): Promise<Attempt> {
  const { asked } = visitor.plan
  const asksForHigh = asked.leastAssurance === 'high'
  // A first visit never reaches `high`, but it binds the passkey that is presented in the second visit.
  const first = asksForHigh ? { ...asked, leastAssurance: 'standard' as const } : asked
  for (let opened = 0; opened < mostOpened; opened++) {
    const ended = await visited(visitor, forgery, first)
    if (ended === undefined) continue
    if (again === undefined || !isAssured(ended.attempt)) return ended.attempt
    const leadsToHigh = await reachesHigh(visitor, ended, again())
    const passed = asksForHigh ? leadsToHigh : ended.attempt.passed
    return { ...ended.attempt, passed, leadsToHigh }
  }
  return { passed: false, assurance: null, reasons: ['ended by waiting in vain'] }
}

/** Binds a software passkey to the visit that was just forged and presents it in the next one. Returns false if either step is rejected. */
async function reachesHigh(visitor: Visitor, ended: EndedAttempt, forgery: Forgery): Promise<boolean> {
  if (!ended.offersPasskey) return false
  try {
    const device = await boundDevice(visitor.product.address, ended.bearer)
    const second = await visited(visitor, forgery, { ...visitor.plan.asked, leastAssurance: 'high' }, device)
    return second?.attempt.passed === true && second.attempt.assurance === 'high'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return false
  }
}

type SoftwareDevice = ReturnType<typeof newAuthenticator>

async function boundDevice(address: string, bearer: string): Promise<SoftwareDevice> {
  const device = newAuthenticator(address)
  const ask = { credential: { bearer }, body: { ceremony: 'bind' as const } }
  const { options } = await call(fetch, address, createPasskeyOptions, ask)
  const body = { response: device.make(options) }
  await call(fetch, address, bindPasskey, { credential: { bearer }, body })
  return device
}

/** Runs a session to its end. Undefined if the forger left it. */
async function visited(
  { product, plan, externalId }: Visitor,
  forgery: Forgery,
  asked: LivenessSettings,
  device?: SoftwareDevice,
): Promise<EndedAttempt | undefined> {
  const { address } = product
  const credential = { apiKey: product.apiKey }
  const body = { externalId, verifierConfigs: verifiersOf({ ...plan, asked }) }
  const { verificationSessionId, sessionToken: bearer } = await call(fetch, address, createSession, {
    credential,
    body,
  })
  if (device !== undefined) await show(address, bearer, device)
  const walked = await walk({ address, sessionToken: bearer, forgery, film: plan.film })
  if (walked === undefined) return undefined
  const query = { verificationSessionId }
  const result = await call(fetch, address, getSessionResult, { credential, query })
  return { attempt: attemptOf(result), bearer, ...walked }
}

async function show(address: string, bearer: string, device: SoftwareDevice): Promise<void> {
  const credential = { bearer }
  const { options } = await call(fetch, address, createPasskeyOptions, {
    credential,
    body: { ceremony: 'verify' },
  })
  await call(fetch, address, verifyPasskey, { credential, body: { response: device.show(options) } })
}
