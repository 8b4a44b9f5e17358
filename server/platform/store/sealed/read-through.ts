import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import { jsonCodec } from '#server/platform/store/codec.ts'
import { kindOf, kindsOfOwnForm, knownReaders } from '#server/platform/store/records/record-kinds.ts'
import type { Store } from '#server/platform/store/store.ts'
import type { EntrySeal } from './sealed-store.ts'

/** Decodes a record that is no JSON, by its kind. @throws where it cannot be read */
export type OwnForms = Readonly<Record<string, (bytes: Uint8Array) => unknown>>

const reportEvery = 100_000
const mostKindsNamed = 5

/**
 * Reads every record of a store once, sealed or in the clear, and writes nothing. [Note: Read before it is raised] What stops a program on every
 * start is found while the program before still works on the store. `tell` hears how far it is, of a large one.
 * @throws in words that name kinds and numbers, never what stands in a record
 */
export async function readThrough(
  store: Store,
  { open }: Pick<EntrySeal, 'open'>,
  forms: OwnForms = {},
  tell: (text: string) => void = () => undefined,
): Promise<void> {
  const unreadable = new Map<string, number>()
  let read = 0
  for await (const { key, value } of store.list('')) {
    const kind = kindOf(key)
    if (!isReadable(kind, tryOrUndefined(() => open(key, value)) ?? value, forms))
      unreadable.set(kind, (unreadable.get(kind) ?? 0) + 1)
    if (++read % reportEvery === 0)
      tell(`Reading the store once before it is upgraded: ${read} records so far`)
  }
  if (unreadable.size > 0) throw new Error(refusalOf(unreadable))
}

function isReadable(kind: string, bytes: Uint8Array, forms: OwnForms): boolean {
  const decode = forms[kind]
  if (decode !== undefined) return tryOrUndefined(() => decode(bytes)) !== undefined
  if (ownForms.includes(kind)) return !decodedByOwner.includes(kind)
  const readers = knownReaders(kind)
  if (readers === undefined) return false
  const codec = jsonCodec<unknown>(readers)
  return tryOrUndefined(() => ({ value: codec.decode(bytes) })) !== undefined
}

/** Of these the owner says whether they can be read: without it they cannot. */
const decodedByOwner: readonly string[] = ['face']

/** What makes no sense but to its own readers; and what tries whether the store takes writes. */
const ownForms: readonly string[] = [...kindsOfOwnForm, 'write-probe']

function refusalOf(unreadable: ReadonlyMap<string, number>): string {
  const kinds = [...unreadable].slice(0, mostKindsNamed).map(([kind, count]) => `${kind}: ${count}`)
  return `The store holds records that this program cannot read (${kinds.join(', ')}). Nothing was changed: go on with the program that made them, and tell whoever maintains this one.`
}
