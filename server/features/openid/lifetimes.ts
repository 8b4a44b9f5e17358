/** The lifetimes of a sign-in's entities, in seconds. A person gets a session's lifetime, plus a little more. */
export const lifetimes = {
  Interaction: 20 * 60,
  PushedAuthorizationRequest: 60,
  AuthorizationCode: 60,
  AccessToken: 10 * 60,
  IdToken: 10 * 60,
  /** Longer than the grant's code and token. */
  Grant: 15 * 60,
  /** Sessions are not stored, but the library requires a number. */
  Session: 60,
} as const
