import { useEffect, useState } from 'preact/hooks'

interface QrCodeProps {
  readonly text: string
  readonly label: string
}

/** The width of the quiet zone that the standard requires, in modules. */
const quiet = 4
/** The size of a version 4 code, which is enough for most addresses. This space is reserved before the code is drawn. */
const usualModules = 33

type Modules = readonly (readonly boolean[])[]

/**
 * A QR code. It is black on white in every theme, because many readers support nothing else. It tolerates up to 15 % damage, such as
 * a smear on the screen. The generator is loaded along with the first code; if that fails, the space stays white.
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

/** Draws a row's dark modules with one stroke per run. */
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
