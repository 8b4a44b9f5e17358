import type { ReadonlySignal } from '@preact/signals'
import { type Outline, oval, widthOf } from '#web/capture/analysis/oval.ts'

/**
 * The face's requested and current sizes as two concentric ovals. The person should bring the thin one in line with the
 * dashed one. It follows the face but has no other animation, so it needs no reduced-motion variant.
 */
export function SizeOutline({ outline }: { outline: ReadonlySignal<Outline | null> }) {
  if (outline.value === null) return null
  const { wanted, seen, aspect } = outline.value
  return (
    <g class="size-outline">
      <Oval kind="casing" width={widthOf(wanted, aspect)} />
      <Oval kind="wanted" width={widthOf(wanted, aspect)} />
      {seen > 0 && <Oval kind="seen-casing" width={widthOf(seen, aspect)} />}
      {seen > 0 && <Oval kind="seen" width={widthOf(seen, aspect)} />}
    </g>
  )
}

function Oval({ kind, width }: { kind: string; width: number }) {
  const rx = Math.round(width * 5) / 10
  return (
    <ellipse
      class={kind}
      cx={oval.x}
      cy={oval.y}
      rx={rx}
      ry={Math.round((10 * rx * oval.ry) / oval.rx) / 10}
    />
  )
}
