import type { CaptureFault, Hint, Tip } from '#web/wording/findings.ts'
import type { Analysis } from '#workers/api.ts'
import { isClear, lookFault } from './capture-fault.ts'
import { thresholds } from './thresholds.ts'

/** The device's observations while the person looked straight ahead in this try. */
export type LookBack = ReturnType<typeof createLookBack>

/** Creates an empty record. It never includes anything from the server. */
export function createLookBack() {
  const counts = new Map<Tip, number>()
  let looks = 0
  return {
    /** `hint` is the hint that was on screen. */
    add(analysis: Analysis, hint: Hint | null) {
      looks++
      const tip = tipOf(analysis, hint)
      if (tip !== null) counts.set(tip, (counts.get(tip) ?? 0) + 1)
    },
    /** The most frequent fault, if it lasted long enough to matter. */
    tip(): Tip | null {
      const [most] = [...counts].sort(([, one], [, other]) => other - one)
      return most !== undefined && most[1] >= looks * thresholds.tipShare ? most[0] : null
    },
    clear() {
      counts.clear()
      looks = 0
    },
  }
}

function tipOf(analysis: Analysis, hint: Hint | null): Tip | null {
  if (hint === 'back') return 'size'
  if (hint === null && (analysis.face === undefined || isClear(analysis))) return null
  return ofFault[lookFault(analysis, hint)] ?? null
}

const ofFault: Readonly<Partial<Record<CaptureFault, Tip>>> = {
  dark: 'light',
  bright: 'light',
  far: 'size',
  blurred: 'blur',
}
