/** Lifetimes of the entities of a sign-in, in seconds. A person has as long as a session lasts, and a little more. */
export const lifetimes = {
  Interaction: 20 * 60,
  PushedAuthorizationRequest: 60,
  AuthorizationCode: 60,
  AccessToken: 10 * 60,
  IdToken: 10 * 60,
  /** Longer than the code and the token of the grant. */
  Grant: 15 * 60,
  /** Sessions are not stored, but the library requires a number. */
  Session: 60,
} as const
