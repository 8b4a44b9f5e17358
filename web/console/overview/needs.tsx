import type { ComponentChildren } from 'preact'
import type { AttentionCondition, AttentionKind } from '#shared/contract/account/attention.ts'
import type { Address, PageName } from '#web/console/core/address.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { type LoadState, useDoing } from '#web/console/core/use-loaded.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Badge, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { count, fill } from '#web/wording/fill.ts'
import { Notices } from './notices.tsx'
import { type Needs as Found, givenUpText } from './use-needs.ts'

type Place = Partial<Address> & { readonly page: PageName }

interface LineProps {
  readonly tone: 'bad' | 'warn'
  readonly text: ComponentChildren
  readonly since?: string
  /** The remedy. */
  readonly remedy: string
  readonly to?: Place
  /** Absent if nothing can be done here. */
  readonly children?: ComponentChildren
}

/** One thing that needs attention, with its remedy and its place. */
function Line({ tone, text, since, remedy, to, children }: LineProps) {
  const { words } = useConsole()
  return (
    <li>
      <Badge tone={tone}>{words.value.attention.tone[tone]}</Badge>
      <span class="what">
        {to === undefined ? <strong>{text}</strong> : <Link to={to}>{text}</Link>}
        {since !== undefined && (
          <span class="small">
            {' '}
            <Since at={since} />
          </span>
        )}
        <span class="small remedy">{remedy}</span>
      </span>
      {children}
    </li>
  )
}

/** The time within its phrase, because languages put it at different places. */
function Since({ at }: { at: string }) {
  const { words } = useConsole()
  const [before, after] = words.value.attention.since.split('{time}')
  return (
    <>
      {before}
      <Time at={at} />
      {after}
    </>
  )
}

/** Everything that needs attention in one list, worst first. */
export function Needs({ found }: { found: LoadState<Found> }) {
  const { words } = useConsole()
  const { overview } = words.value
  const { value } = found
  return (
    <section class="needs-section" aria-label={overview.needs} aria-busy={value === undefined}>
      <h2>{overview.needs}</h2>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value !== undefined && <NeedsList needs={value} onChanged={found.reload} />}
    </section>
  )
}

const urgent: readonly AttentionKind[] = ['endpointFailing', 'storeFull']

function NeedsList({ needs, onChanged }: { needs: Found; onChanged: () => void }) {
  const { words } = useConsole()
  const { overview, attention, locale } = words.value
  const { conditions, givenUp, offEndpoints, waitingReviews, notices, names } = needs
  const first = conditions.filter(({ kind }) => urgent.includes(kind))
  const later = conditions.filter(({ kind }) => !urgent.includes(kind) && kind !== 'reviewsWaiting')
  const overdue = conditions.find(({ kind }) => kind === 'reviewsWaiting')
  const isCalm = conditions.length + givenUp + offEndpoints + waitingReviews + notices.length === 0
  const lineOf = (condition: AttentionCondition) => (
    <ConditionLine
      key={`${condition.kind} ${condition.subject.id}`}
      condition={condition}
      names={names}
      onChanged={onChanged}
    />
  )
  if (isCalm) return <p class="small">{overview.nothingNeeds}</p>
  return (
    <ul class="needs">
      {first.map(lineOf)}
      {givenUp > 0 && (
        <Line
          tone="bad"
          text={count(locale, overview.failedDeliveries, givenUp).replace(
            String(givenUp),
            givenUpText(givenUp),
          )}
          remedy={attention.remedy.failedDeliveries}
          to={{ page: 'developers', parts: ['deliveries'], query: { state: 'failed' } }}
        />
      )}
      {offEndpoints > 0 && (
        <Line
          tone="bad"
          text={count(locale, overview.offEndpoints, offEndpoints)}
          remedy={attention.remedy.offEndpoints}
          to={{ page: 'developers', parts: ['endpoints'] }}
        />
      )}
      {later.map(lineOf)}
      {notices.length > 0 && (
        <li>
          <Badge tone="warn">{attention.tone.warn}</Badge>
          <Notices all={notices} onSeen={onChanged} />
        </li>
      )}
      {waitingReviews > 0 && (
        <Line
          tone="warn"
          text={count(locale, overview.toReview, waitingReviews)}
          {...(overdue !== undefined && { since: overdue.since })}
          remedy={attention.remedy[overdue === undefined ? 'toReview' : 'reviewsWaiting']}
          to={{ page: 'review' }}
        />
      )}
    </ul>
  )
}

const placeOf: Readonly<Record<AttentionKind, (id: string) => Place | undefined>> = {
  endpointFailing: (endpointId) => ({ page: 'developers', parts: ['deliveries'], query: { endpointId } }),
  storeFull: () => undefined,
  verificationWeakened: (id) => ({ page: 'verifications', parts: [id] }),
  kioskUnseen: () => ({ page: 'kiosks' }),
  collectionOutgrown: (id) => ({ page: 'collections', parts: [id] }),
  reviewsWaiting: () => ({ page: 'review' }),
}

interface ConditionLineProps {
  readonly condition: AttentionCondition
  readonly names: Found['names']
  readonly onChanged: () => void
}

function ConditionLine({ condition: { kind, subject, since }, names, onChanged }: ConditionLineProps) {
  const { words, calls } = useConsole()
  const may = useMay()
  const doing = useDoing()
  const { attention } = words.value
  const to = placeOf[kind](subject.id)
  const confirm = () =>
    doing.run(async () => {
      await calls.configuration.confirmAttention({ verificationId: subject.id })
      onChanged()
    })
  return (
    <Line
      tone={urgent.includes(kind) ? 'bad' : 'warn'}
      text={
        <bdi>{fill(attention.kind[kind], { name: names.get(subject.id) ?? subject.id.slice(0, 12) })}</bdi>
      }
      since={since}
      remedy={attention.remedy[kind]}
      {...(to !== undefined && { to })}
    >
      {kind === 'verificationWeakened' && may('confirmAttention') && (
        <>
          <ProblemNote problem={doing.problem} />
          <Button isBusy={doing.isBusy} onPress={confirm}>
            {attention.confirm}
          </Button>
        </>
      )}
    </Line>
  )
}
