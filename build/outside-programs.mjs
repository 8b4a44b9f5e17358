import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The programs beside Node that tests use. Plain JavaScript, because `.ci/run` reads the list before any package is installed. */
export const outsidePrograms = JSON.parse(
  readFileSync(new URL('./outside-programs.json', import.meta.url), 'utf8'),
)

/** The programs that this machine lacks. CHROMIUM may name a Chromium outside of the path. */
export function missingPrograms(programs = outsidePrograms, path = process.env.PATH ?? '') {
  return programs.filter(({ name, found }) => {
    if (name === 'Chromium' && process.env.CHROMIUM !== undefined) return !existsSync(process.env.CHROMIUM)
    return !found.some((place) => isThere(place, path))
  })
}

/** One sentence about missing programs and its remedy; undefined if nothing that the checks require is missing. */
export function sentenceFor(checks, missing = missingPrograms()) {
  const needed = missing.filter((one) => one.required && one.checks.some((name) => checks.includes(name)))
  if (needed.length === 0) return undefined
  const names = new Intl.ListFormat('en-GB').format(needed.map(({ name }) => name))
  const packages = needed.flatMap((one) => one.packages).join(' ')
  const verb = needed.length === 1 ? 'is' : 'are'
  return `${names} ${verb} missing. On Debian, run "apt-get install ${packages}", or .ci/run, which does it for you.`
}

function isThere(place, path) {
  if (!place.startsWith('/')) return path.split(delimiter).some((folder) => existsSync(join(folder, place)))
  const [before, after] = place.split('*')
  if (after === undefined) return existsSync(place)
  if (!existsSync(before)) return false
  return readdirSync(before).some((name) => existsSync(`${before}${name}${after}`))
}

// For `.ci/run`: a line for each missing package, with the word "required" or "optional" before it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { packages, required } of missingPrograms())
    for (const name of packages) console.log(`${required ? 'required' : 'optional'} ${name}`)
}
