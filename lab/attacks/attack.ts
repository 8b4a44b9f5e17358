import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { type PackName, packNames } from '#models/rules/packs.ts'
import { buildIfStale } from '../../build/built.ts'
import { listOf, oneOf, readWords, refuse, wholeNumber } from '../../build/usage.ts'
import { measure } from './cell.ts'
import { instrumentNames, instruments, isTried, methodNames, methods } from './combinations.ts'
import { type Challenge, challenges } from './methods/method.ts'
import { openMaterials } from './people/materials.ts'
import { attemptLimit, passRate, withinLimits } from './rates.ts'
import { flatten, type Row } from './rows.ts'

const usage = `Usage: npm run attack -- [--instrument NAMES] [--method NAMES] [--challenge balanced|advanced] [--people N]

Attacks the built product as a forger would, and counts how often it says Pass.

  --instrument  what is put in: ${instrumentNames.join(', ')}
  --method      how it gets in: ${methodNames.join(', ')}
  --challenge   balanced or advanced; both where not given
  --people      at most N people for each instrument; 100 where not given
  --sessions    of each person, 3 where not given; a person for whom none passes gets ${attemptLimit}
  --pack        the networks of the product: ${packNames.join(' or ')}
  --data        the folder of labelled pictures; ../shared/data where not given
  --json FILE   writes the figures as one flat object of numbers

NAMES are one or several with commas between, all where not given. Builds what has changed since the last build.`

const text = { type: 'string' } as const
const { values } = readWords(usage, {
  ...{ instrument: text, method: text, challenge: text, json: text },
  people: { type: 'string', default: '100' },
  sessions: { type: 'string', default: '3' },
  pack: { type: 'string', default: 'standard' },
  data: { type: 'string', default: '../shared/data' },
})
const wantedInstruments = namesOf('--instrument', instrumentNames, values.instrument)
const wantedMethods = namesOf('--method', methodNames, values.method)
const wantedChallenges = challengesOf(values.challenge)
const pack: PackName = oneOf('--pack', packNames, values.pack)
const people = wholeNumber('--people', values.people)
const sessions = wholeNumber('--sessions', values.sessions)
if (sessions > attemptLimit) refuse(`--sessions takes at most ${attemptLimit}: a link has no more.`)
if (!existsSync(values.data)) refuse(`--data: there is no folder ${values.data}.`)
buildIfStale()
const rows = await attack()
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(flatten(rows), null, 2)}\n`)

function namesOf<const Name extends string>(option: string, all: readonly Name[], given?: string): Name[] {
  return listOf(all, given).map((name) => oneOf(option, all, name))
}

function challengesOf(given?: string): Challenge[] {
  const names = challenges.map((name) => name.toLowerCase())
  return namesOf('--challenge', names, given).map((name) => challenges[names.indexOf(name)]!)
}

async function attack(): Promise<Row[]> {
  const materials = await openMaterials(values.data)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const found: Row[] = []
  for (const name of wantedInstruments) {
    const instrument = instruments[name](materials)
    const subjects = await instrument.subjects(people)
    for (const method of wantedMethods.filter((one) => isTried(one, name))) {
      for (const challenge of wantedChallenges) {
        const cell = { instrument: name, method: methods[method]!, challenge, subjects, sessions }
        const { counted, tried, findings } = await measure(cell, { MODEL_PACK: pack })
        const rate = passRate(counted)
        if (rate === undefined) continue
        const behind = pack === 'standard' ? '' : `/${pack}`
        const row = {
          name: `attack.${name}.${method}.${challenge.toLowerCase()}${behind}`,
          ...{ figure: 'apcer', rate, withinLimits: withinLimits(tried)!, found: findings, commit },
        }
        found.push(row)
        console.log(lineOf(row))
      }
    }
  }
  return found
}

function lineOf({ name, rate, withinLimits: limit, found }: Row): string {
  const { value, n, people: count, low, high } = rate
  const passed = `${Math.round(value * n)} of ${n} sessions of ${count} people`
  const interval = `[${percent(low)}, ${percent(high)}]`
  const reasons = Object.entries(found).map(([finding, times]) => `${finding} ${times}`)
  return `${name.padEnd(40)} ${percent(value)} ${interval}, ${passed}; within limits ${percent(limit?.value ?? 0)}; ${reasons.join(', ')}`
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}
