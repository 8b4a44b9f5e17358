import type { KioskStatus, PairingTrouble, UnpairingResult } from './kiosk.ts'

/** The message on the screen at the end of a visit. */
export type AnswerKind =
  /** Passed as far as this device can tell. The server makes the final decision. */
  | 'passed'
  /** Failed, or must look the same as a failure. There is one page for every reason. */
  | 'staff'
  /** Only the server can decide. */
  | 'later'
  /** The person declined, or there was no camera. */
  | 'nothing'
  /** The capture could not be stored. */
  | 'notKept'

/** The staff menu's pages. */
export const menuSections = ['queue', 'storage', 'errors', 'camera', 'unpair'] as const
export type MenuSection = (typeof menuSections)[number]

/** Why a new PIN was rejected. */
export type NewPinTrouble = 'notDigits' | 'differs'

/** Everything that a kiosk screen needs. The root element's `data-state` is the name, except for a visit's screens. */
export type KioskState =
  | { readonly name: 'starting' }
  | { readonly name: 'elsewhere' }
  | { readonly name: 'pairing'; readonly busy: boolean; readonly trouble: PairingTrouble | null }
  | { readonly name: 'newPin'; readonly trouble: NewPinTrouble | null }
  | { readonly name: 'installing'; readonly share: number; readonly isStuck: boolean }
  /** `busy` means that the next visit is being prepared. */
  | { readonly name: 'attract'; readonly busy: boolean }
  | { readonly name: 'closed'; readonly cause: 'revoked' | 'full' | 'noPlans' | 'storageRefused' }
  /** A visit, which uses the capture page's screens. */
  | { readonly name: 'visit' }
  | { readonly name: 'stillThere' }
  | {
      readonly name: 'answer'
      readonly answer: AnswerKind
      /** The strongest expression, if the configuration states a purpose for it. */
      readonly expression: string | null
      readonly staying: boolean
    }
  /** `waitUntil` is when PIN entries stop being ignored, in milliseconds since 1970. */
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
      readonly trouble: Exclude<UnpairingResult, 'unpaired'> | null
    }

export type KioskStateName = KioskState['name']

/** The part of the core's state that does not depend on the screen. */
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
  /** The screen was neither touched nor attended for as long as the state allows. */
  | { readonly type: 'idle' }
  | { readonly type: 'here' | 'keep' | 'finish' }
  | { readonly type: 'staff' | 'back' | 'close' }
  | { readonly type: 'enterPin'; readonly pin: string }
  | { readonly type: 'pinChecked'; readonly isRight: boolean; readonly waitUntil: number | null }
  | { readonly type: 'openSection'; readonly section: MenuSection }
  | { readonly type: 'sync' | 'retry' | 'done' }
  | { readonly type: 'unpair'; readonly name: string }
  | { readonly type: 'notUnpaired'; readonly trouble: Exclude<UnpairingResult, 'unpaired'> }

export type KioskEffect =
  | { readonly type: 'pair'; readonly code: string }
  | { readonly type: 'setPin'; readonly pin: string }
  | { readonly type: 'checkPin'; readonly pin: string }
  /** Also enters full screen, because browsers only allow that during a touch. */
  | { readonly type: 'beginVisit' }
  | { readonly type: 'restVisit' | 'endVisit' }
  | { readonly type: 'sync' | 'retry' }
  | { readonly type: 'unpair'; readonly name: string; readonly loseWaiting: boolean }
  /** The next person may speak another language. */
  | { readonly type: 'resetLanguage' }

/** A transition: the next state (unchanged if absent) and its effects. */
export interface KioskStep {
  readonly state?: KioskState
  readonly effects?: readonly KioskEffect[]
}

export type KioskStateOf<N extends KioskStateName> = Extract<KioskState, { readonly name: N }>

/** Handles an event in a state; undefined if the state ignores it. */
export type KioskReaction<N extends KioskStateName> = (
  event: KioskEvent,
  state: KioskStateOf<N>,
  context: KioskContext,
) => KioskStep | undefined
