/** Thrown for a sign-in that cannot go on in this browser: it began in another one, is over, or took too long. */
export class SignInOver extends Error {
  /** In the words of OAuth. */
  readonly code: 'invalid_request' | 'invalid_request_uri'

  constructor(code: SignInOver['code'], message: string) {
    super(message)
    this.name = 'SignInOver'
    this.code = code
  }
}
