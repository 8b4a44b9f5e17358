import { endonymDrawings, ownNameOf } from './endonyms.ts'

/** A language's own name. It is drawn if the device is unlikely to have the script. */
export function Endonym({ locale }: { locale: string }) {
  const name = ownNameOf(locale)
  const drawing = endonymDrawings[locale]
  if (drawing === undefined) return <span>{name}</span>
  const { width, strokes } = drawing
  return (
    <svg class="endonym" viewBox={`0 0 ${width} 24`} role="img" aria-label={name}>
      <path d={strokes} />
    </svg>
  )
}
