const quote = 0x22
const backslash = 0x5c
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

/** Whether a JSON text nests deeper than the limit. One pass, before anything is parsed. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (inString) {
      if (unit === backslash) i++
      else if (unit === quote) inString = false
    } else if (unit === quote) inString = true
    else if (openers.has(unit) && ++depth > limit) return true
    else if (closers.has(unit)) depth--
  }
  return false
}
