export const challengeTypes = ['Balanced', 'Advanced'] as const

/** The maximum number of tries: one, plus the retries that a configuration may allow. [Note: Ours] */
export const mostTries = 3

/** How confident we are that a living person was there, lowest first. [Note: Ours] */
export const assurances = ['none', 'low', 'standard', 'high'] as const
export type Assurance = (typeof assurances)[number]
export const leastAssurances = ['low', 'standard', 'high'] as const satisfies readonly Assurance[]

/** How rules that are newer than a verification are applied. [Note: Ours] */
export const livenessPolicies = ['observe', 'enforce'] as const
export type LivenessPolicy = (typeof livenessPolicies)[number]

/** The rules for evidence that our page always sends but other clients may leave out. [Note: Ours] */
export const livenessEvidenceRules = ['required', 'optional'] as const
export type LivenessEvidenceRule = (typeof livenessEvidenceRules)[number]

/** Which sessions keep pictures for review. [Note: Ours] */
export const evidenceUses = ['review', 'all'] as const
