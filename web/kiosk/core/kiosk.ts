import type { ReadonlySignal } from '@preact/signals'
import type { OutcomeTexts } from '#shared/contract/configuration/kiosk-config.ts'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { FlowOptions } from '#web/capture/flow/flow.ts'

/** The kiosk's current condition. There is one screen for each kind. */
export type KioskStatus =
  | { readonly kind: 'starting' }
  /** It is waiting for a pairing code. */
  | { readonly kind: 'unpaired' }
  /** Another window in this browser runs the kiosk. This window takes over when the other one closes. */
  | { readonly kind: 'elsewhere' }
  /** Files are being stored for offline use. `share` is the fraction stored so far; `isStuck` means that the last file failed to load. */
  | { readonly kind: 'installing'; readonly share: number; readonly isStuck: boolean }
  | { readonly kind: 'ready' }
  /** The server has rejected this kiosk for good. Captures that are waiting are kept. */
  | { readonly kind: 'revoked' }
  /** There is no space for another capture. Captures that are waiting are kept. */
  | { readonly kind: 'full' }
  /** No plan is left, and the configuration requires a challenge. */
  | { readonly kind: 'noPlans' }
  /** The browser does not store anything, as is the case in some private windows. */
  | { readonly kind: 'storageRefused' }

/** A visit's settings, taken from the server's last answer. */
export interface KioskSettings {
  /** A BCP 47 tag, or null to let the page choose. */
  readonly locale: string | null
  readonly capturePlan: CapturePlan
  /** The operator's own words for the ends of a visit. */
  readonly outcomeTexts?: OutcomeTexts
}

/** The stored captures. Their pictures cannot be read on this device. */
export interface QueueView {
  /** How many captures are waiting to be sent. */
  readonly waiting: number
  /** How many captures the server rejected. They are kept until they are sent again or the kiosk is unpaired. */
  readonly setAside: number
  /** Milliseconds since 1970; null before the first one. */
  readonly lastSentAt: number | null
  readonly sending: boolean
}

/** This origin's storage, as reported by the browser. */
export interface StorageView {
  readonly usedBytes: number
  readonly quotaBytes: number
  /** True if the browser has promised not to clear it. */
  readonly isPersisted: boolean
}

/** The difference between the device's clock and the server's. */
export interface DriftView {
  /** How many seconds to add to the device's clock. Capture times are corrected by this amount. */
  readonly offsetInSeconds: number
  /** True if it exceeds five minutes, in which case staff should set the clock. */
  readonly isFlagged: boolean
}

/** The kinds of errors in the staff menu. Each one is a key in the wording. */
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

/** An error, without any personal data or keys. */
export interface KioskError {
  /** Milliseconds since 1970, by the corrected clock. */
  readonly at: number
  readonly kind: KioskErrorKind
  /** The server's error code, or null. */
  readonly code: string | null
}

/** Why a pairing code was not accepted. */
export type PairingTrouble = 'wrong' | 'gone' | 'tooMany' | 'unreachable'

/** The immediate answer. `Pending` means that only the server can decide, once it has the capture. */
export interface KioskAnswer {
  readonly result: 'Pass' | 'Fail' | 'Pending'
  /** The strongest expression if the configuration states a purpose for it, otherwise null. */
  readonly expression: string | null
}

/** How a visit ended. */
export type VisitOutcome =
  /** The capture is on disk and will reach the server, whatever happens to this page. */
  | { readonly kind: 'kept'; readonly answer: KioskAnswer }
  /** Nothing was captured, because the person declined or there was no camera. */
  | { readonly kind: 'nothing' }
  /** The capture could not be stored and is lost, so the person has to repeat it later. */
  | { readonly kind: 'notKept'; readonly cause: 'full' | 'noPlans' | 'broken' }

/** One person's visit. */
export interface KioskVisit {
  /** Options for `startFlow`: a replacement for the server, and the kiosk's analysis worker, which later visits reuse. */
  readonly seams: Required<Pick<FlowOptions, 'side' | 'hosts'>>
  /** Null until the visit ends. It is set before the flow receives its verdict. */
  readonly outcome: ReadonlySignal<VisitOutcome | null>
  /** Releases all of the person's data; the capture stays in the queue. Call this at the end of every visit. */
  end(): void
}

/** The result of a PIN entry. `waitSeconds` is how long further entries are ignored; 0 if the next one is allowed immediately. */
export type PinCheck = { readonly isRight: true } | { readonly isRight: false; readonly waitSeconds: number }

/** The result of unpairing. `waiting` means that captures would be lost; call again with `loseWaiting` to accept that. */
export type UnpairingResult = 'unpaired' | 'wrongName' | 'waiting'

/**
 * A kiosk without its screens: signals to show, and commands. `createKiosk` in create-kiosk.ts creates it.
 * [Note: One window works] The window that holds the origin's lock is the kiosk. All others show that it is running elsewhere.
 */
export interface Kiosk {
  readonly commands: KioskCommands
  readonly status: ReadonlySignal<KioskStatus>
  /** The name that an admin assigned; null while unpaired. */
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
  /** Reports whether the page is in use. A new build is only activated when it is not. */
  setInUse(inUse: boolean): void
}

/** Commands that are available once this window holds the lock. */
export interface KioskCommands {
  /** Pairs the device with a code as it was typed. Resolves to undefined on success. */
  pair(code: string): Promise<PairingTrouble | undefined>
  /** Fetches the configuration and plans, and sends captures that are waiting. Resolves to false if the server could not be reached. */
  sync(): Promise<boolean>
  /** Puts rejected captures back into the queue in their old order and sends them. */
  retrySetAside(): Promise<void>
  /** Deletes the pairing along with its key, PIN and stored data. `typedName` must be the kiosk's name. */
  unpair(typedName: string, loseWaiting: boolean): Promise<UnpairingResult>
  /** Begins a visit, ending the previous one. Resolves to undefined if `status` does not allow a visit. */
  beginVisit(): Promise<KioskVisit | undefined>
  /** Sets the staff menu's PIN, which has 4 to 12 digits. @throws {RangeError} for anything else */
  setPin(pin: string): Promise<void>
  /** Checks a PIN. Each wrong PIN increases the wait before the next attempt, even after a reload. */
  checkPin(pin: string): Promise<PinCheck>
}
