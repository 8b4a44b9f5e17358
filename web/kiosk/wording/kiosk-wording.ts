import type { Expressions } from '#models/rules/analysis.ts'
import type { KioskErrorKind, PairingTrouble } from '#web/kiosk/core/kiosk.ts'
import type { PluralPhrase, Wording } from '#web/wording/wording.ts'

/**
 * All the words that a kiosk needs besides the capture page's wording. Each language has its own file, so that a capture
 * page never loads them. `{time}` is a time of day, a duration, or minutes and seconds; `{used}` and `{quota}` are
 * sizes; `{name}` is the kiosk's name. Limits and tone are the same as for the capture page.
 */
export interface KioskWording {
  /** BCP 47 */
  readonly locale: string
  /** Screen headings. They are announced when the screen appears. */
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
  /** Phrases that differ during a kiosk visit, because the device is not held by hand and pictures wait in a queue: see visit-words.ts. */
  readonly visit: Readonly<Record<'device' | 'sent' | 'sentAndKept' | 'ready' | 'comeCloser' | 'tip', string>>
  readonly pairingTrouble: Readonly<Record<PairingTrouble, string>>
  readonly error: Readonly<Record<KioskErrorKind, string>>
  readonly expression: Readonly<Record<keyof Expressions, string>>
  readonly waiting: PluralPhrase
  readonly setAside: PluralPhrase
  /** Announced while a person types on the screen. It never contains the typed characters. */
  readonly typed: PluralPhrase
}

/** The texts of the capture page and the kiosk in one language. */
export interface KioskWords {
  readonly page: Wording
  readonly kiosk: KioskWording
}
