import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import type { Event, EventOf } from '#web/capture/machine/state.ts'
import type { ClosingReason } from '#web/capture/machine/submissions.ts'
import { canUsePasskeys, holdCeremony } from '#web/capture/sending/passkey.ts'
import { createClient, type SessionClient, sendRefusal } from '#web/capture/sending/submit.ts'
import { steadyNow } from '#web/ui/steady-now.ts'
import { createEarlySending, type EarlySending } from './early-sending.ts'
import { createHandoffSide } from './handoff.ts'
import { dropAppended, isWhole, type Link, readLink, safeRedirect, sessionLink, stripLink } from './link.ts'
import { createOpeningId } from './opening-id.ts'
import { createResumeSecrets } from './resume-secret.ts'
import { mayOpenYet, type Opening, openLink, takeOver } from './session-opening.ts'
import { dropRecord, readRecord, type SessionRecord, writeRecord } from './session-record.ts'
import { outlivesReload, type Shelf, tabShelf } from './shelf.ts'
import { createSubmission } from './submission.ts'
import type { SideOptions, VisitSide } from './visit-side.ts'

/** This page's open session. */
type HeldSession = { record?: SessionRecord }

/** Creates the flow's server side: the session on the server, and the data that a reload needs. */
export function createServerSide(options: SideOptions): Required<VisitSide> {
  const { send, situation, film, uplink, ended } = options
  const waiting = { onChecking: () => send({ type: 'beingChecked' }), ended }
  const client = createClient(location.origin, uplink)
  const path = location.pathname
  dropAppended(history, location)
  const link = readLink(location)
  const shelf = tabShelf(window)
  const held: HeldSession = {}
  const token = () => held.record?.token ?? ''
  const handoff = createHandoffSide({ send, client, token, page: document })
  const submission = createSubmission(send, client, token)
  const early = createEarlySending(client, token, film)

  const opener = createOpener({ client, link, path, shelf, held, film, waiting })
  const hear = (opened: Opening) => {
    opener.take(opened)
    send(withPasskey(opened.event))
  }

  return {
    async open() {
      hear(await opener.open(situation.value.context.act !== null))
    },
    ...submissionsOf(
      submission,
      client,
      token,
      { begun: opener.begun, settled: handoff.settled, early },
      options,
    ),
    handIn: early.handIn,
    drop() {
      early.drop()
      film.clear()
      submission.drop()
    },
    session: {
      handoff: {
        ...handoff,
        takeCode: async (code) => hear(await takeOver(client, path, code)),
      },
      sendAgain: submission.again,
      begin: () => void opener.begun().catch(() => undefined), // best effort: the submission will begin it too
      ...keepSession(held, client, shelf, situation, send),
    },
  }
}

interface OpenerOptions {
  readonly client: SessionClient
  readonly link: Link
  readonly path: string
  readonly shelf: Shelf
  readonly held: HeldSession
  readonly film: SideOptions['film']
  readonly waiting: Parameters<typeof openLink>[0]['waiting']
}

/** Opens what the address requests. A session only begins once the person acts. */
function createOpener({ client, link, path, shelf, held, film, waiting }: OpenerOptions) {
  const openingId = createOpeningId(shelf)
  const resumeSecrets = createResumeSecrets(window)
  let opening: { readonly begins: boolean; readonly turn: Promise<Opening> } | undefined
  const take = (opened: Opening) => {
    if (opened.record === undefined) return
    held.record = opened.record
    film.renew(opened.filmed)
  }
  const openOnce = async (begins: boolean) => {
    const known = held.record ?? (isWhole(link) ? undefined : readRecord(shelf, path))
    const opened = await openLink({ client, link, path, openingId, resumeSecrets, known, waiting, begins })
    // A link that failed to open has not been used up, so a reload still needs all of it.
    if (!mayOpenYet(opened.event) && mayStrip()) stripLink(history, location)
    return opened
  }
  // [Note: One opening at a time] A second request for the same link would find it used.
  const openInTurn = (begins: boolean): Promise<Opening> => {
    if (opening?.begins === begins) return opening.turn
    const turn = openOnce(begins).finally(() => {
      if (opening?.turn === turn) opening = undefined
    })
    opening = { begins, turn }
    return turn
  }
  /** Undefined once there is a session; otherwise why there is none. */
  const begun = async (): Promise<Event | undefined> => {
    if (held.record !== undefined) return undefined
    const opened = await openInTurn(true)
    take(opened)
    if (opened.record === undefined) return opened.event
    writeRecord(shelf, opened.record)
    return undefined
  }

  return { take, open: openInTurn, begun }
}

/** False in a frame that could not restore the address after a reload. The address is not visible there, so keeping it does no harm. */
function mayStrip(): boolean {
  return window === window.top || outlivesReload(window)
}

/** Work that must finish before a submission is sent. */
interface EarlierWork {
  readonly begun: () => Promise<Event | undefined>
  readonly settled: () => Promise<unknown>
  readonly early: EarlySending
}

/** Submits steps and the session, along with the film since the previous request. Each picture of the film is sent only once. */
function submissionsOf(
  submission: ReturnType<typeof createSubmission>,
  client: SessionClient,
  token: () => string,
  { begun, settled, early }: EarlierWork,
  { situation, send, wording, report, film, lookBack, time }: Omit<SideOptions, 'uplink' | 'ended'>,
): Pick<VisitSide, 'submitStep' | 'submitSession'> {
  return {
    submitStep(step) {
      const trail = step.request === undefined ? film.take(step.frames) : []
      const arrived = early.end()
      return submission.submit(async (wanted) => {
        let sentAt = 0
        const answer = await client.submitStep(token(), { ...step, trail }, wanted, async () => {
          await arrived()
          sentAt = time()
        })
        film.forgetBefore(sentAt)
        return { type: 'stepAnswered', ...answer, at: steadyNow() }
      })
    },
    submitSession(closing) {
      const trail = closing.kind === 'frames' ? film.take(closing.frames) : []
      const { attempt, consented } = situation.value.context
      return submission.submit(async (wanted) => {
        const { plan } = situation.value.context
        const refusal = await begun()
        if (refusal !== undefined) return unlessUnreachable(refusal)
        await settled()
        const shown = { wording: await wording(plan!), deviceReport: report.read() }
        const session = { closing, attempt, consented, trail, ...shown }
        const uploaded = (share: number) => wanted() && send({ type: 'uploaded', share })
        const answer = await client.submitSession(token(), session, wanted, uploaded)
        if (answer.retry !== undefined) {
          const tip = lookBack.tip()
          lookBack.clear()
          film.renew()
          return { type: 'verdict', passed: false, redirectUrl: null, furtherTry: { ...answer.retry, tip } }
        }
        return eventOf(closing, answer, plan!)
      })
    },
  }
}

/** Without a network, the page keeps a submission for later, even if the session has yet to begin. */
function unlessUnreachable(refusal: Event): Event {
  const isUnreachable = refusal.type === 'notOpened' && refusal.problem === 'unreachable'
  return isUnreachable ? { type: 'unsent' } : refusal
}

type Answer = Awaited<ReturnType<SessionClient['submitSession']>>

function eventOf({ kind }: ClosingReason, answer: Answer, { alternative }: CapturePlan): Event {
  if (kind === 'left') return { ...verdictOf(answer), isLeft: true }
  if (kind === 'frames' || kind === 'test') return verdictOf(answer)
  const redirectUrl = kind === 'otherWay' ? (alternative?.url ?? null) : answer.redirectUrl
  return { type: 'leftServer', redirectUrl: safeRedirect(redirectUrl) }
}

function verdictOf(answer: Answer): EventOf<'verdict'> {
  performance.mark('selfsame:verdict')
  const passed = answer.verificationResult === 'Pass'
  const offersPasskey = answer.offersPasskey === true && canUsePasskeys(window)
  const redirectUrl = safeRedirect(answer.redirectUrl)
  return { type: 'verdict', passed, redirectUrl, ...(offersPasskey && { offersPasskey }) }
}

/** Requests a passkey only if this browser supports them. */
function withPasskey(event: Event): Event {
  const isAsked = event.type === 'opened' && event.plan.passkey === true && canUsePasskeys(window)
  return isAsked ? { ...event, asksPasskey: true } : event
}

/** Everything an open session needs besides submissions: remembering it, linking to it and leaving it. */
function keepSession(
  held: HeldSession,
  client: SessionClient,
  shelf: Shelf,
  situation: SideOptions['situation'],
  send: SideOptions['send'],
) {
  return {
    remember() {
      if (held.record === undefined) return
      const { consented } = situation.value.context
      held.record = { ...held.record, consented }
      writeRecord(shelf, held.record)
    },
    /** Runs only when the person leaves. Until then a reload needs the record. */
    forget: () => dropRecord(shelf),
    async holdPasskey(ceremony: PasskeyCeremony) {
      const worked = await holdCeremony(location.origin, held.record?.token ?? '', ceremony)
      send({ type: 'passkeyDone', worked })
    },
    async findWayBack() {
      try {
        const { redirectUrl } = await client.find(held.record?.token ?? '')
        send({ type: 'wayBack', redirectUrl: safeRedirect(redirectUrl) })
      } catch {
        // The token expired with the session. The page explains how to continue without an address.
      }
    },
    elsewhere() {
      const { code } = situation.value.context
      if (code !== null) return code.url
      if (held.record === undefined) return null
      return sessionLink(location.origin, held.record.sessionId, held.record.token)
    },
    bye() {
      const { state } = situation.value
      if (state.name !== 'declined' || state.submission !== 'none' || held.record === undefined) return
      sendRefusal(held.record.token)
    },
  }
}
