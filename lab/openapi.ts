import { writeFile } from 'node:fs/promises'
import { readWords } from '../build/usage.ts'
import { describe } from '../server/platform/http/description/description.ts'
import { hosts, type Role } from '../shared/hosts.ts'

readWords('Usage: npm run openapi\n\nWrites the document of all eight roles to docs/openapi.json.', {})
await writeFile('docs/openapi.json', `${JSON.stringify(describe(Object.keys(hosts) as Role[]), null, 2)}\n`)
