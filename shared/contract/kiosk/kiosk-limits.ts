/** Limits that kiosks and the server share. */
export const kioskLimits = {
  /** The maximum lifetime of an assertion, and the tolerance for the kiosk's clock. */
  assertionInSeconds: 60,
  /** A kiosk is flagged if its clock is off by more than this. */
  driftInSeconds: 300,
  unusedPlans: 200,
  planInDays: 30,
  /** How long repeating a capture returns the same answer. */
  answerInDays: 90,
  pairingInMinutes: 15,
} as const
