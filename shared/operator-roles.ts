/** The roles of the people who run an account. The people being verified have none. */
export const operatorRoles = ['owner', 'developer', 'reviewer', 'viewer'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Which roles may call an endpoint in the console, and whether it requires a recent passkey confirmation. */
export interface Permission {
  readonly roles: readonly OperatorRole[]
  readonly isDangerous: boolean
}

/** [Note: A bearer dies with its key] The console cannot issue bearers, because a sign-in is not based on a key. */
export const nobody: Permission = { roles: [], isDangerous: false }
export const everybody: Permission = { roles: operatorRoles, isDangerous: false }
export const everybodyAgain: Permission = { roles: operatorRoles, isDangerous: true }
export const builders: Permission = { roles: ['owner', 'developer'], isDangerous: false }
export const buildersAgain: Permission = { roles: ['owner', 'developer'], isDangerous: true }
export const deciders: Permission = { roles: ['owner', 'developer', 'reviewer'], isDangerous: false }
export const reviewers: Permission = { roles: ['owner', 'reviewer'], isDangerous: false }
export const owners: Permission = { roles: ['owner'], isDangerous: false }
export const ownersAgain: Permission = { roles: ['owner'], isDangerous: true }
