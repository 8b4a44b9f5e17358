import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buildIfStale } from '../built.ts'
import { readWords, refuse } from '../usage.ts'
import { checkRelease } from './release-check.ts'
import { packRelease, partsOf, readProjectManifest, writeRelease } from './release-contents.ts'

const usage = `Usage: npm run release -- --pack [FOLDER] | --unpacked FOLDER | --check

  --pack       writes selfsame-VERSION-SYSTEM.tar.gz and its sha256 to FOLDER (release): all that running needs on a system like
               this one besides Node, with documentation, licences and bill of materials. Unpack it and run
               "node dist/server/main.js" in it, without npm, also as another user on a read-only disk
  --unpacked   writes the same files into an empty folder; the image is made of them
  --check      checks that this version can be released, and prints what is left to do; needs no network`

/** In megabytes (10^6 bytes). */
const mostUnpacked = 190

function print(folder: string): void {
  const parts = partsOf(folder)
  const all = parts.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6
  console.log(`${basename(folder)}: ${all.toFixed(1)} MB unpacked, of at most ${mostUnpacked}`)
  for (const { name, bytes } of parts.filter((part) => part.bytes > 1e5))
    console.log(`${(bytes / 1e6).toFixed(1).padStart(7)} MB  ${name}`)
  if (all > mostUnpacked) throw new Error('The release is larger than it may be.')
}

function pack(into: string): void {
  const name = `selfsame-${readProjectManifest().version}-${process.platform}-${process.arch}`
  const parent = mkdtempSync(join(tmpdir(), 'selfsame-release-'))
  try {
    const folder = join(parent, name)
    writeRelease(folder)
    print(folder)
    mkdirSync(into, { recursive: true })
    const file = join(into, `${name}.tar.gz`)
    packRelease(parent, name, file)
    const bytes = readFileSync(file)
    const digest = createHash('sha256').update(bytes).digest('hex')
    writeFileSync(`${file}.sha256`, `${digest}  ${basename(file)}\n`)
    console.log(`${file}: ${(bytes.length / 1e6).toFixed(1)} MB, sha256 ${digest}`)
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

const flag = { type: 'boolean', default: false } as const
const { values, positionals } = readWords(usage, { pack: flag, check: flag, unpacked: { type: 'string' } }, 1)
if ([values.pack, values.check, values.unpacked !== undefined].filter(Boolean).length !== 1)
  refuse('One of --pack, --unpacked and --check is needed.')
if (values.check) process.exitCode = checkRelease() ? 0 : 1
else {
  buildIfStale()
  if (values.pack) pack(positionals[0] ?? 'release')
  else {
    writeRelease(values.unpacked!)
    print(values.unpacked!)
  }
}
