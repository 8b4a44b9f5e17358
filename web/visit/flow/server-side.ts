import type { ReadonlySignal } from '@preact/signals'
import type { CapturePlan, getSession, initRedirectSession } from '#shared/contract/sessions/session.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { Closing, Event, Handoff, LinkProblem, Situation } from '#web/visit/machine/state.ts'
import type { DeviceReport } from '#web/visit/sending/device-report.ts'
import { Unsent } from '#web/visit/sending/retry.ts'
import { createClient, type SessionClient, type StepSubmission } from '#web/visit/sending/submit.ts'
import { deadlineOf } from './deadline.ts'
import { createHandoffSide, type HandoffSide, handoffOf } from './handoff.ts'
import { readLink, safeRedirect, sessionLink, stripLink } from './link.ts'
import { createOpeningId } from './opening-id.ts'
import { dropRecord, progressOf, readRecord, type SessionRecord, writeRecord } from './session-record.ts'

/** The session as the server holds it: its token, what is being sent, and what a reload needs. */
export interface ServerSide {
  open(): Promise<void>
  submitStep(step: StepSubmission): Promise<void>
  submitSession(closing: Closing): Promise<void>
  sendAgain(): Promise<void> | undefined
  drop(): void
  remember(): void
  forget(): void
  findWayBack(): Promise<void>
  elsewhere(): string | null
  takeCode(code: string): Promise<void>
  readonly handoff: HandoffSide
  /** The page goes away: a declined session is told so, if it was not yet. */
  bye(): void
}

/** What a side is given: whom it tells, and what it may read. */
export interface SideOptions {
  readonly send: (event: Event) => void
  readonly situation: ReadonlySignal<Situation>
  readonly wording: (plan: CapturePlan) => Promise<{ wordingVersion: string; locale: string }>
  readonly report: DeviceReport
  /** Milliseconds since the camera started. */
  readonly time: () => number
}

/** Makes a side for one run of the flow. */
export type SideFactory = (options: SideOptions) => ServerSide

/** Makes the server's side of the flow. */
export function createServerSide({ send, situation, wording, report }: SideOptions): ServerSide {
  const client = createClient(location.origin)
  const path = location.pathname
  const link = readLink(location)
  const openingId = createOpeningId(sessionStorage)
  let record: SessionRecord | undefined
  let pending: (() => Promise<void>) | undefined
  let opening: Promise<void> | undefined
  let turn = 0

  /** Runs one submission at a time; an answer to one that was dropped, replaced or begun anew is not heard. */
  const submit = (attempt: (wanted: () => boolean) => Promise<Event>): Promise<void> => {
    pending = async () => {
      const mine = ++turn
      const wanted = () => turn === mine
      const event = await attempt(wanted).catch((error) => failure(error, record, client))
      if (!wanted()) return
      if (event.type !== 'unsent') pending = undefined
      send(event)
    }
    return pending()
  }
  const token = () => record?.token ?? ''
  const handoff = createHandoffSide({ send, client, token, page: document })

  return {
    handoff,
    takeCode: async (code) => send(await take(code).catch(notTaken)),
    open() {
      // [Note: One opening at a time] A second request for the same link would find it used.
      opening ??= openOnce().finally(() => {
        opening = undefined
      })
      return opening
    },
    submitStep: (step) =>
      submit(async (wanted) => {
        const answer = await client.submitStep(token(), step, wanted)
        return { type: 'stepAnswered', ...answer, at: Date.now() }
      }),
    submitSession: (closing) =>
      submit(async (wanted) => {
        const { plan } = situation.value.context
        await handoff.settled()
        const submission = { closing, wording: await wording(plan!), deviceReport: report.read() }
        const uploaded = (share: number) => wanted() && send({ type: 'uploaded', share })
        const answer = await client.submitSession(token(), submission, wanted, uploaded)
        const redirectUrl = safeRedirect(answer.redirectUrl)
        dropRecord(sessionStorage)
        if (closing.kind !== 'frames') return { type: 'leftServer', redirectUrl }
        performance.mark('selfsame:verdict')
        return { type: 'verdict', passed: answer.verificationResult === 'Pass', redirectUrl }
      }),
    sendAgain: () => pending?.(),
    drop() {
      turn++
      pending = undefined
    },
    remember() {
      if (record === undefined) return
      const { consented, accepted, framesSent, progress } = situation.value.context
      const lastStep =
        progress.kind === 'fresh' ? 0 : progress.kind === 'step' ? progress.step.step : progress.lastStep
      record = { ...record, consented, accepted, framesSent, lastStep }
      writeRecord(sessionStorage, record)
    },
    forget: () => dropRecord(sessionStorage),
    async findWayBack() {
      try {
        const { redirectUrl } = await client.find(token())
        send({ type: 'wayBack', redirectUrl: safeRedirect(redirectUrl) })
      } catch {
        // the token ends with the session: the page says how to go on without an address
      }
    },
    elsewhere() {
      const { code } = situation.value.context
      if (code !== null) return code.url
      return record === undefined ? null : sessionLink(location.origin, record.sessionId, record.token)
    },
    bye() {
      const { state } = situation.value
      if (state.name !== 'declined' || state.submission !== 'none' || record === undefined) return
      const body = { frames: [], consent: { given: false, wordingVersion: '', locale: '' } }
      fetch('/v1/verification/submit-session', {
        method: 'POST',
        keepalive: true,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${record.token}` },
        body: JSON.stringify(body),
      }).catch(() => {})
    },
  }

  async function openOnce(): Promise<void> {
    const known = resumable()
    const event = await openLink(known).catch((error) => notOpened(error, known))
    // [Note: Stripped once it was read] A link that could not be asked about is not used: a reload still needs all of it.
    if (!isUnreachable(event)) stripLink(history, location)
    send(event)
  }

  /** The session that this tab had open already; a whole link opens another one. */
  function resumable(): SessionRecord | undefined {
    const isWhole =
      (link.kind === 'signed' && link.queryString !== '') ||
      (link.kind === 'session' && link.token !== null) ||
      (link.kind === 'handoff' && link.code !== null)
    return record ?? (isWhole ? undefined : readRecord(sessionStorage, path))
  }

  async function openLink(known: SessionRecord | undefined): Promise<Event> {
    if (link.kind === 'none') return { type: 'notOpened', problem: 'missing' }
    if (known !== undefined) return find(known.sessionId, known.token, known)
    if (link.kind === 'signed') return init(link.verificationId, link.queryString)
    if (link.kind === 'handoff') {
      return link.code === null ? { type: 'codeWanted', wrong: false } : take(link.code).catch(notTaken)
    }
    if (link.token === null) return { type: 'notOpened', problem: 'wrong' }
    return find(link.sessionId, link.token, undefined)
  }

  async function init(verificationId: string, queryString: string): Promise<Event> {
    const opened = await client.open({ verificationId, queryString, openingId: openingId.read() })
    openingId.drop()
    return begin(opened)
  }

  async function take(code: string): Promise<Event> {
    const taken = await client.take(code)
    return begin(taken, { place: 'guest', number: taken.number, phase: 'taken', actionsDone: 0 })
  }

  function begin(opened: ResultOf<typeof initRedirectSession>, handoff?: Handoff): Event {
    record = {
      path,
      sessionId: opened.verificationSessionId,
      token: opened.sessionToken,
      consented: false,
      accepted: 0,
      framesSent: 0,
      lastStep: 0,
      plan: opened.capturePlan,
      expiresAt: deadlineOf(opened.expirationUtcTime, Date.now()),
    }
    const { plan, consented, accepted, framesSent, expiresAt } = record
    const progress = { kind: 'fresh' } as const
    const known = { plan, progress, consented, accepted, framesSent, expiresAt }
    return { type: 'opened', ...known, ...(handoff === undefined ? {} : { handoff }) }
  }

  async function find(sessionId: string, bearer: string, known: SessionRecord | undefined): Promise<Event> {
    const found = await client.find(bearer)
    const handoff = handoffOf(found)
    if (handoff === undefined) return { type: 'elsewhere', handoff: null }
    if (found.state === 'Completed' || found.state === 'Submitted') return finished(found)
    if (found.state === 'Expired') return { type: 'notOpened', problem: 'gone' }
    const { consented = false, accepted = 0, framesSent = 0, lastStep = 0 } = known ?? {}
    const plan = found.capturePlan
    const expiresAt = deadlineOf(found.expirationUtcTime, Date.now())
    record = { path, sessionId, token: bearer, consented, accepted, framesSent, lastStep, plan, expiresAt }
    const progress = progressOf(found.current, plan.challenge !== null, lastStep)
    return { type: 'opened', plan, progress, consented, accepted, framesSent, expiresAt, handoff }
  }
}

/** The session has its result already; without an answer nothing is known of where it leads. */
function finished(found: ResultOf<typeof getSession> | undefined): Event {
  const redirectUrl = safeRedirect(found?.redirectUrl ?? null)
  const plan = found === undefined ? {} : { plan: found.capturePlan }
  return { type: 'notOpened', problem: 'finished', redirectUrl, ...plan }
}

/** Why the link did not open; a session that was open before, and cannot be asked for now, waits. */
function notOpened(error: unknown, known: SessionRecord | undefined): Event {
  const problem = error instanceof Problem ? linkProblemOf(error.status) : 'unreachable'
  if (problem !== 'unreachable' || known === undefined) return { type: 'notOpened', problem }
  return { type: 'cutOff', plan: known.plan, expiresAt: known.expiresAt }
}

function isUnreachable(event: Event): boolean {
  return event.type === 'cutOff' || (event.type === 'notOpened' && event.problem === 'unreachable')
}

/** One code works as little as another: the person may type the next one. */
function notTaken(error: unknown): Event {
  const isWorthless = error instanceof Problem && (error.status === 410 || error.status === 400)
  return isWorthless ? { type: 'codeWanted', wrong: true } : notOpened(error, undefined)
}

/** What an answer's status means to the person who opened the link. */
export function linkProblemOf(status: number): LinkProblem {
  if (status === 410) return 'gone'
  if (status === 429) return 'tooMany'
  return status >= 500 ? 'unreachable' : 'wrong'
}

/** What a submission that was refused means. A closed session has its result already; an expired one is over. */
async function failure(
  error: unknown,
  record: SessionRecord | undefined,
  client: SessionClient,
): Promise<Event> {
  if (error instanceof Unsent || !(error instanceof Problem)) return { type: 'unsent' }
  if (error.code === 'session_handed_over') {
    const found = await client.find(record?.token ?? '').catch(() => undefined)
    return { type: 'elsewhere', handoff: (found && handoffOf(found)) ?? null }
  }
  if (error.code === 'session_closed' || error.code === 'conflict') {
    const found = await client.find(record?.token ?? '').catch(() => undefined)
    return finished(found)
  }
  if (error.status === 410 || error.status === 401 || error.status === 404) return { type: 'expired' }
  return { type: 'notOpened', problem: 'unreachable' }
}
