/** What the people who run an account are in it. Those who are verified are none of them. */
export const operatorRoles = ['owner', 'developer', 'reviewer', 'viewer'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Who may call an endpoint in the console, and whether the passkey must have been shown a moment ago. */
export interface Permission {
  readonly roles: readonly OperatorRole[]
  readonly isDangerous: boolean
}

/** [Note: A bearer dies with its key] Who has no key makes none. */
export const nobody: Permission = { roles: [], isDangerous: false }
export const everybody: Permission = { roles: operatorRoles, isDangerous: false }
export const everybodyAgain: Permission = { roles: operatorRoles, isDangerous: true }
export const builders: Permission = { roles: ['owner', 'developer'], isDangerous: false }
export const buildersAgain: Permission = { roles: ['owner', 'developer'], isDangerous: true }
export const deciders: Permission = { roles: ['owner', 'developer', 'reviewer'], isDangerous: false }
export const reviewers: Permission = { roles: ['owner', 'reviewer'], isDangerous: false }
export const owners: Permission = { roles: ['owner'], isDangerous: false }
export const ownersAgain: Permission = { roles: ['owner'], isDangerous: true }
