import type { TellRoom } from '#server/features/recognition/recognition.ts'
import type { Outgrown } from '#server/features/verifications/verifications.ts'
import { readPostgresAddress } from '#server/platform/store/drivers/postgres/postgres-address.ts'
import type { Settings } from './settings.ts'
import { type Warning, when } from './warning.ts'

/** Verifications and collections that are named one by one. */
const mostNamed = 20

/** [Note: Codes in the clear] What servers scan cannot be sealed: it is little, and more than nothing. */
export function indexWarnings({ upkeep }: Settings, movedToServers: number): Warning[] {
  const unverified = upkeep.indexServers.filter((address) =>
    ['none', 'encrypted'].includes(readPostgresAddress(address).protection),
  )
  return [
    ...when(upkeep.faceIndex === 'postgres' || movedToServers > 0, {
      code: 'clear_codes',
      meaning:
        'PostgreSQL holds a code of 128 or 512 bits of each face in the clear: whoever reads the tables can link faces, and with some fifty known faces of a collection tell who resembles whom. See docs/security.md.',
    }),
    ...when(unverified.length > 0, {
      code: 'index_no_tls',
      meaning: `INDEX_SERVERS: the connection to ${unverified.length} of them is not encrypted, or does not verify the server: set sslmode=verify-full.`,
    }),
  ]
}

/** Of a collection that takes most of what the search threads hold, or does not fit. */
export function roomWarning(...[room, collectionId]: Parameters<TellRoom>): Warning {
  const remedy =
    'npm run collection -- move COLLECTION --to postgres, FACE_INDEX=postgres, or a higher SEARCH_THREADS. See docs/faces.md, "More faces than one machine holds".'
  const named = `The collection ${JSON.stringify(collectionId)}`
  if (room === 'none')
    return {
      code: 'index_full',
      meaning: `${named} does not fit in the memory of the search threads: it takes no further faces, or is not searched, and is answered with a 503. Its faces are kept. ${remedy}`,
    }
  return {
    code: 'index_nearly_full',
    meaning: `${named} takes more than 80 % of what the search threads hold: once they are full it takes no further faces. ${remedy}`,
  }
}

/** [Note: Honest about size] Among too many faces a newcomer resembles somebody: they are refused, or found as another. */
export function sizeWarnings(found: readonly Outgrown[]): Warning[] {
  const code = 'collection_outgrown'
  const listed = found.slice(0, mostNamed).map((one) => ({
    code,
    meaning: `${refusalOf(one)} more than ${one.most} faces: more newcomers than 1 in 100 are taken for somebody else. See docs/faces.md, "How many faces".`,
  }))
  const left = found.length - listed.length
  return [
    ...listed,
    ...when(left > 0, { code, meaning: `So it is with ${left} further verifications or collections.` }),
  ]
}

function refusalOf(one: Outgrown): string {
  if ('collectionId' in one)
    return `search-or-index in the collection ${JSON.stringify(one.collectionId)} refuses whoever resembles one of`
  return `The verification ${JSON.stringify(one.name)} (${one.verificationId}) refuses duplicates among`
}
