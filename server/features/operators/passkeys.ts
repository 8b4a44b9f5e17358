import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Guard, Store, Write } from '#server/platform/store/store.ts'
import { deployment } from '#server/platform/store/tables.ts'
import {
  type Credential,
  refused,
  registered,
  signInCreationOptions,
} from '#server/platform/web-authn/web-authn.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { mostPasskeys } from '#shared/contract/console/passkeys.ts'
import { Problem } from '#shared/problem.ts'
import type { Ceremonies } from './ceremonies.ts'
import type { ConsoleCaller, ConsoleHandlers } from './console-caller.ts'
import { busy, partyAt, product } from './getting-in.ts'
import type { Operator, OperatorPasskey } from './operator-records.ts'
import type { OperatorStore } from './operator-store.ts'

interface Dependencies {
  readonly store: Store
  readonly operators: OperatorStore
  readonly ceremonies: Ceremonies
  /** The console's origin. */
  readonly origin: () => string
  readonly now: Clock
}

type Names = 'getPasskeys' | 'beginPasskey' | 'addPasskey' | 'renamePasskey' | 'removePasskey'

/** The signed-in operator's passkeys: one for each device, so that losing a device does not lock the operator out. */
export function createPasskeys(services: Dependencies): ConsoleHandlers<Names> {
  const { operators: books, ceremonies, origin } = services
  return {
    async getPasskeys({ caller }) {
      const { passkeys } = await findOperator(books, caller)
      return { passkeys: passkeys.map(detailOf) }
    },
    async beginPasskey({ caller }) {
      const { name, passkeys } = await findOperator(books, caller)
      refuseMore(passkeys)
      const options = await signInCreationOptions(partyAt(origin()), product, name, passkeys)
      return { ceremony: ceremonies.begin(purposeOf(caller), options.challenge), options: { ...options } }
    },
    async addPasskey({ body: { ceremony, response, name }, caller }) {
      const party = partyAt(origin())
      const challenge = await ceremonies.take(purposeOf(caller), ceremony)
      const credential = await registered({ party, challenge, response, embedOrigins: [] })
      await change(services, caller, (operator) => withPasskey(services, operator, credential, name))
      return { passkeyId: credential.credentialId }
    },
    async renamePasskey({ body: { passkeyId, name }, caller }) {
      await change(services, caller, async (operator) => {
        const found = existing(operator, passkeyId)
        const passkeys = operator.passkeys.map((one) => (one === found ? { ...one, name } : one))
        return { changed: { passkeys } }
      })
      return {}
    },
    async removePasskey({ query: { passkeyId }, caller }) {
      await change(services, caller, (operator) => withoutPasskey(books, operator, passkeyId, caller))
      return {}
    },
  }
}

interface Change {
  readonly changed: Pick<Operator, 'passkeys'> & Partial<Pick<Operator, 'relyingParty'>>
  readonly writes?: readonly Write[]
  readonly guards?: readonly Guard[]
}

async function change(
  { store, operators: books }: Dependencies,
  { signIn: { operatorId } }: ConsoleCaller,
  make: (operator: Operator) => Promise<Change>,
): Promise<void> {
  await retryOnConflict(async () => {
    const read = await books.operators.read(deployment, operatorId)
    if (read === undefined) throw new Problem('unauthenticated', 'The sign-in has ended.')
    const { changed, writes = [], guards = [] } = await make(read.value)
    const written = books.operators.write(deployment, operatorId, { ...read.value, ...changed })
    return (await store.commit([written, ...writes], [read.guard, ...guards])) ? {} : undefined
  }, busy)
}

async function withPasskey(
  { operators: books, origin, now }: Dependencies,
  { operatorId, passkeys }: Operator,
  credential: Credential,
  name: string,
): Promise<Change> {
  refuseMore(passkeys)
  const { credentialId } = credential
  if ((await books.holders.get(deployment, credentialId)) !== undefined) throw refused()
  return {
    changed: {
      passkeys: [...passkeys, { ...credential, name, madeAt: now(), usedAt: null }],
      relyingParty: partyAt(origin()).id,
    },
    writes: [books.holders.write(deployment, credentialId, operatorId)],
    guards: [books.holders.absent(deployment, credentialId)],
  }
}

/** [Note: What a lost device opened] Removing a passkey also ends the sign-ins that began with it, in case the device was found. */
async function withoutPasskey(
  books: OperatorStore,
  operator: Operator,
  passkeyId: string,
  { signIn }: ConsoleCaller,
): Promise<Change> {
  const found = existing(operator, passkeyId)
  if (operator.passkeys.length === 1 && operator.identity === undefined)
    throw new Problem('conflict', 'This is your last passkey: add another one first.')
  const all = await allOf(books.signIns.list(operator.operatorId))
  const begun = all.filter((one) => one.passkeyId === passkeyId && one.signInId !== signIn.signInId)
  return {
    changed: { passkeys: operator.passkeys.filter((one) => one !== found) },
    writes: [
      books.holders.write(deployment, passkeyId, undefined),
      ...begun.map(({ operatorId, digest }) => books.signIns.write(operatorId, digest, undefined)),
    ],
  }
}

function existing({ passkeys }: Operator, passkeyId: string): OperatorPasskey {
  const found = passkeys.find(({ credentialId }) => credentialId === passkeyId)
  if (found === undefined) throw new Problem('not_found', 'This is not one of your passkeys.')
  return found
}

function refuseMore(passkeys: readonly OperatorPasskey[]): void {
  if (passkeys.length >= mostPasskeys)
    throw new Problem('limit_reached', `A person has at most ${mostPasskeys} passkeys.`)
}

function detailOf({ credentialId, name = null, madeAt, usedAt }: OperatorPasskey) {
  return { passkeyId: credentialId, name, made: timeOf(madeAt), lastUsed: timeOf(usedAt) }
}

function timeOf(milliseconds: number | null | undefined): string | null {
  return milliseconds == null ? null : new Date(milliseconds).toISOString()
}

function purposeOf({ signIn }: ConsoleCaller): string {
  return `passkey/${signIn.signInId}`
}

async function findOperator(books: OperatorStore, { signIn }: ConsoleCaller): Promise<Operator> {
  const operator = await books.operators.get(deployment, signIn.operatorId)
  if (operator === undefined) throw new Problem('unauthenticated', 'The sign-in has ended.')
  return operator
}
