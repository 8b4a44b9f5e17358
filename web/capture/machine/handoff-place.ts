/** A code for another device. */
export interface HandoffCode {
  readonly code: string
  /** The page that takes the session over, the code behind its `#`. */
  readonly url: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Where the session is: here, here as a guest that took it over, or elsewhere while this page follows. */
export interface Handoff {
  readonly place: 'own' | 'guest' | 'follows'
  /** Two digits that both screens show. */
  readonly number: string | null
  readonly phase: 'taken' | 'acting' | 'checking'
  readonly actionsDone: number
}
