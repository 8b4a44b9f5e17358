import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import type { Event, EventOf } from '#web/capture/machine/state.ts'
import type { Closing } from '#web/capture/machine/submissions.ts'
import { canUsePasskeys, holdCeremony } from '#web/capture/sending/passkey.ts'
import { createClient, type SessionClient, sendRefusal } from '#web/capture/sending/submit.ts'
import { createEarlySending, type EarlySending } from './early-sending.ts'
import { createHandoffSide } from './handoff.ts'
import { isWhole, readLink, safeRedirect, sessionLink, stripLink } from './link.ts'
import { createOpeningId } from './opening-id.ts'
import { createResumeSecrets } from './resume-secret.ts'
import { mayOpenYet, type Opening, openLink, takeOver } from './session-opening.ts'
import { dropRecord, readRecord, type SessionRecord, writeRecord } from './session-record.ts'
import { outlivesReload, type Shelf, tabShelf } from './shelf.ts'
import { createSubmission } from './submission.ts'
import type { SideOptions, VisitSide } from './visit-side.ts'

/** The session that this page has open. */
type Held = { record?: SessionRecord }

/** Makes the server's side of the flow: the session as the server holds it, and what a reload needs of it. */
export function createServerSide(options: SideOptions): Required<VisitSide> {
  const { send, situation, film, ended } = options
  const waiting = { onChecking: () => send({ type: 'beingChecked' }), ended }
  const client = createClient(location.origin)
  const path = location.pathname
  const link = readLink(location)
  const shelf = tabShelf(window)
  const openingId = createOpeningId(shelf)
  const resumeSecrets = createResumeSecrets(window)
  const held: Held = {}
  let opening: Promise<void> | undefined
  const token = () => held.record?.token ?? ''
  const handoff = createHandoffSide({ send, client, token, page: document })
  const submission = createSubmission(send, client, token)
  const early = createEarlySending(client, token, film)

  const hear = (opened: Opening) => {
    if (opened.record !== undefined) {
      held.record = opened.record
      film.renew(opened.filmed)
    }
    send(withPasskey(opened.event))
  }
  const openOnce = async () => {
    const known = held.record ?? (isWhole(link) ? undefined : readRecord(shelf, path))
    const opened = await openLink({ client, link, path, openingId, resumeSecrets, known, waiting })
    // A link that did not open is not used: a reload still needs all of it.
    if (!mayOpenYet(opened.event) && mayStrip()) stripLink(history, location)
    hear(opened)
  }

  return {
    open() {
      // [Note: One opening at a time] A second request for the same link would find it used.
      opening ??= openOnce().finally(() => {
        opening = undefined
      })
      return opening
    },
    ...submissionsOf(submission, client, token, { settled: handoff.settled, early }, options),
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
      ...keepSession(held, client, shelf, situation, send),
    },
  }
}

/** Not where nothing else would be left of it for a reload, in a frame, whose address nobody sees. */
function mayStrip(): boolean {
  return window === window.top || outlivesReload(window)
}

/** How steps and the session are handed in; what was filmed since the request before goes along, and is sent once. */
function submissionsOf(
  submission: ReturnType<typeof createSubmission>,
  client: SessionClient,
  token: () => string,
  { settled, early }: { settled: () => Promise<unknown>; early: EarlySending },
  { situation, send, wording, report, film, lookBack, time }: Omit<SideOptions, 'ended'>,
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
        return { type: 'stepAnswered', ...answer, at: Date.now() }
      })
    },
    submitSession(closing) {
      const trail = closing.kind === 'frames' ? film.take(closing.frames) : []
      const { attempt, consented } = situation.value.context
      return submission.submit(async (wanted) => {
        const { plan } = situation.value.context
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

type Answer = Awaited<ReturnType<SessionClient['submitSession']>>

function eventOf({ kind }: Closing, answer: Answer, { alternative }: CapturePlan): Event {
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

/** A passkey is asked for only where this browser can show one. */
function withPasskey(event: Event): Event {
  const isAsked = event.type === 'opened' && event.plan.passkey === true && canUsePasskeys(window)
  return isAsked ? { ...event, asksPasskey: true } : event
}

/** What goes on with an open session besides its submissions: it is remembered, linked to, and left. */
function keepSession(
  held: Held,
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
    /** Not before the person leaves: until then a reload finds the way back by it. */
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
        // the token ends with the session: the page says how to go on without an address
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
