const dayInMilliseconds = 24 * 3600 * 1000

/** Settings for a server with a clock that is off by this number of days. */
export function clockOffBy(days: number): Record<string, string> {
  const code = `
    const Real = Date
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Date.now()) : super(...given) }
      static now() { return Real.now() + ${days * dayInMilliseconds} }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}
