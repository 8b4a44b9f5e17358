import { eyeLine, type Mesh, point } from './mesh.ts'

const mouthCorners = [61, 291] as const
const lips = [0, 17] as const
const irisLine = [33, 263] as const

/**
 * How far the mouth is drawn into a smile, based on the mesh alone: the mouth's width relative to the distance between the outer eye corners,
 * plus how high its corners are above the middle of the lips. About 0.5 at rest. Compare it with the same person's neutral value.
 */
export function smileOf({ points }: Mesh): number {
  const angle = eyeLine(points)
  const level = (index: number) => {
    const { x, y } = point(points, index)
    return { x: x * Math.cos(angle) + y * Math.sin(angle), y: y * Math.cos(angle) - x * Math.sin(angle) }
  }
  const [right, left] = mouthCorners.map(level) as [{ x: number; y: number }, { x: number; y: number }]
  const [upper, lower] = lips.map(level) as [{ x: number; y: number }, { x: number; y: number }]
  const [eyeRight, eyeLeft] = irisLine.map(level) as [{ x: number; y: number }, { x: number; y: number }]
  const unit = Math.max(1e-6, eyeLeft.x - eyeRight.x)
  const lift = (upper.y + lower.y) / 2 - (right.y + left.y) / 2
  return (left.x - right.x + lift) / unit
}
