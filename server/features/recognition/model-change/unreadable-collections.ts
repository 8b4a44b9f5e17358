import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'

/** A collection with faces from a network that is not loaded. */
export interface UnreadableCollection {
  readonly accountId: string
  readonly collectionId: string
  readonly embeddingModel: string
}

const mostNamed = 3

/** All accounts' collections with faces that the current model cannot be compared with. */
export async function unreadableCollections(
  accounts: Pick<Accounts, 'list'>,
  access: Pick<CollectionAccess, 'listReadable'>,
  model: EmbeddingModel,
  formerModel?: EmbeddingModel,
): Promise<readonly UnreadableCollection[]> {
  const found: UnreadableCollection[] = []
  for (const { accountId } of await accounts.list()) {
    for await (const { collectionId, embeddingModel = model } of access.listReadable(accountId)) {
      if (embeddingModel !== model && embeddingModel !== formerModel)
        found.push({ accountId, collectionId, embeddingModel })
    }
  }
  return found
}

/** The message for operators: how many there are, and the first few names. */
export function unreadableWords(found: readonly UnreadableCollection[], model: EmbeddingModel): string {
  const named = found
    .slice(0, mostNamed)
    .map(({ accountId, collectionId, embeddingModel }) => `${accountId}/${collectionId} (${embeddingModel})`)
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more` : ''
  return `Collections that this pack cannot read because it makes embeddings of ${model}: ${named.join(', ')}${more}. Calls for them get a 400.`
}
