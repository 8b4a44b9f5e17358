import type { ReadonlySignal } from '@preact/signals'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { FlowOptions } from '#web/capture/flow/flow.ts'

/** Ability of the kiosk at the moment; each kind has one screen. */
export type KioskStatus =
  | { readonly kind: 'starting' }
  /** It waits for a pairing code. */
  | { readonly kind: 'unpaired' }
  /** Another window of this browser runs the kiosk. This one takes over when that one closes. */
  | { readonly kind: 'elsewhere' }
  /** Files are being stored for offline use. `share`: 0...1 of them; `isStuck`: the last one could not be loaded. */
  | { readonly kind: 'installing'; readonly share: number; readonly isStuck: boolean }
  | { readonly kind: 'ready' }
  /** The server rejects this kiosk permanently. Waiting captures are kept. */
  | { readonly kind: 'revoked' }
  /** No space for another capture. Waiting captures are kept. */
  | { readonly kind: 'full' }
  /** No plan is left and the configuration requires a challenge. */
  | { readonly kind: 'noPlans' }
  /** The browser does not store anything, as some do in private windows. */
  | { readonly kind: 'storageRefused' }

/** Settings of a visit, from the last answer of the server. */
export interface KioskSettings {
  /** A BCP 47 tag, or null to let the page choose. */
  readonly locale: string | null
  readonly capturePlan: CapturePlan
}

/** Stored captures. Their pictures cannot be read on this device. */
export interface QueueView {
  /** Number of captures to be sent. */
  readonly waiting: number
  /** Number of captures that the server rejected. They are kept until they are sent again or the kiosk is unpaired. */
  readonly setAside: number
  /** Milliseconds since 1970; null before the first one. */
  readonly lastSentAt: number | null
  readonly sending: boolean
}

/** Storage of this origin according to the browser. */
export interface StorageView {
  readonly usedBytes: number
  readonly quotaBytes: number
  /** True if the browser has promised not to clear it. */
  readonly isPersisted: boolean
}

/** Difference between the device's clock and the server's. */
export interface DriftView {
  /** Seconds to add to the device's clock; capture times are corrected by it. */
  readonly offsetInSeconds: number
  /** True above five minutes: staff should set the clock. */
  readonly isFlagged: boolean
}

/** Kinds of errors in the staff menu; each is a key of the wording. */
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

/** An error without personal data or keys. */
export interface KioskError {
  /** Milliseconds since 1970, by the corrected clock. */
  readonly at: number
  readonly kind: KioskErrorKind
  /** The server's error code, or null. */
  readonly code: string | null
}

/** Why a pairing code was not accepted. */
export type PairingTrouble = 'wrong' | 'gone' | 'tooMany' | 'unreachable'

/** The answer on the spot. `Pending`: only the server can decide, once it has the capture. */
export interface KioskAnswer {
  readonly result: 'Pass' | 'Fail' | 'Pending'
  /** The strongest expression, if the configuration states a purpose for it; otherwise null. */
  readonly expression: string | null
}

/** How a visit ended. */
export type VisitOutcome =
  /** The capture is on the disk and will reach the server, whatever happens to this page. */
  | { readonly kind: 'kept'; readonly answer: KioskAnswer }
  /** Nothing was captured: the person declined, or there was no camera. */
  | { readonly kind: 'nothing' }
  /** The capture could not be stored and is lost; the person has to repeat it later. */
  | { readonly kind: 'notKept'; readonly cause: 'full' | 'noPlans' | 'broken' }

/** One person's visit. */
export interface KioskVisit {
  /** Options for `startFlow`: a replacement for the server, and the kiosk's analysis worker, which is reused for the next visit. */
  readonly seams: Required<Pick<FlowOptions, 'side' | 'hosts'>>
  /** Null until the visit ends. Set before the flow receives its verdict. */
  readonly outcome: ReadonlySignal<VisitOutcome | null>
  /** Releases all data of the person; the capture stays in the queue. Call it at the end of every visit. */
  end(): void
}

/** Result of a PIN entry. `waitSeconds`: how long further entries are ignored; 0 if the next one is allowed at once. */
export type PinCheck = { readonly isRight: true } | { readonly isRight: false; readonly waitSeconds: number }

/** Result of unpairing. `waiting`: captures would be lost; call again with `loseWaiting`. */
export type Unpairing = 'unpaired' | 'wrongName' | 'waiting'

/**
 * A kiosk without its screens: signals to show, and commands. Created by `createKiosk` in create-kiosk.ts.
 * [Note: One window works] The window that holds the lock of the origin is the kiosk; all other windows show that it runs elsewhere.
 */
export interface Kiosk extends KioskCommands {
  readonly status: ReadonlySignal<KioskStatus>
  /** The name assigned by the admin; null while unpaired. */
  readonly name: ReadonlySignal<string | null>
  /** Null while unpaired. */
  readonly settings: ReadonlySignal<KioskSettings | null>
  readonly queue: ReadonlySignal<QueueView>
  readonly storage: ReadonlySignal<StorageView>
  readonly drift: ReadonlySignal<DriftView>
  /** The last twenty errors, newest first. */
  readonly errors: ReadonlySignal<readonly KioskError[]>
  /** True if the server answered the last request. */
  readonly online: ReadonlySignal<boolean>
  readonly hasPin: ReadonlySignal<boolean>
  /** Reports whether the page is in use. A new build is activated only when it is not. */
  setInUse(inUse: boolean): void
}

/** Commands that are available once the window has the lock. */
export interface KioskCommands {
  /** Pairs with a code as typed; undefined on success. */
  pair(code: string): Promise<PairingTrouble | undefined>
  /** Fetches configuration and plans, and sends waiting captures. False if the server could not be reached. */
  sync(): Promise<boolean>
  /** Puts rejected captures back into the queue, in their old order, and sends them. */
  retrySetAside(): Promise<void>
  /** Deletes the pairing with its key, PIN and stored data. `typedName` must be the kiosk's name. */
  unpair(typedName: string, loseWaiting: boolean): Promise<Unpairing>
  /** Begins a visit and ends the previous one; undefined if `status` does not allow a visit. */
  beginVisit(): Promise<KioskVisit | undefined>
  /** Sets the PIN of the staff menu: 4 to 12 digits. @throws {RangeError} for anything else */
  setPin(pin: string): Promise<void>
  /** Checks a PIN. Each wrong one increases the wait before the next, even after a reload. */
  checkPin(pin: string): Promise<PinCheck>
}
