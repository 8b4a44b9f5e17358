import type { BrowserKind } from './browser-kind.ts'

/** The position of a browser's address bar, and the button in it. */
interface Bar {
  readonly place: 'top' | 'bottom'
  /** The button's symbol, centred in a 20-unit box. */
  readonly symbol: string
}

const sliders = 'M2 6h6m6 0h4M2 14h2m6 0h8M11 3.500v5M7 11.500v5'
const camera = 'M2 6h10v9H2Zm10 3 5-3v9l-5-3M1 2l16 16'
const lock = 'M4 9h12v8H4Zm2.500 0V6a3.500 3.500 0 0 1 7 0v3'
const lines = 'M2 4h16v8H2Zm0 12h16'
const menu = 'M2 4h16M2 10h16M2 16h10'

const bars: Readonly<Record<BrowserKind, Bar>> = {
  chrome: { place: 'top', symbol: sliders },
  chromeAndroid: { place: 'top', symbol: sliders },
  firefox: { place: 'top', symbol: camera },
  firefoxAndroid: { place: 'top', symbol: lock },
  safari: { place: 'top', symbol: menu },
  ios: { place: 'bottom', symbol: lines },
}

/** Shows how to allow a blocked camera: the symbol next to the address, and the switch in the menu that it opens. */
export function AddressBar({ browser }: { browser: BrowserKind }) {
  const { place, symbol } = bars[browser]
  const bar = place === 'top' ? 8 : 100
  const panel = place === 'top' ? 58 : 16
  return (
    <svg class="scene address-bar" viewBox="0 0 240 144" aria-hidden="true">
      <g class="ground">
        <ellipse cx="92" cy="72" rx="58" ry="70" />
        <ellipse cx="148" cy="72" rx="58" ry="70" />
      </g>
      <rect class="device" x="14" y={bar} width="212" height="36" rx="18" />
      <path class="text" d={`M64 ${bar + 18}h90`} />
      <circle class="touch" cx="36" cy={bar + 18} r="22" />
      <path class="symbol" transform={`translate(26 ${bar + 8})`} d={symbol} />
      <rect class="device" x="40" y={panel} width="160" height="70" rx="12" />
      <g transform={`translate(0 ${panel})`}>
        <path class="symbol" d="M56 16h16v13H56Zm16 4 8-4v13l-8-4" />
        <path class="text" d="M92 23h42M92 50h60M58 50h14" />
        <rect class="switch" x="156" y="13" width="32" height="19" rx="9.500" />
        <circle class="knob" cx="178.500" cy="22.500" r="6" />
      </g>
    </svg>
  )
}
