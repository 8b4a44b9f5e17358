import type { BrowserKind } from './browser-kind.ts'

/** The place of a browser's question about the camera: below its address bar, or over the page. */
type Place = 'corner' | 'top' | 'centre' | 'bottom'

const places: Readonly<Record<BrowserKind, Place>> = {
  chrome: 'corner',
  firefox: 'corner',
  safari: 'top',
  chromeAndroid: 'centre',
  ios: 'centre',
  firefoxAndroid: 'bottom',
}

const corners: Readonly<Record<Place, readonly [x: number, y: number]>> = {
  corner: [24, 46],
  top: [74, 46],
  centre: [74, 42],
  bottom: [74, 66],
}

/** Shows where this browser asks for the camera, and which of its buttons to press. */
export function PermissionPrompt({ browser }: { browser: BrowserKind }) {
  const place = places[browser]
  const [x, y] = corners[place]
  const isPhone = place === 'centre' || place === 'bottom'
  return (
    <svg class="scene" viewBox="0 0 240 150" aria-hidden="true">
      {isPhone ? (
        <rect class="device" x="68" y="4" width="104" height="142" rx="14" />
      ) : (
        <rect class="device" x="10" y="6" width="220" height="138" rx="12" />
      )}
      <path class="text" d={isPhone ? 'M88 24h64' : 'M30 24h120'} />
      <g transform={`translate(${x} ${y})`}>
        <rect class="device asked" width="92" height="68" rx="9" />
        <path class="symbol" d="M10 12h14v11H10Zm14 4 7-4v11l-7-4" />
        <path class="text" d="M42 17h38" />
        <rect class="allow" x="10" y="38" width="72" height="20" rx="10" />
        <path class="allow-tick" d="m40 48 4 4 8-8" />
      </g>
    </svg>
  )
}
