import type { Services } from '#server/app/compose.ts'
import {
  exportCollection,
  type IndexKind,
  importCollection,
  moveCollection,
  settleCollection,
} from '#server/features/recognition/recognition.ts'
import { type Command, type Context, UsageError } from './command.ts'
import { importPicturesCommand } from './import-pictures-command.ts'
import { choosePassphrase, passphraseOption, readPassphrase } from './passphrase.ts'

const list: Command = {
  summary: 'Lists the collections of an account, with the number of faces per embedding model.',
  async run(context) {
    const { accountId } = await context.account()
    const collections = []
    for await (const { collectionId, createdAt, galleryId } of context.services.recognition.access.list(
      accountId,
    )) {
      const faces = await facesByModel(context, { accountId, collectionId, galleryId })
      collections.push({ collectionId, createdAt, faces })
    }
    const lines = collections.map(({ collectionId, faces }) => `${collectionId}  ${countsOf(faces)}`)
    return { result: { collections }, lines: lines.length > 0 ? lines : ['There is no collection yet.'] }
  },
}

const exportOne: Command = {
  summary:
    'Writes the faces of a collection to a new file --out, sealed with a passphrase of 12 characters or more.',
  subject: 'COLLECTION',
  options: { out: { type: 'string' }, ...passphraseOption },
  async run(context) {
    const { subject: collectionId, services } = context
    const path = context.text('out')
    if (path === undefined) throw new UsageError('--out FILE is missing.')
    const passphrase = await choosePassphrase(context)
    const faceCount = await context.recorded('exportCollection', { collectionId }, (accountId) =>
      exportCollection(services.recognition.access, { accountId, collectionId, path, passphrase }),
    )
    return {
      result: { collectionId, faceCount, file: path },
      lines: [
        `Faces written to ${path}: ${faceCount}`,
        'Anyone with the file and its passphrase can read the faces.',
      ],
    }
  },
}

const importOne: Command = {
  summary:
    'Imports the faces of a file into the collection of the same name, or into --collection; existing faces are skipped.',
  subject: 'FILE',
  options: { collection: { type: 'string' }, ...passphraseOption },
  async run(context) {
    const { subject: path, services } = context
    const collectionId = context.text('collection')
    const passphrase = await readPassphrase(context)
    const result = await context.recorded(
      'importCollection',
      collectionId === undefined ? {} : { collectionId },
      (accountId) =>
        importCollection(services.recognition.access, { accountId, collectionId, path, passphrase }),
    )
    return {
      result,
      lines: [
        `Collection: ${result.collectionId}${result.isNew ? ' (new)' : ''}`,
        `Faces added: ${result.restoredCount}`,
        `Faces that existed already: ${result.skippedCount}`,
        ...(result.strippedCount === 0
          ? []
          : [
              `Imported without their second embedding, which this collection does not keep: ${result.strippedCount}`,
            ]),
      ],
    }
  },
}

const settle: Command = {
  summary:
    'Ends the use of two embedding models in a collection: faces keep only the one of the current pack. Faces that have only the previous one prevent this; --remove-unseen removes them.',
  subject: 'COLLECTION',
  options: { 'remove-unseen': { type: 'boolean' } },
  async run(context) {
    const { subject: collectionId, services } = context
    const removeUnseen = context.flag('remove-unseen')
    const result = await context.recorded('settleCollection', { collectionId }, (accountId) =>
      settleCollection(services.recognition.access, { accountId, collectionId, removeUnseen }),
    )
    const { settledCount, removedCount, unseenCount } = result
    if (unseenCount > 0) {
      const words = `Nothing was changed: ${unseenCount} faces have only an embedding of the former model, because these people have not returned. --remove-unseen removes them.`
      return { result, lines: [words], failed: true }
    }
    return {
      result,
      lines: [
        `Faces with an embedding of the current model: ${settledCount}`,
        `Removed faces: ${removedCount}`,
      ],
    }
  },
}

const kinds: readonly IndexKind[] = ['memory', 'postgres']

const move: Command = {
  summary:
    'Moves searches of a collection to the memory of each process (--to memory) or to PostgreSQL servers (--to postgres), without interrupting calls. To finish an interrupted move, repeat the command.',
  subject: 'COLLECTION',
  options: { to: { type: 'string' } },
  async run(context) {
    const { subject: collectionId, services } = context
    const to = kinds.find((kind) => kind === context.text('to'))
    if (to === undefined) throw new UsageError(`--to must be one of ${kinds.join(', ')}.`)
    const result = await context.recorded('moveCollection', { collectionId }, (accountId) =>
      moveCollection(services.recognition.access, {
        ...{ accountId, collectionId, to },
        onProgress: (faces) => context.progress(`Faces so far: ${faces}`),
      }),
    )
    const words = to === 'postgres' ? `on PostgreSQL: ${result.faceCount}` : 'in memory'
    return { result, lines: [`The faces of ${collectionId} are searched ${words}`] }
  },
}

export const collectionCommands: Readonly<Record<string, Command>> = {
  list,
  export: exportOne,
  import: importOne,
  'import-pictures': importPicturesCommand,
  settle,
  move,
}

type Place = Parameters<Services['recognition']['access']['faceStore']['heads']>[0]

async function facesByModel({ services }: Context, place: Place): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for await (const { embeddingModel, newerModel } of services.recognition.access.faceStore.heads(place)) {
    const models = newerModel === undefined ? embeddingModel : `${embeddingModel} and ${newerModel}`
    counts[models] = (counts[models] ?? 0) + 1
  }
  return counts
}

function countsOf(faces: Readonly<Record<string, number>>): string {
  const counts = Object.entries(faces).map(([model, count]) => `${count} of ${model}`)
  return `(faces: ${counts.length === 0 ? 'none' : counts.join(', ')})`
}
