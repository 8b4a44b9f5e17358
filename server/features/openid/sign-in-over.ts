/** Thrown for a sign-in that cannot continue in this browser: it began in another one, is over, or took too long. */
export class SignInOver extends Error {
  /** The OAuth error code. */
  readonly code: 'invalid_request' | 'invalid_request_uri'

  constructor(code: SignInOver['code'], message: string) {
    super(message)
    this.name = 'SignInOver'
    this.code = code
  }
}
