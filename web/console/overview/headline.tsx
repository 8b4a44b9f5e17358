import type { ComponentChildren } from 'preact'
import { useConsole } from '#web/console/core/console-context.ts'
import { duration } from '#web/console/core/times.ts'
import { Link } from '#web/console/ui/link.tsx'
import { count, fill } from '#web/wording/fill.ts'
import { numberFormat } from '#web/wording/formatters.ts'
import type { Figures } from './figures.ts'
import { sessionsSince } from './sessions-since.ts'
import type { Rate } from './wilson.ts'

/** The key figures at a glance: the pass rate with its confidence interval, the number of sessions, and their duration. */
export function Headline({ figures, before }: { figures: Figures; before: Figures }) {
  const { words } = useConsole()
  const { overview, locale } = words.value
  const to = sessionsSince(figures.since)
  const number = numberFormat(locale)
  const { passed, failed, left, expired, states, durations, passRate } = figures
  // Before the first session there is nothing to compare with.
  const hasEarlier = before.states.opened > 0
  const earlier = (n: number) => (hasEarlier ? fill(overview.before, { n: number.format(n) }) : undefined)
  const linked = (n: number, query: Record<string, string>) => <Link to={to(query)}>{number.format(n)}</Link>
  return (
    <section class="headline" aria-label={overview.passRate}>
      <PassRate rate={passRate} passed={passed} decided={passed + failed} />
      <dl class="stats">
        <Stat name={overview.opened} before={earlier(before.states.opened)}>
          {linked(states.opened, {})}
        </Stat>
        <Stat name={overview.passed} before={earlier(before.passed)}>
          {linked(passed, { outcome: 'passed' })}
        </Stat>
        <Stat name={overview.failed} before={earlier(before.failed)}>
          {linked(failed, { outcome: 'failed' })}
        </Stat>
        <Stat name={overview.left} hint={overview.leftHint} before={earlier(before.left)}>
          {linked(left, { outcome: 'left' })}
        </Stat>
        <Stat name={overview.expired} hint={overview.expiredHint} before={earlier(before.expired)}>
          {linked(expired, { outcome: 'expired' })}
        </Stat>
      </dl>
      <dl class="stats">
        {(['p50', 'p90', 'p95'] as const).map((share) => (
          <Stat key={share} name={overview.within[share]}>
            <Seconds value={durations[share]} />
          </Stat>
        ))}
      </dl>
    </section>
  )
}

function PassRate({ rate, passed, decided }: { rate: Rate | null; passed: number; decided: number }) {
  const { words } = useConsole()
  const { overview, locale, none } = words.value
  const number = numberFormat(locale)
  return (
    <div class="pass-rate">
      <h2>{overview.passRate}</h2>
      <p class="figure">{rate === null ? none : percentOf(rate.share, locale)}</p>
      {rate === null ? (
        <p class="small">{overview.noVerdicts}</p>
      ) : (
        <>
          <p class="small">
            {fill(count(locale, overview.ofVerdicts, decided), { passed: number.format(passed) })}
          </p>
          <p class="small">
            <IntervalText rate={rate} />
          </p>
        </>
      )}
    </div>
  )
}

/** The confidence interval of a share. */
export function IntervalText({ rate, isShort = false }: { rate: Rate; isShort?: boolean }) {
  const { words } = useConsole()
  const { overview, locale } = words.value
  const [from, to] = [isolated(percentOf(rate.from, locale)), isolated(percentOf(rate.to, locale))]
  const phrase = isShort ? overview.fromTo : overview.interval
  return <span class="interval">{fill(phrase, { from, to })}</span>
}

/** Isolates a number from right-to-left text, so that its percent sign stays next to it. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`
}

export function percentOf(share: number, locale: string): string {
  return numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share)
}

/** A duration, or a dash. */
export function Seconds({ value }: { value: number | null }) {
  const { words } = useConsole()
  return value === null ? <span class="none">{words.value.none}</span> : duration(value, words.value.locale)
}

interface StatProps {
  readonly name: string
  readonly hint?: string
  /** The figure of the same time before. */
  readonly before?: string | undefined
  readonly children: ComponentChildren
}

function Stat({ name, hint, before, children }: StatProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {before !== undefined && <span class="small before">{before}</span>}
      </dd>
      {hint !== undefined && <dd class="small">{hint}</dd>}
    </div>
  )
}
