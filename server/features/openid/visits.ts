import { type Accounts, existingAccount } from '#server/features/accounts/accounts.ts'
import { environmentOf } from '#server/features/callers/callers.ts'
import { type SessionSettings, settingsOf } from '#server/features/links/links.ts'
import {
  type OpenVisit,
  type ReadSession,
  type SessionRead,
  type SessionRecord,
  wholeResult,
} from '#server/features/sessions/sessions.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { Environment } from '#shared/contract/environment.ts'
import { canonicalIdentity } from '#shared/identity/identity-text.ts'
import { Problem } from '#shared/problem.ts'
import type { EntityStore } from './adapter.ts'
import { claimsOf } from './claims.ts'
import type { ClientStore, OpenidClient } from './clients/client-store.ts'
import type { Subjects } from './people/subjects.ts'
import { comparesPeople, misfitOf } from './request-rules.ts'
import { SignInOver } from './sign-in-over.ts'
import type { CommitParts, VisitStore } from './visit-store.ts'

/** A site's request, after it has been checked. */
export interface AskedVisit {
  readonly environment: Environment
  /** The sign-in's ID. */
  readonly uid: string
  readonly clientId: string
  readonly scopes: ReadonlySet<string>
  /** The external ID, if `match` is requested. */
  readonly loginHint: string | undefined
  /** The site's preferred language tag; null uses the browser's language. */
  readonly locale: string | null
  /** The pushed request and the browser that used it; undefined if the request was in the address. */
  readonly pushed: { readonly id: string; readonly browser: string } | undefined
  /** The address that the page leads to at the end. */
  readonly returnUrl: string
  /** The person's network address. */
  readonly address: string
}

/** A visit's state. */
export type VisitOutcome =
  | { readonly state: 'open' }
  | { readonly state: 'failed' }
  | {
      readonly state: 'passed'
      readonly sub: string
      readonly record: SessionRecord
    }

/** Sign-ins as sessions in the client's verification. */
export interface Visits {
  /**
   * The page on which the sign-in continues, always with the same session, or the way back if that session is over.
   * @throws {SignInOver} if the pushed request began another browser's visit
   * @throws {Problem} 404, 409 if the verification no longer answers the request, 429
   */
  begin(asked: AskedVisit): Promise<string>
  /** The visit's outcome. If it passed, it is stored for its codes and tokens. */
  end(
    asked: Pick<AskedVisit, 'environment' | 'uid' | 'clientId' | 'scopes' | 'loginHint'>,
  ): Promise<VisitOutcome>
}

export interface VisitPorts {
  readonly accounts: Pick<Accounts, 'find'>
  readonly verifications: Pick<Verifications, 'find'>
  readonly clients: Pick<ClientStore, 'find'>
  readonly openVisit: OpenVisit
  readonly readSession: ReadSession
  readonly subjects: Subjects
  readonly visitStore: VisitStore
  readonly pushedRequests: (environment: Environment) => Pick<ReturnType<EntityStore>, 'beginning'>
  readonly origin: () => string
}

export function createVisits(ports: VisitPorts): Visits {
  const { visitStore, readSession, openVisit, origin } = ports
  const pageOf = (sessionId: string, token: string) =>
    `${origin()}/verification/session/${sessionId}#${token}`

  async function begin(asked: AskedVisit): Promise<string> {
    const known = await visitStore.open(asked.environment, asked.uid)
    if (known !== undefined) return again(known, asked)
    const client = await existingClient(ports, asked.clientId)
    const beginning = await beginVisit(ports, client, asked)
    const pushed = await pushedBeginning(asked)
    const started = await openVisit.open(beginning, (sessionId) => {
      const visit = { accountId: client.accountId, sessionId, clientId: client.clientId }
      const { writes, guards } = visitStore.opening(asked.environment, asked.uid, visit)
      return { writes: [...writes, ...pushed.writes], guards: [...guards, ...pushed.guards] }
    })
    if (started !== undefined) return pageOf(started.verificationSessionId, started.sessionToken)
    // The same page was opened twice at once, or another browser began the pushed request's visit.
    const other = await visitStore.open(asked.environment, asked.uid)
    if (other === undefined) throw alreadyUsed()
    return again(other, asked)
  }

  async function pushedBeginning({ environment, uid, pushed }: AskedVisit): Promise<CommitParts> {
    if (pushed === undefined) return { writes: [], guards: [] }
    const { id, browser } = pushed
    const together = await ports.pushedRequests(environment).beginning(id, { uid, browser })
    if (together === undefined) throw alreadyUsed()
    return together
  }

  async function again(open: OpenSession, { returnUrl }: AskedVisit): Promise<string> {
    const { value } = await readSession(open)
    // [Note: A session is shorter than a sign-in] Its page would say that the session is over, and lead nowhere.
    if (value.outcome !== null) return returnUrl
    const { verificationSessionId, sessionToken } = await openVisit.again(value)
    return pageOf(verificationSessionId, sessionToken)
  }

  return {
    begin,
    async end(asked) {
      const open = await visitStore.open(asked.environment, asked.uid)
      // The page was never shown, or the session was erased.
      if (open === undefined || open.clientId !== asked.clientId) return { state: 'failed' }
      return retryOnConflict(() => readOutcome(ports, open, asked), busy)
    },
  }
}

function alreadyUsed(): SignInOver {
  return new SignInOver('invalid_request_uri', 'request_uri was already used')
}

type OpenSession = Parameters<ReadSession>[0]
type VisitedClient = Pick<AskedVisit, 'clientId' | 'scopes'>

/** Undefined if the session, the person or the stored visit has changed in the meantime. */
async function readOutcome(
  ports: VisitPorts,
  open: OpenSession,
  asked: VisitedClient,
): Promise<VisitOutcome | undefined> {
  const read = await ports.readSession(open).catch(unlessGone)
  if (read === undefined) return { state: 'failed' }
  const record = read.value
  if (record.outcome === null) return { state: 'open' }
  const client = await existingClient(ports, asked.clientId)
  if (record.outcome.result.verificationResult !== 'Pass') return { state: 'failed' }
  // [Note: No sign-in without the comparison] A site that named a person must never accept another person instead.
  if (asked.scopes.has('match') !== wasCompared(record)) return { state: 'failed' }
  const sub = await keep(ports, client, read, asked)
  return sub === undefined ? undefined : { state: 'passed', sub, record }
}

/** True if the face matched the one enrolled under the external ID. */
function wasCompared({ inputs, settings, outcome }: SessionRecord): boolean {
  const compares = comparesPeople({ verifierConfigs: settings.verifiers })
  return compares && inputs.externalId !== null && outcome?.result.faceRecognitionResult === 'Pass'
}

function busy(): Problem {
  const options = { retryAfterInSeconds: 1 }
  return new Problem('overloaded', 'The sign-in is being ended by another request. Try again.', options)
}

async function existingClient({ clients }: VisitPorts, clientId: string): Promise<OpenidClient> {
  const client = await clients.find(clientId)
  if (client === undefined) throw new Problem('not_found', 'The client does not exist.')
  return client
}

async function beginVisit(ports: VisitPorts, client: OpenidClient, asked: AskedVisit) {
  const { accountId, verificationId, name } = client
  const account = await existingAccount(ports.accounts, accountId)
  const configured = await ports.verifications.find(accountId, verificationId)
  if (configured === undefined) throw new Problem('not_found', 'The verification does not exist.')
  // This is checked again because the verification may have changed since the first check.
  if (misfitOf(client, asked.scopes, configured.verificationConfig) !== undefined)
    throw new Problem('conflict', 'The verification was changed. Start again.')
  const externalId = asked.loginHint === undefined ? null : canonicalIdentity(asked.loginHint)
  // Shows the person the site's name instead of the deployment operator's.
  const named = { ...account, displayName: name }
  return {
    account: named,
    verificationId,
    collectionId: verificationId,
    settings: settingsFor(settingsOf(configured, new Map()), asked),
    // [Note: A sign-in enrols nobody] An unknown person fails. A site cannot enrol people by naming them.
    inputs: { externalId, correlationId: null, locale: asked.locale, enroll: false, custom: [] },
    testOutcome: null,
    address: asked.address,
  }
}

/** The page returns to us whatever the outcome, and its address does not contain a result. */
function settingsFor(settings: SessionSettings, { scopes, returnUrl }: AskedVisit): SessionSettings {
  const { age } = settings.verifiers
  const verifiers =
    scopes.has('age') && age?.type === 'CalculationOnly'
      ? { ...settings.verifiers, age: { ...age, ...anyCertainAge } }
      : settings.verifiers
  return { ...settings, verifiers, include: {}, passedUrl: returnUrl, failedUrl: returnUrl }
}

/**
 * [Note: No claim of a guess] An estimate that is too uncertain for a decision fails the visit, as an age rule would. This
 * rule does not refuse any age.
 */
const anyCertainAge = {
  type: 'RangeVerification',
  rangeConfig: { minimum: 0, maximum: 150 },
} as const

/**
 * Stores the visit's result in one commit with everything it depends on, and returns the subject. Repeating it returns the
 * same subject. Undefined if a dependency has changed in the meantime.
 */
async function keep(
  { subjects, visitStore, accounts }: VisitPorts,
  client: OpenidClient,
  { value: record, guard }: SessionRead,
  { scopes }: VisitedClient,
): Promise<string | undefined> {
  const known = await visitStore.ended(record.sessionId)
  if (known !== undefined) return known.sub
  const isMatched = wasCompared(record)
  const { sub, writes, guards } = isMatched
    ? await subjects.of(client.accountId, client.sector, record.inputs.externalId!)
    : { sub: subjects.fresh(), writes: [], guards: [] }
  const { assurance, policyVersion, estimatedAge } = wholeResult(record.outcome!.result)
  const claims = claimsOf(client, {
    environment: environmentOf(await existingAccount(accounts, client.accountId)),
    assurance,
    policyVersion,
    isMatched,
    estimatedAge: scopes.has('age') ? estimatedAge : undefined,
    marginInYears: record.settings.verifiers.age?.thresholdConfig?.marginInYears ?? 0,
  })
  const { clientId } = client
  const together = { writes, guards: [...guards, guard] }
  return (await visitStore.end(record.sessionId, { clientId, sub, claims }, together)) ? sub : undefined
}

function unlessGone(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'not_found') return undefined
  throw error
}
