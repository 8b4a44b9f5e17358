/** A code for another device. */
export interface HandoffCode {
  readonly code: string
  /** Address of the page that takes the session over, with the code after `#`. */
  readonly url: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Holder of the session: this device, this device as a guest, or another one that this page follows. */
export interface Handoff {
  readonly place: 'own' | 'guest' | 'follows'
  /** Two digits that both screens show. */
  readonly number: string | null
  readonly phase: 'taken' | 'acting' | 'checking'
  readonly actionsDone: number
}
