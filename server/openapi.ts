import { writeFile } from 'node:fs/promises'
import { hosts, type Role } from '#shared/hosts.ts'
import { describe } from './http/description/description.ts'

/** `npm run openapi`: writes the document of all eight roles to docs/openapi.json. */
await writeFile('docs/openapi.json', `${JSON.stringify(describe(Object.keys(hosts) as Role[]), null, 2)}\n`)
