import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Fields copied from the project's package.json. */
const same = ['name', 'version', 'description', 'license', 'type', 'peerDependencies', 'peerDependenciesMeta']

interface Manifest {
  readonly exports: Readonly<Record<string, Readonly<Record<'types' | 'default', string>>>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/**
 * Turns the folder of the built client into a package for `npm pack` and registries, with the same modules and names as in
 * this project and without the server. Its types depend on valibot; its code has no dependencies.
 * @throws if a module is outside the folder
 */
export async function writeClientPackage(folder: string): Promise<void> {
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest
  const own = {
    ...Object.fromEntries(same.map((field) => [field, manifest[field]])),
    engines: { node: '>=20' },
    sideEffects: ['./element.js'],
    exports: { ...exportsWithin(folder, manifest.exports), './openapi.json': './openapi.json' },
    dependencies: { valibot: manifest.dependencies.valibot },
  }
  await Promise.all([
    writeFile(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`),
    writeFile(join(folder, 'README.md'), readme),
    copyFile('LICENSE', join(folder, 'LICENSE')),
    copyFile('docs/openapi.json', join(folder, 'openapi.json')),
  ])
}

function exportsWithin(folder: string, exports: Manifest['exports']): Manifest['exports'] {
  const root = `./${folder}/`
  const within = (path: string): string => {
    if (!path.startsWith(root)) throw new Error(`${path} is not in ${folder}.`)
    return `./${path.slice(root.length)}`
  }
  return Object.fromEntries(
    Object.entries(exports).map(([name, { types, default: code }]) => [
      name,
      { types: within(types), default: within(code) },
    ]),
  )
}

const readme = `# Selfsame: the client

Every call of a Selfsame server as a typed function, and components that show its check in a page.

| import | what it is |
|---|---|
| \`selfsame/client\` | \`createClient\`: every endpoint, for Node 20 and later and for browsers; helpers for pictures, links and events |
| \`selfsame/embed\` | \`openVerification\`: the check in a frame of your page, as a promise |
| \`selfsame/element\` | \`<selfsame-check link="…">\`: the same without a script |
| \`selfsame/react\` | \`FaceCheck\`: the same for React |
| \`selfsame/openapi.json\` | the API document, for generators |

\`\`\`ts
import { createClient } from 'selfsame/client'

const selfsame = createClient({ origin: process.env.SELFSAME_URL ?? '', apiKey: process.env.SELFSAME_API_KEY ?? '' })
const { verificationId } = await selfsame.configuration.createVerification({ name: 'sign-up' })
\`\`\`

The version is that of the server it was built with. For other server versions see the \`/docs\` of the server.
`
