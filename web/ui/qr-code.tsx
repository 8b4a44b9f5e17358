import { useEffect, useState } from 'preact/hooks'

interface QrCodeProps {
  readonly text: string
  readonly label: string
}

/** The quiet zone that the standard asks for, in modules. */
const quiet = 4
/** Of a version 4 code, which most addresses take: what its place is as large as before it is drawn. */
const usualModules = 33

type Modules = readonly (readonly boolean[])[]

/**
 * A QR code, black on white in every theme: many readers know no other. Errors up to 15 % are corrected, so that a smear
 * on the screen does no harm. What makes it is loaded with the first one; where it does not come, its place stays white next to the words.
 */
export function QrCode({ text, label }: QrCodeProps) {
  const [modules, setModules] = useState<Modules>([])
  useEffect(() => {
    let isWanted = true
    const draw = async () => {
      const { encode } = await import('uqr')
      if (isWanted) setModules(encode(text, { ecc: 'M', border: 0 }).data)
    }
    draw().catch(() => {})
    return () => {
      isWanted = false
    }
  }, [text])
  const size = (modules.length || usualModules) + 2 * quiet
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect class="qr-light" width={size} height={size} />
      <path class="qr-dark" d={modules.map(rowPath).join('')} />
    </svg>
  )
}

/** The dark modules of a row, each run of them one stroke. */
function rowPath(row: readonly boolean[], y: number): string {
  const runs = row.flatMap((dark, x) => (dark && row[x - 1] !== true ? [x] : []))
  return runs
    .map((x) => {
      const length = row.slice(x).findIndex((dark) => !dark)
      const width = length < 0 ? row.length - x : length
      return `M${x + quiet} ${y + quiet}h${width}v1h-${width}z`
    })
    .join('')
}
