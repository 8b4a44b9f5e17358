import type { KioskState, KioskStateName } from '#web/kiosk/core/state.ts'

const answers = ['passed', 'staff', 'later', 'nothing', 'notKept'] as const
const troubles = ['wrong', 'gone', 'tooMany', 'unreachable'] as const
const answer = { name: 'answer', expression: null, staying: false } as const

/** Exhibits for each kiosk state. A missing state does not compile. During a visit, the capture page's exhibits apply. */
const byState: {
  readonly [N in Exclude<KioskStateName, 'visit'>]: Readonly<
    Record<string, KioskState & { readonly name: N }>
  >
} = {
  starting: { starting: { name: 'starting' } },
  elsewhere: { elsewhere: { name: 'elsewhere' } },
  pairing: {
    pairing: { name: 'pairing', busy: false, trouble: null },
    ...Object.fromEntries(
      troubles.map((trouble) => [`pairing-${trouble}`, { name: 'pairing', busy: false, trouble } as const]),
    ),
  },
  newPin: {
    'new-pin': { name: 'newPin', trouble: null },
    'new-pin-short': { name: 'newPin', trouble: 'notDigits' },
    'new-pin-differs': { name: 'newPin', trouble: 'differs' },
  },
  installing: {
    installing: { name: 'installing', share: 0.6, isStuck: false },
    'installing-stuck': { name: 'installing', share: 0.9, isStuck: true },
  },
  attract: {
    attract: { name: 'attract', busy: false },
    'attract-busy': { name: 'attract', busy: true },
  },
  closed: Object.fromEntries(
    (['revoked', 'full', 'noPlans', 'storageRefused'] as const).map((cause) => [
      cause,
      { name: 'closed', cause } as const,
    ]),
  ),
  stillThere: { 'still-there': { name: 'stillThere' } },
  answer: {
    ...Object.fromEntries(answers.map((kind) => [`answer-${kind}`, { ...answer, answer: kind } as const])),
    'answer-expression': { ...answer, answer: 'passed', expression: 'surprised', staying: true },
  },
  pin: {
    pin: { name: 'pin', busy: false, isWrong: false, waitUntil: null },
    'pin-wrong': { name: 'pin', busy: false, isWrong: true, waitUntil: null },
    'pin-wait': { name: 'pin', busy: false, isWrong: true, waitUntil: Date.now() + 90_000 },
  },
  menu: { menu: { name: 'menu' } },
  queue: { queue: { name: 'queue', busy: false } },
  storage: { storage: { name: 'storage' } },
  errors: { errors: { name: 'errors' } },
  camera: { camera: { name: 'camera' } },
  unpair: {
    unpair: { name: 'unpair', busy: false, trouble: null },
    'unpair-wrong': { name: 'unpair', busy: false, trouble: 'wrongName' },
    'unpair-waiting': { name: 'unpair', busy: false, trouble: 'waiting' },
  },
}

/** All kiosk screens, by name. */
export const kioskExhibits: Readonly<Record<string, KioskState>> = Object.fromEntries(
  Object.values(byState).flatMap((states) =>
    Object.entries(states).map(([name, state]) => [`kiosk-${name}`, state]),
  ),
)
