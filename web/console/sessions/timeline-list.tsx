import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import type { SessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { duration } from '#web/console/core/times.ts'
import { Time } from '#web/console/ui/pieces.tsx'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { fill } from '#web/wording/fill.ts'
import { type Delivery, type Moment, timelineOf } from './timeline.ts'

interface TimelineProps {
  readonly session: ListedSession
  readonly result: SessionResult | undefined
  readonly deliveries: readonly Delivery[]
  readonly timeline: SessionTimeline
}

/** The events in order, each with the time since the session was opened. */
export function Timeline({ session, result, deliveries, timeline }: TimelineProps) {
  const { words } = useConsole()
  const { locale } = words.value
  const moments = timelineOf(session, result ?? {}, deliveries, timeline)
  const begun = Date.parse(session.createdAt)
  return (
    <ol class="timeline">
      {moments.map((moment) => {
        const seconds = (Date.parse(moment.at) - begun) / 1000
        return (
          <li
            key={`${moment.kind} ${moment.at} ${'delivery' in moment ? moment.delivery.deliveryId : ''}`}
            class={toneOf(moment, session)}
          >
            <span class="what">{textOf(moment, session, words.value)}</span>
            {'delivery' in moment && (
              <span class="to" dir="ltr">
                {moment.delivery.event} → {moment.delivery.address}
              </span>
            )}
            <span class="when">
              <Time at={moment.at} isExact />
              {seconds >= 1 && ` · ${fill(words.value.session.after, { time: duration(seconds, locale) })}`}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function toneOf(moment: Moment, { verificationResult }: ListedSession): string {
  if (moment.kind === 'delivered') return 'good'
  if (moment.kind === 'deliveryFailed') return 'bad'
  if (moment.kind === 'step') return moment.step.accepted ? 'good' : 'bad'
  if (moment.kind !== 'decided') return 'plain'
  return verificationResult === 'Pass' ? 'good' : 'bad'
}

function textOf(moment: Moment, session: ListedSession, words: ConsoleWording): string {
  const { session: phrases, result, deliveries, overview } = words
  switch (moment.kind) {
    case 'opened':
      return `${phrases.opened} ${phrases.openedBy[session.source]}`
    case 'decided':
      return fill(phrases.decided, { result: result[session.verificationResult ?? 'Fail'] })
    case 'reviewed':
      return fill(phrases.reviewed, { result: result[session.review?.decision ?? 'Fail'] })
    case 'step': {
      const { step: n, action, outcome } = moment.step
      if (action === null || outcome === null) return phrases.firstPictures
      return `${fill(phrases.step, { n, action: phrases.action[action] })} · ${phrases.outcome[outcome]}`
    }
    case 'tryBegun':
      return fill(phrases.tryBegun, { n: moment.number })
    case 'delivered':
      return fill(phrases.delivered, { status: moment.attempt.status ?? '' })
    case 'deliveryFailed': {
      const { status, error } = moment.attempt
      const answer =
        status === null ? deliveries.error[error ?? 'timeout'] : fill(deliveries.status, { status })
      return fill(phrases.deliveryFailed, { answer })
    }
    case 'firstPicture':
      return phrases.firstPictures
    case 'submitted':
      return overview.submitted
    default:
      return phrases[moment.kind]
  }
}
