import type { Expressions } from '#models/rules/analysis.ts'
import type { KioskErrorKind, PairingTrouble } from '#web/kiosk/core/kiosk.ts'
import type { Plural } from '#web/wording/wording.ts'

/**
 * Every word that the kiosk has besides those of the capture page; a file of its own for each language, so that a capture
 * page never loads them. `{time}` is an hour of a day, a length of time, or minutes and seconds; `{used}` and `{quota}` are
 * sizes, `{name}` is the kiosk's. Limits and tone are those of the capture page.
 */
export interface KioskWording {
  /** BCP 47 */
  readonly locale: string
  /** Headings of screens; read out when the screen appears. */
  readonly title: Readonly<
    Record<
      | 'starting'
      | 'elsewhere'
      | 'pairing'
      | 'newPin'
      | 'installing'
      | 'attract'
      | 'revoked'
      | 'full'
      | 'noPlans'
      | 'storageRefused'
      | 'stillThere'
      | 'staff'
      | 'later'
      | 'notKept'
      | 'pin'
      | 'menu'
      | 'queue'
      | 'storage'
      | 'errors'
      | 'camera'
      | 'unpair',
      string
    >
  >
  readonly button: Readonly<
    Record<
      | 'start'
      | 'here'
      | 'keep'
      | 'finish'
      | 'staff'
      | 'pair'
      | 'savePin'
      | 'open'
      | 'sendNow'
      | 'retry'
      | 'unpair'
      | 'unpairAnyway'
      | 'erase',
      string
    >
  >
  readonly text: Readonly<
    Record<
      | 'elsewhere'
      | 'pairing'
      | 'newPin'
      | 'pin'
      | 'pinAgain'
      | 'notDigits'
      | 'differs'
      | 'pinWrong'
      | 'pinWait'
      | 'installing'
      | 'stuck'
      | 'languages'
      | 'online'
      | 'offline'
      | 'revoked'
      | 'full'
      | 'noPlans'
      | 'storageRefused'
      | 'stillThere'
      | 'passed'
      | 'staff'
      | 'later'
      | 'notKept'
      | 'clears'
      | 'expression'
      | 'sending'
      | 'lastSent'
      | 'nothingSent'
      | 'used'
      | 'persisted'
      | 'notPersisted'
      | 'clock'
      | 'noErrors'
      | 'camera'
      | 'anyCamera'
      | 'unpair'
      | 'name'
      | 'wrongName'
      | 'waitingLost'
      | 'keypad'
      | 'homeScreen',
      string
    >
  >
  /** What a visit says otherwise at a kiosk, which nobody holds, and where pictures wait: see visit-words.ts. */
  readonly visit: Readonly<Record<'device' | 'sent' | 'sentAndKept' | 'ready' | 'comeCloser' | 'tip', string>>
  readonly pairingTrouble: Readonly<Record<PairingTrouble, string>>
  readonly error: Readonly<Record<KioskErrorKind, string>>
  readonly expression: Readonly<Record<keyof Expressions, string>>
  readonly waiting: Plural
  readonly setAside: Plural
  /** Read out while somebody types on the screen; never what was typed. */
  readonly typed: Plural
}
