import { openStore } from '../../server/platform/store/open-store.ts'
import { createRandomPeople } from '../../tests/support/drawn/random-people.ts'
import { startHost } from '../../tests/support/host.ts'

/**
 * The complete server on a real store, except that the networks are replaced: a drawn picture names the person it shows. The parent process kills
 * it. The key from each start opens the account of that start.
 */
const { STORE: address = 'lmdb', DATA_DIR: dataDir = '' } = process.env
const storeAddress = address === 'lmdb' ? undefined : address
const { store } = await openStore({ dataDir, storeAddress, region: 'EU' }, () => undefined)
const { origin, apiKey } = await startHost({ store, ports: { analysis: createRandomPeople() } })
console.log(`API key: ${apiKey}`)
console.log(`Selfsame is ready at ${origin}/`)
