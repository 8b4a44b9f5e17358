import { encode } from 'uqr'

interface QrCodeProps {
  readonly text: string
  readonly label: string
}

/** The quiet zone that the standard asks for, in modules. */
const quiet = 4

/**
 * A QR code, black on white in every theme: many readers know no other. Errors up to 15 % are corrected, so that a smear
 * on the screen does no harm.
 */
export function QrCode({ text, label }: QrCodeProps) {
  const { data } = encode(text, { ecc: 'M', border: 0 })
  const size = data.length + 2 * quiet
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect class="qr-light" width={size} height={size} />
      <path class="qr-dark" d={data.map(rowPath).join('')} />
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
