const paths = {
  tick: <path d="m7.5 12.5 3 3 6-6.5" />,
  dash: <path d="M7 12h10" />,
  camera: (
    <>
      <path d="M4 8.5A1.5 1.5 0 0 1 5.5 7H8l1.5-2h5L16 7h2.500A1.5 1.5 0 0 1 20 8.500v8a1.5 1.5 0 0 1-1.5 1.500h-13A1.5 1.5 0 0 1 4 16.500Z" />
      <circle cx="12" cy="12.5" r="3" />
    </>
  ),
  cameraOff: (
    <>
      <path d="M8.5 7 9.5 5h5L16 7h2.500A1.5 1.5 0 0 1 20 8.500v8M16 18H5.500A1.5 1.5 0 0 1 4 16.500v-8c0-.5.2-.9.6-1.2" />
      <path d="m4 4 16 16" />
    </>
  ),
  face: (
    <>
      <ellipse cx="12" cy="12" rx="7" ry="9" />
      <path d="M9.5 10v.500m5-.500v.500M9.5 15.500c1.5 1 3.5 1 5 0" />
    </>
  ),
  pause: <path d="M9 7v10m6-10v10" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.500V12l3 2" />
    </>
  ),
  link: (
    <path d="M10 14a4 4 0 0 0 5.7 0l2.6-2.600a4 4 0 0 0-5.7-5.700L11.5 6.800M14 10a4 4 0 0 0-5.7 0l-2.6 2.600a4 4 0 0 0 5.7 5.700l1.1-1.1" />
  ),
  cloud: (
    <path d="M7.5 18a4 4 0 0 1-.5-8 5.5 5.5 0 0 1 10.5 1.200A3.5 3.5 0 0 1 17 18Zm4.5-1.500v-5m-2 2 2-2 2 2" />
  ),
  light: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.400M5.6 18.4 7 17M17 7l1.4-1.4" />
    </>
  ),
  phone: (
    <>
      <rect x="7" y="3" width="10" height="18" rx="2" />
      <path d="M11 18h2" />
    </>
  ),
  person: (
    <>
      <circle cx="12" cy="8" r="3.5" />
      <path d="M5 20c.5-4 3.5-6 7-6s6.5 2 7 6" />
    </>
  ),
  guide: <path d="M12 5v8m0 4v.5" />,
  spark: <path d="M4 12a8 8 0 1 0 8-8" />,
} as const

export type IconName = keyof typeof paths

/** A decorative 24-pixel icon that always appears next to a word. */
export function Icon({ name, size = 24 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {paths[name]}
    </svg>
  )
}
