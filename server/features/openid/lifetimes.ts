/** How long each thing of a sign-in lives, in seconds. A person has as long as a session lasts, and a little more. */
export const lifetimes = {
  Interaction: 20 * 60,
  PushedAuthorizationRequest: 60,
  AuthorizationCode: 60,
  AccessToken: 10 * 60,
  IdToken: 10 * 60,
  /** Longer than the code and the token that come of it. */
  Grant: 15 * 60,
  /** None is kept; the library wants a number. */
  Session: 60,
} as const
