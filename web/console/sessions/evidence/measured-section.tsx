import type { SessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { Badge, Fact, Facts, Section } from '#web/console/ui/pieces.tsx'
import { fill } from '#web/wording/fill.ts'
import { numberFormat } from '#web/wording/formatters.ts'

type Measurements = NonNullable<SessionTimeline['measured']>
type Score = Measurements['scores'][number]

const tones = { held: 'good', broken: 'bad', cannotTell: 'plain' } as const

/** The measurements behind the verdict: scores with their limits, cues, and picture quality. */
export function MeasuredSection({ measured }: { measured: SessionTimeline['measured'] }) {
  const { words } = useConsole()
  const { measured: phrases } = words.value
  if (measured === null) return null
  return (
    <Section title={phrases.title}>
      <Facts>
        {measured.scores.map((score) => (
          <Fact key={score.name} name={phrases.scores[score.name]}>
            <Bar score={score} />
          </Fact>
        ))}
        {measured.cues.map(({ name, answer }) => (
          <Fact key={name} name={phrases.cue[name]}>
            <Badge tone={tones[answer]}>{phrases.answer[answer]}</Badge>
          </Fact>
        ))}
        <Fact name={phrases.pictures}>
          {fill(phrases.of, { n: measured.straightPictures, all: measured.pictures })}
        </Fact>
      </Facts>
    </Section>
  )
}

/** A small bar that marks the limit. The text next to it says the same. */
function Bar({ score: { value, limit, most } }: { score: Score }) {
  const { words } = useConsole()
  const { locale, measured } = words.value
  const shown = (n: number) => numberFormat(locale, { maximumFractionDigits: 2 }).format(n)
  const along = (n: number) => Math.max(0, Math.min(100, (100 * n) / most))
  return (
    <span class="score">
      <svg viewBox="0 0 100 12" width={120} height={14} aria-hidden="true" preserveAspectRatio="none">
        <rect class="whole" x={0} y={2} width={100} height={8} />
        <rect class="value" x={0} y={2} width={along(value)} height={8} />
        {limit !== null && (
          <rect class="limit" x={Math.min(98.5, along(limit))} y={0} width={1.5} height={12} />
        )}
      </svg>{' '}
      {limit === null
        ? fill(measured.noLimit, { value: shown(value) })
        : fill(measured.limit, { value: shown(value), limit: shown(limit) })}
    </span>
  )
}
