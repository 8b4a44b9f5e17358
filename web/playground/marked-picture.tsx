import { fill } from '#web/wording/fill.ts'
import type { QualityFace } from './found-faces.ts'
import type { PickedPicture } from './picked-picture.ts'
import { usePlayground } from './playground-context.ts'

/** The index of the lowest point on the nose bridge, where the line for the head's direction starts. */
const endOfBridge = 13
const radians = Math.PI / 180

interface MarkedPictureProps {
  readonly picture: PickedPicture
  readonly faces: readonly QualityFace[]
  readonly chosen: number
}

/** A picture with a box around each face. The selected face also has its points and the head's direction. */
export function MarkedPicture({
  picture: { shown, name, width, height },
  faces,
  chosen,
}: MarkedPictureProps) {
  const { words } = usePlayground()
  const unit = Math.max(width, height) / 400
  return (
    <div class="play-picture">
      <img
        src={shown}
        alt={`${name}. ${fill(words.found, { n: faces.length })}`}
        width={width}
        height={height}
      />
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {faces.map(({ face: { boundingBox: box } }, i) => (
          <rect
            key={`${box.x} ${box.y}`}
            class={i === chosen ? 'play-box chosen' : 'play-box'}
            {...box}
            rx={4 * unit}
            stroke-width={(i === chosen ? 3 : 1.5) * unit}
          />
        ))}
        {faces[chosen] !== undefined && <Points face={faces[chosen]} unit={unit} />}
      </svg>
    </div>
  )
}

function Points({ face: { landmarks2D, pose, face }, unit }: { face: QualityFace; unit: number }) {
  const nose = landmarks2D[endOfBridge]!
  const length = face.boundingBox.width
  const end = {
    x: nose.x + length * Math.sin(pose.yaw * radians),
    y: nose.y - length * Math.sin(pose.pitch * radians),
  }
  return (
    <>
      {landmarks2D.map(({ x, y }, i) => (
        <circle key={i} class="play-point" cx={x} cy={y} r={1.4 * unit} />
      ))}
      <line class="play-pose" x1={nose.x} y1={nose.y} x2={end.x} y2={end.y} stroke-width={2.5 * unit} />
    </>
  )
}
