import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * Puts a check of Node's version before each program of the server. Without it an old Node ends with a syntax error or a missing export of its
 * own modules, because it links all imports of a file before it runs the first line. Threads are started by programs, so they need no check.
 */
export function refusesOldNode(): Plugin {
  return {
    name: 'refuses-old-node',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isEntry || chunk.name.endsWith('.worker')) continue
        const program = `${chunk.name}.program.js`
        this.emitFile({ type: 'asset', fileName: program, source: chunk.code })
        chunk.code = checked(program)
      }
    },
  }
}

/** A program that prints one sentence on an old Node, and loads the file next to it on any other. */
export function checked(program: string): string {
  const check = readFileSync(new URL('node-version.mjs', import.meta.url), 'utf8').replace('export ', '')
  return `${check}
const tooOld = sentenceForNode()
if (tooOld !== undefined) {
  console.error(tooOld)
  process.exit(1)
}
await import('./${program}')
`
}
