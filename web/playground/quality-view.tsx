import { fill } from '#web/wording/fill.ts'
import type { QualityFace } from './found-faces.ts'
import { usePlayground } from './playground-context.ts'
import { ScoreBar } from './score-bar.tsx'

/** A face's quality as bars, with the unified score and its components. */
export function QualityView({ face: { quality, face } }: { face: QualityFace }) {
  const { words } = usePlayground()
  const { unifiedScore, components } = quality
  return (
    <>
      <p class="play-muted">{fill(words.detection, { n: face.confidence.toFixed(2) })}</p>
      <ul class="play-bars">
        <Row name={words.unified} value={unifiedScore} isStrong />
      </ul>
      <details open>
        <summary>{words.components}</summary>
        <ul class="play-bars">
          {Object.entries(components).map(([name, value]) => (
            <Row key={name} name={<code dir="ltr">{name}</code>} value={value} />
          ))}
        </ul>
      </details>
    </>
  )
}

interface RowProps {
  readonly name: preact.ComponentChildren
  readonly value: number | null
  readonly isStrong?: boolean
}

function Row({ name, value, isStrong = false }: RowProps) {
  const { words } = usePlayground()
  return (
    <li class={isStrong ? 'strong' : ''}>
      <span>{name}</span>
      <ScoreBar value={value} />
      <span class="play-number">{value ?? words.notMeasured}</span>
    </li>
  )
}

/** The head's orientation in degrees. */
export function PoseView({ face: { pose } }: { face: QualityFace }) {
  const { words } = usePlayground()
  return (
    <dl class="play-facts">
      {(['yaw', 'pitch', 'roll'] as const).map((name) => (
        <div key={name}>
          <dt>{words[name]}</dt>
          <dd dir="ltr">{`${pose[name].toFixed(1)}°`}</dd>
        </div>
      ))}
    </dl>
  )
}
