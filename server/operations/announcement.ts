import type { Settings } from '#server/settings.ts'
import type { ListeningServer } from './listening-server.ts'
import { provenanceOf } from './provenance.ts'
import { warningsOf } from './warnings.ts'

interface Started {
  readonly settings: Settings
  readonly servers: readonly Pick<ListeningServer, 'address' | 'roles'>[]
  /** The public origin of the pages; undefined where none are served. */
  readonly pages: string | undefined
  readonly hasDemo: boolean
  /** Of the account that this start made; undefined where there was one. */
  readonly firstKey: string | undefined
  readonly found: Parameters<typeof warningsOf>[2]
}

/** Prints where the server is, the key that is shown once, and what is not safe in how it is set up. */
export function announce({ settings, servers, pages, hasDemo, firstKey, found }: Started): void {
  const [only, ...others] = servers
  if (others.length === 0 && only !== undefined) {
    console.log(`Selfsame is ready at ${pages ?? only.address()}/`)
  } else {
    for (const { address, roles } of servers)
      console.log(`Selfsame is ready at ${address()}/ (${roles.join(', ')})`)
  }
  console.log(`API key: ${firstKey ?? 'was printed at the first start'}`)
  if (firstKey !== undefined) console.log('This key is shown this once: keep it.')
  for (const line of firstKey === undefined ? [] : provenanceOf(settings.pack)) console.log(line)
  if (hasDemo) console.log(`Demo: ${pages}/demo`)
  const keyGoesToPipe = firstKey !== undefined && process.stdout.isTTY !== true
  for (const { code, meaning } of warningsOf(settings, keyGoesToPipe, found)) {
    console.error(`WARN security ${code}: ${meaning}`)
  }
}
