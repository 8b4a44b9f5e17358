import type { Settings } from '#server/app/settings.ts'
import type { TellRoom } from '#server/features/recognition/recognition.ts'
import type { OutgrownSearch } from '#server/features/verifications/verifications.ts'
import { readPostgresAddress } from '#server/platform/store/drivers/postgres/postgres-address.ts'
import { type Warning, when } from './warning.ts'

/** The maximum number of verifications and collections that are listed individually. */
const mostNamed = 20

/** [Note: Codes in the clear] Servers have to scan these codes, so they cannot be sealed. They reveal little, but not nothing. */
export function indexWarnings({ upkeep }: Settings, movedToServers: number): Warning[] {
  const unverified = upkeep.indexServers.filter((address) =>
    ['none', 'encrypted'].includes(readPostgresAddress(address).protection),
  )
  return [
    ...when(upkeep.faceIndex === 'postgres' || movedToServers > 0, {
      code: 'clear_codes',
      meaning:
        'PostgreSQL stores an unencrypted code of 128 or 512 bits of each face. With access to the tables, faces can be linked and, given some fifty known faces of a collection, resemblances inferred. See docs/security.md.',
    }),
    ...when(unverified.length > 0, {
      code: 'index_no_tls',
      meaning: `INDEX_SERVERS: the connection to ${unverified.length} of them is not encrypted, or does not verify the server: set sslmode=verify-full.`,
    }),
  ]
}

/** A warning about a collection that needs most of the search threads' memory, or does not fit. */
export function roomWarning(...[room, collectionId]: Parameters<TellRoom>): Warning {
  const remedy =
    'npm run collection -- move COLLECTION --to postgres, FACE_INDEX=postgres, or a higher SEARCH_THREADS. See docs/faces.md, "More faces than one machine holds".'
  const named = `The collection ${JSON.stringify(collectionId)}`
  if (room === 'none')
    return {
      code: 'index_full',
      meaning: `${named} does not fit in the memory of the search threads: it accepts no further faces, or is not searched, and calls get a 503. Its faces are kept. ${remedy}`,
    }
  return {
    code: 'index_nearly_full',
    meaning: `${named} uses more than 80 % of the memory of the search threads. Once they are full it accepts no further faces. ${remedy}`,
  }
}

/**
 * [Note: Honest about size] Among too many faces, a newcomer resembles another person by chance and is refused, or identified
 * as that person.
 */
export function sizeWarnings(found: readonly OutgrownSearch[]): Warning[] {
  const code = 'collection_outgrown'
  const listed = found.slice(0, mostNamed).map((one) => ({
    code,
    meaning: `${refusalOf(one)} more than ${one.most} faces: more than 1 in 100 newcomers are mistaken for another person. See docs/faces.md, "How many faces".`,
  }))
  const left = found.length - listed.length
  return [
    ...listed,
    ...when(left > 0, { code, meaning: `The same applies to ${left} further verifications or collections.` }),
  ]
}

function refusalOf(one: OutgrownSearch): string {
  if ('collectionId' in one)
    return `search-or-index in the collection ${JSON.stringify(one.collectionId)} refuses people who resemble one of`
  return `The verification ${JSON.stringify(one.name)} (${one.verificationId}) refuses duplicates among`
}
