import { allOf } from '#server/platform/store/all-of.ts'
import { type Guard, inPassing, type Store, type Write } from '#server/platform/store/store.ts'
import { createTable, type Table } from '#server/platform/store/tables.ts'
import {
  canonicalIdentity,
  identityForms,
  isSameIdentity,
  mayHaveOtherForms,
} from '#shared/identity/identity-text.ts'

/** The parts of a verification that belong to its name. */
interface VerificationName {
  readonly verificationId: string
  readonly name: string
  readonly created: string
}

/** Writes for a change's commit, and guards that hold while the name is free. */
interface NameChange {
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

/** Verification names, each unique within its account. */
interface VerificationNames {
  /**
   * [Note: Equal names] Finds a verification by the name as sent, by its canonical form, and by any form that 0.2.0 stored. If
   * there are several, finds the oldest.
   */
  find(accountId: string, name: string): Promise<string | undefined>
  give(accountId: string, named: VerificationName): NameChange
  rename(accountId: string, before: VerificationName, name: string): Promise<NameChange>
  free(accountId: string, named: VerificationName): Promise<readonly Write[]>
}

/**
 * [Note: Equal names] A name's key is its canonical form, so that two equal names cannot both be used. 0.2.0 used the name
 * as it was sent.
 */
const keyOf = canonicalIdentity

export function createVerificationNames(
  store: Store,
  details: Pick<Table<VerificationName>, 'list'>,
): VerificationNames {
  const names = createTable<string>(store, 'verification-name')

  async function oldestNamed(accountId: string, name: string): Promise<string | undefined> {
    if (!mayHaveOtherForms(name)) return undefined
    const equal = (await allOf(details.list(accountId))).filter((one) => isSameIdentity(one.name, name))
    return equal.sort((a, b) => (a.created < b.created ? -1 : 1))[0]?.verificationId
  }

  async function findKeys(accountId: string, { verificationId, name }: VerificationName): Promise<string[]> {
    const forms = identityForms(name)
    const holders = await Promise.all(forms.map((form) => names.get(accountId, form)))
    return forms.filter((_, i) => holders[i] === verificationId)
  }

  return {
    find: async (accountId, name) =>
      (await names.get(accountId, name)) ??
      (await names.get(accountId, keyOf(name))) ??
      oldestNamed(accountId, name),
    give: (accountId, { verificationId, name }) => ({
      writes: [names.write(accountId, keyOf(name), verificationId)],
      guards: [names.absent(accountId, keyOf(name))],
    }),
    async rename(accountId, before, name) {
      const [key, former] = [keyOf(name), await findKeys(accountId, before)]
      const left = former.filter((one) => one !== key)
      return {
        writes: [
          ...left.map((one) => inPassing(names.write(accountId, one, undefined))),
          names.write(accountId, key, before.verificationId),
        ],
        guards: former.includes(key) ? [] : [names.absent(accountId, key)],
      }
    },
    free: async (accountId, named) =>
      (await findKeys(accountId, named)).map((key) => names.write(accountId, key, undefined)),
  }
}
