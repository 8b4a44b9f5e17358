import { fill } from '#web/wording/fill.ts'
import { numberFormat } from '#web/wording/formatters.ts'
import { usePlayground } from './playground-context.ts'

/** Similarity thresholds, and how rarely two strangers reach them: one pair in this many. */
const bands = [
  { from: 95, odds: 1_000_000, isExtrapolated: true },
  { from: 90, odds: 100_000, isExtrapolated: false },
  { from: 80, odds: 10_000, isExtrapolated: false },
  { from: 70, odds: 1000, isExtrapolated: false },
] as const

/** Places a similarity on a scale that shows false match rates. */
export function SimilarityScale({ similarity }: { similarity: number }) {
  const { words } = usePlayground()
  const at = bands.findIndex(({ from }) => similarity >= from)
  const place = Math.max(0, similarity)
  return (
    <div class="play-scale">
      <p class="play-similarity">
        {words.similarity} <strong>{similarity}</strong>
      </p>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="below" width="70" height="8" />
        {bands.map(({ from }, i) => (
          <rect key={from} class="band" x={from} width={(bands[i - 1]?.from ?? 100) - from} height="8" />
        ))}
        <rect class="mark" x={Math.min(99, place) - 0.5} width="1.5" height="8" />
      </svg>
      <ul>
        {bands.map(({ from, odds, isExtrapolated }, i) => (
          <li key={from} aria-current={i === at ? 'true' : undefined}>
            {fill(words.band, { score: from, odds: numberFormat(words.locale).format(odds) })}
            {isExtrapolated && ` ${words.extrapolated}`}
          </li>
        ))}
        <li aria-current={at < 0 ? 'true' : undefined}>{words.below}</li>
      </ul>
    </div>
  )
}
