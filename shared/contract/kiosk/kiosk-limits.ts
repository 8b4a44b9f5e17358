/** Limits shared by kiosks and the server. */
export const kioskLimits = {
  /** Maximum lifetime of an assertion, and tolerance for its clock. */
  assertionInSeconds: 60,
  /** Clock deviation above which a kiosk is flagged. */
  driftInSeconds: 300,
  unusedPlans: 200,
  planInDays: 30,
  /** How long a repeated capture gets the same answer. */
  answerInDays: 90,
  pairingInMinutes: 15,
} as const
