/** A code for another device. */
export interface HandoffCode {
  readonly code: string
  /** The address of the page that takes over the session, with the code after `#`. */
  readonly url: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The device that holds the session: this one, this one as a guest, or another one that this page follows. */
export interface Handoff {
  readonly place: 'own' | 'guest' | 'follows'
  /** Two digits that both screens show. */
  readonly number: string | null
  readonly phase: 'taken' | 'acting' | 'checking'
  readonly actionsDone: number
}
