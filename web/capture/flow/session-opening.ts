import type { CapturePlan, getSession, initRedirectSession } from '#shared/contract/sessions/session.ts'
import { senderOf } from '#shared/contract/sessions/theme.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { Handoff } from '#web/capture/machine/handoff-place.ts'
import type { Event, EventOf } from '#web/capture/machine/state.ts'
import type { SessionClient } from '#web/capture/sending/submit.ts'
import { steadyNow } from '#web/ui/steady-now.ts'
import type { LinkProblem } from '#web/wording/findings.ts'
import { deadlineOf } from './deadline.ts'
import { handoffOf } from './handoff.ts'
import { type Link, safeRedirect } from './link.ts'
import type { OpeningId } from './opening-id.ts'
import type { ResumeSecrets } from './resume-secret.ts'
import { progressOf, type SessionRecord } from './session-record.ts'

/** The result of opening: an event for the page, and the session if there is one. */
export interface Opening {
  readonly event: Event
  readonly record?: SessionRecord
  /** How many film pictures from this try the server already has; absent if there are none. */
  readonly filmed?: number
}

interface OpeningOptions {
  readonly client: SessionClient
  readonly link: Link
  /** The page's address. */
  readonly path: string
  readonly openingId: OpeningId
  readonly resumeSecrets: ResumeSecrets
  /** The session that this tab already had open. */
  readonly known: SessionRecord | undefined
  readonly waiting: WaitOptions
  /** True once the person has acted, because a session only begins then. */
  readonly begins: boolean
}

/** Options for waiting while a session is being judged. */
interface WaitOptions {
  /** Runs before each wait. */
  readonly onChecking: () => void
  /** Aborts when the answer is no longer needed. */
  readonly ended: AbortSignal
}

/** Opens the session that the address names, or finds the one that was already open. */
export async function openLink({
  client,
  link,
  path,
  known,
  waiting,
  ...secrets
}: OpeningOptions): Promise<Opening> {
  try {
    if (link.kind === 'none') return { event: { type: 'notOpened', problem: 'missing' } }
    if (known !== undefined) return await find(client, known, waiting)
    if (link.kind === 'handoff') {
      if (link.code === null) return { event: { type: 'codeWanted', wrong: false } }
      return await takeOver(client, path, link.code)
    }
    if (link.kind === 'session') {
      const { sessionId, token } = link
      if (token === null) return { event: { type: 'notOpened', problem: 'wrong' } }
      return await find(client, { path, sessionId, token }, waiting)
    }
    return await openSigned(client, path, link, { ...secrets, waiting })
  } catch (error) {
    return { event: notOpened(error, known) }
  }
}

/** Opens a signed link. If this browser has opened it before, its session continues. */
async function openSigned(
  client: SessionClient,
  path: string,
  { verificationId, queryString }: Extract<Link, { kind: 'signed' }>,
  { openingId, resumeSecrets, waiting, begins }: SigningOptions,
): Promise<Opening> {
  const name = `${verificationId}?${queryString}`
  const mayBeOpen = async () => openingId.isKept() || (await resumeSecrets.isKept(name))
  if (!begins) {
    const read = await client.read({ verificationId, queryString })
    if (read.capturePlan !== null) return unbegun(read.capturePlan)
    if (!(await mayBeOpen())) {
      const { theme } = read
      return { event: { type: 'notOpened', problem: 'gone', asker: { theme } } }
    }
  }
  const secret = await resumeSecrets.of(name)
  const resume = secret && { resumeSecret: secret.value }
  const session = await client.open({ verificationId, queryString, openingId: openingId.read(), ...resume })
  openingId.drop()
  secret?.renew()
  if (secret?.wasKept !== true) return begun(client, path, session)
  const { verificationSessionId: sessionId, sessionToken: token } = session
  return find(client, { path, sessionId, token }, waiting)
}

type SigningOptions = Pick<OpeningOptions, 'openingId' | 'resumeSecrets' | 'waiting' | 'begins'>

/** A link that has not been used up yet. */
function unbegun(plan: CapturePlan): Opening {
  const none = { consented: false, accepted: 0, framesSent: 0, expiresAt: null, isBegun: false }
  return { event: { type: 'opened', plan, progress: { kind: 'fresh' }, ...none } }
}

/** Takes over a session with the code shown on another device. All rejected codes look the same, because the next one may be typed. */
export async function takeOver(client: SessionClient, path: string, code: string): Promise<Opening> {
  try {
    const taken = await client.take(code)
    return begun(client, path, taken, {
      place: 'guest',
      number: taken.number,
      phase: 'taken',
      actionsDone: 0,
    })
  } catch (error) {
    const isWorthless = error instanceof Problem && (error.status === 410 || error.status === 400)
    return { event: isWorthless ? { type: 'codeWanted', wrong: true } : notOpened(error, undefined) }
  }
}

function begun(
  client: Pick<SessionClient, 'serverTime'>,
  path: string,
  session: ResultOf<typeof initRedirectSession>,
  handoff?: Handoff,
): Opening {
  const { verificationSessionId: sessionId, sessionToken: token, capturePlan: plan } = session
  const expiresAt = deadlineOf(session.expirationUtcTime, steadyNow(), client.serverTime())
  const record = { consented: false, path, sessionId, token, plan, expiresAt }
  return opened(record, { progress: { kind: 'fresh' }, ...(handoff && { handoff }) })
}

async function find(
  client: SessionClient,
  known: Pick<SessionRecord, 'path' | 'sessionId' | 'token'>,
  waiting: WaitOptions,
): Promise<Opening> {
  const found = await findJudged(client, known.token, waiting)
  const handoff = handoffOf(found)
  if (handoff === undefined) return { event: { type: 'elsewhere', handoff: null } }
  if (found.state === 'Completed' || found.state === 'Submitted') return { event: finished(found) }
  if (found.state === 'Expired') {
    const { theme } = found.capturePlan
    return { event: { type: 'notOpened', problem: 'gone', asker: { theme } } }
  }
  if (found.state === 'Started' && found.current !== null)
    await client.startOver(known.token, found.current.step).catch(() => undefined) // best effort: the step's own answer reports any error
  const plan = found.capturePlan
  const expiresAt = deadlineOf(found.expirationUtcTime, steadyNow(), client.serverTime())
  const { actionsDone: accepted = 0, frames: framesSent = 0, trail = 0 } = found.soFar ?? {}
  const progress = progressOf(found.current, plan.challenge !== null)
  const stands = { progress, accepted, framesSent, handoff, ...triesOf(found) }
  return { ...opened({ consented: false, ...known, plan, expiresAt }, stands), filmed: trail }
}

const judgingPauseMilliseconds = 1000

/** Finds the session's current state. While it is being judged, polls until there is a result or the time is over. */
async function findJudged(
  client: SessionClient,
  token: string,
  { onChecking, ended }: WaitOptions,
): Promise<ResultOf<typeof getSession>> {
  let until: number | undefined
  for (;;) {
    const found = await client.find(token)
    if (found.state !== 'Submitted' || handoffOf(found) === undefined) return found
    until ??= deadlineOf(found.expirationUtcTime, steadyNow(), client.serverTime())
    if (ended.aborted || steadyNow() >= until) return found
    onChecking()
    await new Promise((resolve) => setTimeout(resolve, judgingPauseMilliseconds))
  }
}

/** The number of the current try, and the offer after the previous one. Device observations do not survive a reload. */
function triesOf({
  try: attempt,
  retry,
}: ResultOf<typeof getSession>): Pick<EventOf<'opened'>, 'attempt' | 'furtherTry'> {
  return {
    ...(attempt !== undefined && { attempt }),
    ...(retry !== undefined && { furtherTry: { ...retry, tip: null } }),
  }
}

type SessionStanding = Omit<EventOf<'opened'>, 'type' | 'plan' | 'consented' | 'expiresAt' | 'isBegun'>

function opened(
  record: SessionRecord,
  stands: Partial<SessionStanding> & Pick<SessionStanding, 'progress'>,
): Opening {
  const { plan, consented, expiresAt } = record
  return {
    record,
    event: { type: 'opened', plan, consented, expiresAt, accepted: 0, framesSent: 0, ...stands },
  }
}

/** The session already has a result. Without an answer from the server, the address to go to is unknown. */
export function finished(found: ResultOf<typeof getSession> | undefined): Event {
  const redirectUrl = safeRedirect(found?.redirectUrl ?? null)
  const plan = found === undefined ? {} : { plan: found.capturePlan }
  return { type: 'notOpened', problem: 'finished', redirectUrl, ...plan }
}

/** The page waits for a rate limit that resets within this time. Longer ones are reported to the person. */
const longestWaitInSeconds = 60

/** Why the link did not open. If a session was open before but cannot be loaded right now, the page waits. */
function notOpened(error: unknown, known: SessionRecord | undefined): Event {
  // The link was opened again in another tab, which has the session now.
  if (error instanceof Problem && error.code === 'session_token_ended')
    return { type: 'elsewhere', handoff: null }
  const problem = error instanceof Problem ? problemOf(error, known) : 'unreachable'
  const theme = error instanceof Problem ? senderOf(error) : undefined
  const asker = theme && { asker: { theme } }
  const wait = problem === 'unreachable' ? waitOf(error) : nextTryOf(error, problem)
  if (problem !== 'unreachable' || known === undefined)
    return { type: 'notOpened', problem, ...wait, ...asker }
  return { type: 'cutOff', plan: known.plan, expiresAt: known.expiresAt, ...wait }
}

/** A token that worked before cannot have been damaged in transit, so if it is invalid now, the session is over. */
function problemOf(error: Problem, known: SessionRecord | undefined): LinkProblem {
  const isOver = known !== undefined && !error.isForeign && (error.status === 401 || error.status === 404)
  return isOver ? 'gone' : linkProblemOf(error)
}

/** How long the server asks the page to wait. */
function waitOf(error: unknown): Pick<EventOf<'cutOff'>, 'waitInMilliseconds'> {
  const seconds = error instanceof Problem ? error.retryAfterInSeconds : undefined
  if (seconds === undefined) return {}
  return { waitInMilliseconds: Math.min(seconds, longestWaitInSeconds) * 1000 }
}

/** When the server will answer again, if it refused because of too many requests and said how long that lasts. */
function nextTryOf(error: unknown, problem: LinkProblem): Pick<EventOf<'notOpened'>, 'nextTryAt'> {
  const seconds = error instanceof Problem ? error.retryAfterInSeconds : undefined
  return problem === 'tooMany' && seconds !== undefined ? { nextTryAt: steadyNow() + seconds * 1000 } : {}
}

/** [Note: Stripped once it was read] True if the link may still work because the server never read it or a proxy refused it. */
export function mayOpenYet(event: Event): boolean {
  if (event.type === 'cutOff' || (event.type === 'opened' && event.isBegun === false)) return true
  return event.type === 'notOpened' && event.problem !== 'gone' && event.problem !== 'finished'
}

/** Maps an answer to the problem that is shown to the person. A proxy timeout says nothing about the link itself. */
function linkProblemOf({
  status,
  isForeign,
  retryAfterInSeconds = Number.POSITIVE_INFINITY,
}: Problem): LinkProblem {
  if (isForeign) return 'unreachable'
  if (status === 410) return 'gone'
  if (status === 429) return retryAfterInSeconds <= longestWaitInSeconds ? 'unreachable' : 'tooMany'
  return status >= 500 || status === 408 ? 'unreachable' : 'wrong'
}
