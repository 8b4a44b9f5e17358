import { Head } from './head.tsx'

/** Illustrates the consent screen: the device films a face and sends the pictures to a server. */
export function Journey() {
  return (
    <svg class="scene journey" viewBox="0 0 240 96" aria-hidden="true">
      <rect class="device" x="44" y="4" width="52" height="88" rx="10" />
      <g transform="translate(46 22) scale(.5)">
        <Head />
      </g>
      <path class="way" d="M110 48h30m-8-8 8 8-8 8" />
      <rect class="device" x="154" y="18" width="52" height="26" rx="6" />
      <rect class="device" x="154" y="52" width="52" height="26" rx="6" />
      <path d="M164 31h.5M164 65h.5M176 31h20M176 65h20" />
    </svg>
  )
}
