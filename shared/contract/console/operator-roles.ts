import type { Scope } from '../../endpoint.ts'
import type { Catalogue } from '../catalogue.ts'

/** What the people who run an account are in it. Those who are verified are none of them. */
export const operatorRoles = ['owner', 'developer', 'reviewer', 'viewer'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** What a role stands for where a handler asks what the credential may: as whose keys somebody acts. */
export const scopesOfRole: Readonly<Record<OperatorRole, readonly Scope[]>> = {
  owner: ['admin', 'configure', 'analyse', 'tokens', 'review'],
  developer: ['configure', 'analyse', 'tokens'],
  reviewer: ['review'],
  viewer: [],
}

type Names = { [R in keyof Catalogue]: keyof Catalogue[R] }[keyof Catalogue]
type NameOf<A> = {
  [R in keyof Catalogue]: {
    [N in keyof Catalogue[R]]: Catalogue[R][N] extends { auth: infer Own }
      ? Own extends A
        ? N
        : never
      : never
  }[keyof Catalogue[R]]
}[keyof Catalogue]

/** Endpoints that an account's credential opens, and so the console too. */
export type ConsoleOperation = NameOf<'key' | 'key-or-bearer'> & Names

/** Who may call it in the console, and whether the passkey must have been shown a moment ago. */
export interface Permission {
  readonly roles: readonly OperatorRole[]
  readonly isDangerous: boolean
}

const allow = (...roles: OperatorRole[]): Permission => ({ roles, isDangerous: false })
const askAgain = (...roles: OperatorRole[]): Permission => ({ roles, isDangerous: true })

/** A bearer dies with the key that made it: who has no key makes none. */
const nobody = allow()
const everybody = allow(...operatorRoles)
const builders = allow('owner', 'developer')
const buildersAgain = askAgain('owner', 'developer')
const deciders = allow('owner', 'developer', 'reviewer')
const ownersAgain = askAgain('owner')

/**
 * [Note: Keys have scopes, people have roles] What a role may do, by the name of the endpoint; its scope stands at the endpoint.
 * An endpoint without a row does not compile.
 */
export const permissions: Readonly<Record<ConsoleOperation, Permission>> = {
  createSignature: builders,
  validateSignature: builders,
  getVerification: everybody,
  getAllVerifications: everybody,
  getVerificationVersions: everybody,
  createVerification: builders,
  createOrUpdateVerification: builders,
  updateVerification: builders,
  deleteVerification: buildersAgain,

  getSessionResult: everybody,
  getSessions: everybody,
  getSessionTimeline: everybody,
  getUsage: everybody,
  createSession: builders,
  completeTestSession: builders,
  cancelSession: deciders,
  reviewSession: allow('owner', 'reviewer'),

  getAccount: everybody,
  updateAccount: builders,
  getKeys: builders,
  createKey: buildersAgain,
  revokeKey: buildersAgain,
  setPrimaryKey: buildersAgain,
  rotateSigningKey: buildersAgain,
  rotateWebhookSecret: buildersAgain,
  getRequests: builders,
  getAuditLog: builders,
  verifyAuditLog: builders,
  deletePerson: ownersAgain,
  exportPerson: ownersAgain,
  resetPasskeys: ownersAgain,

  getDeliveries: builders,
  resendDelivery: builders,
  resendFailed: builders,
  createWebhookEndpoint: buildersAgain,
  getWebhookEndpoints: builders,
  sendTestEvent: builders,
  updateWebhookEndpoint: buildersAgain,
  deleteWebhookEndpoint: buildersAgain,

  createKiosk: builders,
  getAllKiosks: everybody,
  revokeKiosk: buildersAgain,

  getToken: nobody,
  getVerifyToken: nobody,
  getUtcNow: everybody,

  getCollection: everybody,
  getAllCollections: everybody,
  createCollection: builders,
  updateCollection: builders,
  deleteCollection: buildersAgain,
  searchFace: deciders,
  indexFace: builders,
  searchOrIndexFace: builders,
  deleteFace: buildersAgain,
  getAllFaces: everybody,
  verifyDuplicate: builders,
  resetCollection: buildersAgain,

  getAge: builders,
  getGender: builders,
  detectFaces: builders,
  getQuality: builders,
  getFaceEmbeddings: builders,
  compareFaceEmbeddings: builders,
  detectEmotionAttention: builders,
  detectLiveness: builders,
}
