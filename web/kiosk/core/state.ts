import type { KioskStatus, PairingTrouble, Unpairing } from './kiosk.ts'

/** What the screen at the end of a visit says. */
export type AnswerKind =
  /** Passed, as far as this device can tell: the server's word is the last. */
  | 'passed'
  /** Refused, or indistinguishable from that: one page, whatever the reason. */
  | 'staff'
  /** Only the server can tell. */
  | 'later'
  /** The person declined, or there was no camera. */
  | 'nothing'
  /** The capture could not be kept. */
  | 'notKept'

/** The pages of the staff menu. */
export const menuSections = ['queue', 'storage', 'errors', 'camera', 'unpair'] as const
export type MenuSection = (typeof menuSections)[number]

/** Why a new PIN was not taken. */
export type NewPinTrouble = 'notDigits' | 'differs'

/** Everything that one screen of the kiosk needs. The name is the root element's `data-state`, but for a visit's own screens. */
export type KioskState =
  | { readonly name: 'starting' }
  | { readonly name: 'elsewhere' }
  | { readonly name: 'pairing'; readonly busy: boolean; readonly trouble: PairingTrouble | null }
  | { readonly name: 'newPin'; readonly trouble: NewPinTrouble | null }
  | { readonly name: 'installing'; readonly share: number; readonly isStuck: boolean }
  /** `busy`: the next visit is being made ready. */
  | { readonly name: 'attract'; readonly busy: boolean }
  | { readonly name: 'closed'; readonly cause: 'revoked' | 'full' | 'noPlans' | 'storageRefused' }
  /** A person's turn: the screens are those of the capture page. */
  | { readonly name: 'visit' }
  | { readonly name: 'stillThere' }
  | {
      readonly name: 'answer'
      readonly answer: AnswerKind
      /** The strongest expression, where the configuration states a purpose for it. */
      readonly expression: string | null
      readonly staying: boolean
    }
  /** `waitUntil`: when the next PIN is looked at, in milliseconds since 1970. */
  | {
      readonly name: 'pin'
      readonly busy: boolean
      readonly isWrong: boolean
      readonly waitUntil: number | null
    }
  | { readonly name: 'menu' }
  | { readonly name: 'queue'; readonly busy: boolean }
  | { readonly name: 'storage' }
  | { readonly name: 'errors' }
  | { readonly name: 'camera' }
  | {
      readonly name: 'unpair'
      readonly busy: boolean
      readonly trouble: Exclude<Unpairing, 'unpaired'> | null
    }

export type KioskStateName = KioskState['name']

/** What outlives a screen: what the core says of itself. */
export interface KioskContext {
  readonly status: KioskStatus
  readonly hasPin: boolean
}

export interface KioskSituation {
  readonly state: KioskState
  readonly context: KioskContext
}

export type KioskEvent =
  | { readonly type: 'status'; readonly status: KioskStatus; readonly hasPin: boolean }
  | { readonly type: 'pair'; readonly code: string }
  | { readonly type: 'notPaired'; readonly trouble: PairingTrouble }
  | { readonly type: 'choosePin'; readonly pin: string; readonly again: string }
  | { readonly type: 'start' | 'visitRefused' | 'visitBegan' }
  | { readonly type: 'ended'; readonly answer: AnswerKind; readonly expression: string | null }
  /** Nobody touched the screen, or was seen, for as long as the state bears. */
  | { readonly type: 'idle' }
  | { readonly type: 'here' | 'keep' | 'finish' }
  | { readonly type: 'staff' | 'back' | 'close' }
  | { readonly type: 'enterPin'; readonly pin: string }
  | { readonly type: 'pinChecked'; readonly isRight: boolean; readonly waitUntil: number | null }
  | { readonly type: 'openSection'; readonly section: MenuSection }
  | { readonly type: 'sync' | 'retry' | 'done' }
  | { readonly type: 'unpair'; readonly name: string }
  | { readonly type: 'notUnpaired'; readonly trouble: Exclude<Unpairing, 'unpaired'> }

export type KioskEffect =
  | { readonly type: 'pair'; readonly code: string }
  | { readonly type: 'setPin'; readonly pin: string }
  | { readonly type: 'checkPin'; readonly pin: string }
  /** Also the moment for filling the screen: browsers want a touch for it. */
  | { readonly type: 'beginVisit' }
  | { readonly type: 'restVisit' | 'endVisit' }
  | { readonly type: 'sync' | 'retry' }
  | { readonly type: 'unpair'; readonly name: string; readonly loseWaiting: boolean }
  /** The next person may speak another language. */
  | { readonly type: 'resetLanguage' }

/** A transition: the next state (the same where absent), and what is to be done. */
export interface KioskStep {
  readonly state?: KioskState
  readonly effects?: readonly KioskEffect[]
}

/** The state of one name. */
export type KioskStateOf<N extends KioskStateName> = Extract<KioskState, { readonly name: N }>

/** What a state does with an event; undefined where the event means nothing to it. */
export type KioskReaction<N extends KioskStateName> = (
  event: KioskEvent,
  state: KioskStateOf<N>,
  context: KioskContext,
) => KioskStep | undefined
