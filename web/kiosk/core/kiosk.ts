import type { ReadonlySignal } from '@preact/signals'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { FlowOptions } from '#web/capture/flow/flow.ts'

/** What the kiosk can do at the moment; each kind is one screen. */
export type KioskStatus =
  | { readonly kind: 'starting' }
  /** It waits for a pairing code. */
  | { readonly kind: 'unpaired' }
  /** Another window of this browser works as the kiosk; this one takes over when that one closes. */
  | { readonly kind: 'elsewhere' }
  /** Files are being kept for the time without a network. `share`: 0...1 of them; `isStuck`: the last one was not to be had. */
  | { readonly kind: 'installing'; readonly share: number; readonly isStuck: boolean }
  | { readonly kind: 'ready' }
  /** The server refuses this kiosk for good. What waits is kept. */
  | { readonly kind: 'revoked' }
  /** The storage takes no further capture. What waits is kept. */
  | { readonly kind: 'full' }
  /** No plan is left to draw a challenge from, and the configuration allows no capture without one. */
  | { readonly kind: 'noPlans' }
  /** The browser keeps nothing here, as some do in private windows. */
  | { readonly kind: 'storageRefused' }

/** What a visit is captured by: as the server last said. */
export interface KioskSettings {
  /** A BCP 47 tag, or null where the page chooses. */
  readonly locale: string | null
  readonly capturePlan: CapturePlan
}

/** The captures that are kept here. No picture of them can be read on this device. */
export interface QueueView {
  /** How many wait to be sent. */
  readonly waiting: number
  /** How many the server could not read: kept aside until they are tried again, or unpairing drops them. */
  readonly setAside: number
  /** Milliseconds since 1970; null before the first one. */
  readonly lastSentAt: number | null
  readonly sending: boolean
}

/** What the browser tells of this origin's storage. */
export interface StorageView {
  readonly usedBytes: number
  readonly quotaBytes: number
  /** Whether the browser promised not to clear it by itself. */
  readonly isPersisted: boolean
}

/** How far the device's clock is from the server's. */
export interface DriftView {
  /** Seconds to add to the device's clock; times of captures are corrected by it. */
  readonly offsetInSeconds: number
  /** More than five minutes: somebody should set the clock. */
  readonly isFlagged: boolean
}

/** The kinds of trouble that the staff menu lists; each is a key of the wording. */
const kioskErrorKinds = [
  'unreachable',
  'serverTrouble',
  'captureRefused',
  'sequenceUsed',
  'verificationGone',
  'clockDrift',
  'revoked',
  'storageFull',
  'storageRefused',
  'notInstalled',
  'planRefused',
] as const
export type KioskErrorKind = (typeof kioskErrorKinds)[number]

/** Something that went wrong; names no person and holds no key. */
export interface KioskError {
  /** Milliseconds since 1970, by the corrected clock. */
  readonly at: number
  readonly kind: KioskErrorKind
  /** The code of the server's problem, or null. */
  readonly code: string | null
}

/** Why a pairing code was not taken. */
export type PairingTrouble = 'wrong' | 'gone' | 'tooMany' | 'unreachable'

/** The answer on the spot. `Pending`: only the server can tell, once the capture has arrived. */
export interface KioskAnswer {
  readonly result: 'Pass' | 'Fail' | 'Pending'
  /** The strongest expression where the configuration states a purpose for it; else null. */
  readonly expression: string | null
}

/** How a visit ended. */
export type VisitOutcome =
  /** The capture is on disk: it will reach the server, whatever happens to this page. */
  | { readonly kind: 'kept'; readonly answer: KioskAnswer }
  /** Nothing was captured: the person declined, or there was no camera. */
  | { readonly kind: 'nothing' }
  /** The capture could not be kept and is gone: it has to be taken again later. */
  | { readonly kind: 'notKept'; readonly cause: 'full' | 'noPlans' | 'broken' }

/** One person's turn. */
export interface KioskVisit {
  /** What `startFlow` runs on: a side in the place of the server, and the kiosk's own analysis worker, which outlives a visit. */
  readonly seams: Required<Pick<FlowOptions, 'side' | 'hosts'>>
  /** Null until the visit ended. It is set before the flow hears its verdict. */
  readonly outcome: ReadonlySignal<VisitOutcome | null>
  /** Lets go of everything of the person; the capture stays in the queue. To be called at every end of a visit. */
  end(): void
}

/** What a PIN was worth. `waitSeconds`: how long none is looked at; 0 where the next may be tried at once. */
export type PinCheck = { readonly isRight: true } | { readonly isRight: false; readonly waitSeconds: number }

/** How unpairing ended. `waiting`: captures would be lost; ask again with `loseWaiting`. */
export type Unpairing = 'unpaired' | 'wrongName' | 'waiting'

/**
 * A kiosk without its screens: signals to show, and commands. `createKiosk` of create-kiosk.ts makes it.
 * [Note: One window works] Whoever holds the lock of the origin is the kiosk; every other window only says so.
 */
export interface Kiosk extends KioskCommands {
  readonly status: ReadonlySignal<KioskStatus>
  /** The name that the admin gave; null while unpaired. */
  readonly name: ReadonlySignal<string | null>
  /** Null while unpaired. */
  readonly settings: ReadonlySignal<KioskSettings | null>
  readonly queue: ReadonlySignal<QueueView>
  readonly storage: ReadonlySignal<StorageView>
  readonly drift: ReadonlySignal<DriftView>
  /** The last twenty, the newest first. */
  readonly errors: ReadonlySignal<readonly KioskError[]>
  /** Whether the server answered the last time it was asked. */
  readonly online: ReadonlySignal<boolean>
  readonly hasPin: ReadonlySignal<boolean>
  /** Says whether anybody uses the page: a new build takes over when nobody does. */
  setInUse(inUse: boolean): void
}

/** What a kiosk does once its window has the lock. */
export interface KioskCommands {
  /** Takes a pairing code as it was typed; undefined where it was taken. */
  pair(code: string): Promise<PairingTrouble | undefined>
  /** Asks the server for the configuration and for plans, and sends what waits. False where it could not be reached. */
  sync(): Promise<boolean>
  /** Puts what was set aside back into the queue, in its old order, and sends. */
  retrySetAside(): Promise<void>
  /** Forgets the pairing, its key and everything kept for it, the PIN as well. `typedName` must be the kiosk's. */
  unpair(typedName: string, loseWaiting: boolean): Promise<Unpairing>
  /** Begins a person's turn; undefined where `status` says why there can be none. The last visit ends. */
  beginVisit(): Promise<KioskVisit | undefined>
  /** Sets the PIN of the staff menu: 4 to 12 digits. @throws {RangeError} for anything else */
  setPin(pin: string): Promise<void>
  /** Looks at a PIN; each wrong one makes the next wait longer, also after a reload. */
  checkPin(pin: string): Promise<PinCheck>
}
