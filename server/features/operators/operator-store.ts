import { hash, randomBytes } from 'node:crypto'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type GuardedRecord, type Table } from '#server/platform/store/tables.ts'
import { signedInLimits } from '#shared/contract/console/console-paths.ts'
import { type Invitation, identityKey, type Operator, type SignIn, type Team } from './operator-records.ts'

/** How many records are cached, because every call reads them. */
const mostKept = 200
/** How long an expired invitation is remembered, in order to report that it has expired. */
const rememberedSeconds = 24 * 3600

/** The console's records, all of them sealed. */
export interface OperatorStore {
  readonly operators: Table<Operator>
  /** By the live account's ID. */
  readonly teams: Table<Team>
  /** A passkey's operator, by its credential ID. */
  readonly holders: Table<string>
  /** The operator with an account at a provider, by `identityKey`. */
  readonly identities: Table<string>
  /** By operator and the digest of the cookie's value. */
  readonly signIns: Table<SignIn>
  /** By the code's digest. */
  readInvitation(digest: string): Promise<GuardedRecord<Invitation> | undefined>
  /** Open invitations for a verified address. */
  invitationsFor(email: string): Promise<Invitation[]>
  /** Removes all of an operator's credentials. */
  forgetMeans(operator: Operator): Write[]
  writeInvitation(invitation: Invitation): Write
  removeInvitation(invitation: Invitation): Write
  /** An account's valid invitations. */
  invitationsOf(accountId: string): Promise<Invitation[]>
  writeSignIn(signIn: SignIn): Write
  /** Ends all of an operator's sign-ins. */
  endSignIns(operatorId: string): Promise<Write[]>
  /**
   * [Note: Whoever found a device] Ends all of an operator's sign-ins and revokes their invitations, because a person who found
   * the device may have created them.
   */
  cutOff(operatorId: string): Promise<Write[]>
  /** Ends everyone's sign-ins and invitations. */
  endAll(): Promise<Write[]>
}

export function createOperatorStore(store: Store, now: Clock): OperatorStore {
  const signIns = createTable<SignIn>(store, 'operator-sign-in', { kept: mostKept })
  const invitations = createTable<Invitation>(store, 'operator-invitation')
  const holders = createTable<string>(store, 'operator-passkey')
  const identities = createTable<string>(store, 'operator-identity')
  const isOpen = ({ isUsed, expiresAt }: Invitation) => !isUsed && expiresAt > now()
  const operators = createTable<Operator>(store, 'operator', { kept: mostKept })
  const endSignIns = async (operatorId: string) => {
    const all = await allOf(signIns.list(operatorId))
    return all.map(({ digest }) => signIns.write(operatorId, digest, undefined))
  }
  return {
    operators,
    teams: createTable<Team>(store, 'operator-team', { kept: mostKept }),
    holders,
    identities,
    signIns,
    readInvitation: (digest) => invitations.read(deployment, digest),
    async invitationsFor(email) {
      const all = await allOf(invitations.list(deployment))
      return all.filter((one) => one.email === email && isOpen(one))
    },
    forgetMeans: (operator) => forgotten(operator, holders, identities),
    writeInvitation: (invitation) =>
      invitations.write(
        deployment,
        invitation.digest,
        invitation,
        Math.max(0, invitation.expiresAt - now()) / 1000 + rememberedSeconds,
      ),
    removeInvitation: ({ digest }) => invitations.write(deployment, digest, undefined),
    async invitationsOf(accountId) {
      const all = await allOf(invitations.list(deployment))
      return all.filter((one) => one.accountId === accountId && isOpen(one))
    },
    writeSignIn: (signIn) =>
      signIns.write(
        signIn.operatorId,
        signIn.digest,
        signIn,
        (signIn.begunAt - now()) / 1000 + signedInLimits.mostSeconds,
      ),
    endSignIns,
    async cutOff(operatorId) {
      const invited = (await allOf(invitations.list(deployment))).filter(
        (one) => one.invitedBy === operatorId && !one.isUsed,
      )
      const withdrawn = invited.map(({ digest }) => invitations.write(deployment, digest, undefined))
      return [...(await endSignIns(operatorId)), ...withdrawn]
    },
    async endAll() {
      const everybody = await allOf(operators.list(deployment))
      const ended = await Promise.all(everybody.map(({ operatorId }) => endSignIns(operatorId)))
      const invited = await allOf(invitations.list(deployment))
      const withdrawn = invited.map(({ digest }) => invitations.write(deployment, digest, undefined))
      return [...ended.flat(), ...withdrawn]
    },
  }
}

/** 256 random bits as base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function secretDigest(secret: string): string {
  return hash('sha256', secret, 'hex')
}

function forgotten({ passkeys, identity }: Operator, holders: Table<string>, identities: Table<string>) {
  const gone = passkeys.map(({ credentialId }) => holders.write(deployment, credentialId, undefined))
  return identity === undefined
    ? gone
    : [...gone, identities.write(deployment, identityKey(identity), undefined)]
}
