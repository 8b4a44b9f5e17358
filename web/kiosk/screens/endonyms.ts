interface Drawing {
  readonly width: number
  /** Strokes in a box 24 units high. */
  readonly strokes: string
}

/** Names in scripts that panels often have no font for. */
export const endonymDrawings: Readonly<Record<string, Drawing>> = {
  ar: {
    width: 66,
    strokes:
      'M61 4v12M54 4v12H47L42.500 10.500Q45.500 8.500 49 10.500L41.500 16H40.500Q38.500 16 38 13.500Q38.500 20 32.500 21M29.500 11v5H13M20.500 11v5M13 16V9C8 9.500 4 13 5.500 15.500 7 17.500 12.500 17 13 11M27.500 20.500h.500M17 20.500h.500M21 20.500h.500M7 4.500h.500M11 4.500h.500',
  },
  ja: {
    width: 68,
    strokes:
      'M4 4h13v16H4Zm0 8h13M25 8h17M33.500 3v18m0-13c-2 4-5 8-8.500 10m8.500-10c2 4 5 8 8.500 10M30 17h7M49.500 3l2 1.500M46 7h9m-8 3.500h7m-7 3h7m-7 3h7v5h-7ZM57 4h9.500m-4.500 0-1.500 8.500M57.500 8H65v4.500M56 12.500h11.500M58 16h7.500v5.500H58Z',
  },
  zh: {
    width: 46,
    strokes:
      'M4 8h15v7.500H4ZM11.500 3v18M34 2.500l1.500 3M26 7h18m-4 0c-2 6.500-7 11-14 14m3.500-14c2.500 6.500 7 11 14 14',
  },
  hi: {
    width: 62,
    strokes:
      'M2 7h58M8 7v14M8 7c-2-7 9-8 12 0m0 0v3h-2.500c-4.500 0-4.500 5 0 5H21c-5 0-7 4.500-3 5.500 2 .5 3.500 0 4.500 1.500M32 14a3 3 0 1 0 0 4c1.500-1.500 1-4-.5-4H39M44 7v3.500c-6 0-7.500 6.500-2 7 3.500 0 3.500-3.500.5-3.500m-.5 3.500 4 4.500M55 7v14M55 7c1-7-10-8-11 0',
  },
}

/** A language's name in that language. */
export function ownNameOf(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
  return name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1)
}
