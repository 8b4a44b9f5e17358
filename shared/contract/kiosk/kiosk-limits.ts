/** The numbers that a kiosk and its server go by. */
export const kioskLimits = {
  /** What an assertion may live; and how far its clock may be off. */
  assertionInSeconds: 60,
  /** A clock that is off by more than this is flagged. */
  driftInSeconds: 300,
  unusedPlans: 200,
  planInDays: 30,
  /** How long the same capture is answered the same. */
  answerInDays: 90,
  pairingInMinutes: 15,
} as const
