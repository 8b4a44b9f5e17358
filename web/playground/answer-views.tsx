import type { getAge, getGender } from '#shared/contract/analysis/demographic.ts'
import type { detectEmotionAttention } from '#shared/contract/analysis/emotion-attention.ts'
import type { detectLiveness } from '#shared/contract/analysis/liveness.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { fill } from '#web/wording/fill.ts'
import { usePlayground } from './playground-context.ts'

type AgedFace = NonNullable<ResultOf<typeof getAge>['faces']>[number]
type GenderedFace = NonNullable<ResultOf<typeof getGender>['faces']>[number]

/** An age and its uncertainty. */
export function AgeView({ age }: { age: AgedFace['age'] | undefined }) {
  const { words } = usePlayground()
  if (age?.prediction == null) return <p class="play-muted">{words.notMeasured}</p>
  const { prediction, uncertainty } = age
  return (
    <>
      <p class="play-large">{fill(words.years, { n: prediction.toFixed(1) })}</p>
      {uncertainty !== null && (
        <p>
          {fill(words.uncertainty, { n: uncertainty.toFixed(2) })}.{' '}
          <span class={uncertainty > 1 ? 'play-fault' : 'play-muted'}>{words.tooUncertain}</span>
        </p>
      )}
    </>
  )
}

export function GenderView({ found }: { found: GenderedFace | undefined }) {
  const { words } = usePlayground()
  if (found === undefined) return <p class="play-muted">{words.notMeasured}</p>
  return (
    <>
      <p class="play-large">{words[found.gender]}</p>
      <p class="play-muted">{fill(words.sure, { n: Math.round(100 * found.genderConfidence) })}</p>
    </>
  )
}

type Flags = ResultOf<typeof detectEmotionAttention>['emotionsAttention']

/** Each of the endpoint's flags: yes, no, or not reliable. */
export function ExpressionView({ flags }: { flags: Flags }) {
  const { words } = usePlayground()
  const said = (flag: boolean | null) => {
    if (flag === null) return <span class="play-muted">{words.unsure}</span>
    return flag ? <strong>{words.yes}</strong> : words.no
  }
  return (
    <>
      <p class="play-muted">{words.largest}</p>
      <dl class="play-facts">
        {Object.entries(flags).map(([name, flag]) => (
          <div key={name}>
            <dt>
              <code dir="ltr">{name}</code>
            </dt>
            <dd>{said(flag)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

export function LivenessView({ found }: { found: ResultOf<typeof detectLiveness> }) {
  const { words } = usePlayground()
  const { isLive, confidence, spoofType, face } = found
  if (face === null) return <p>{words.noFace}</p>
  return (
    <>
      <p class="play-large">
        {isLive ? words.live : words.spoof} {spoofType !== null && <code dir="ltr">{spoofType}</code>}
      </p>
      <p>
        {fill(words.confidence, { n: confidence.toFixed(2) })}.{' '}
        <span class="play-muted">{words.largest}</span>
      </p>
      <p class="play-muted">{words.hint}</p>
    </>
  )
}
