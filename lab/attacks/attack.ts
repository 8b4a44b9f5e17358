import { existsSync, writeFileSync } from 'node:fs'
import { buildIfStale } from '../../build/built.ts'
import { listOf, oneOf, readWords, refuse, wholeNumber } from '../../build/usage.ts'
import { packNames } from '../../models/rules/packs.ts'
import { knownInstruments, methodNames } from './combinations.ts'
import { type FilmKind, filmKinds } from './films.ts'
import type { LivenessSettings } from './forgery.ts'
import { lineOf } from './lines.ts'
import { changedProduct, type MeasuredState, measuredState } from './measured-commit.ts'
import { type Challenge, challenges } from './methods/method.ts'
import { missingParts, runParts } from './parts.ts'
import { attemptLimit } from './rates.ts'
import { type RecordedRows, record, recordBaseline } from './recorded.ts'
import { attacksData } from './report/attacks-data.ts'
import { attacksReport } from './report/attacks-report.ts'
import { type RivalName, rivalNames } from './rivals.ts'
import { flatten, type Row } from './rows.ts'
import { livingConditions, runAttacks } from './run.ts'
import { sample } from './sample.ts'
import { defaultSeed } from './seeds.ts'

const usage = `Usage: npm run attack -- [--instrument NAMES] [--method NAMES] [--challenge balanced|advanced] [--people N]

Attacks the built product as a forger would, counts how often it answers Pass, and compares that with living people.

  --instrument  the instruments: ${knownInstruments.slice(0, 8).join(', ')},
                ${knownInstruments.slice(8).join(', ')}
  --method      the ways to send them: ${methodNames.join(', ')}
  --living      visits of living people: ${livingConditions.join(', ')}
  --challenge   balanced or advanced; both where not given
  --film        what is sent along as the film: its own pictures, or sparse, dark, flat or repeated ones; noisy is one picture
                with noise, other and otherNoisy the same of another person, living somebody living; --no-film sends none.
                Where neither is given, each instrument does as its maker did
  --asks        what the verification asks of liveness, as leastAssurance=standard; where not given, the default configuration
  --people      at most N people for each instrument; 100 where not given
  --sessions    of each person, 3 where not given; a person for whom none passes gets ${attemptLimit}, as many as a link allows
  --short       no tries beyond --sessions, and so no figure of what happens within a link's limit
  --sample      in place of all that: every kind of row that docs/attacks.md has to have, with few people (at most --people),
                two parts at a time; with --record what is recorded of these sources already is left out
  --minutes     of a sample: begins no further part after so many
  --rival       another open product whose own liveness looks at the same straight pictures: ${rivalNames.join(', ')}
  --pack        the networks of the product: ${packNames.join(' or ')}
  --data        the folder of labelled pictures; default ../shared/data
  --own FOLDER  only your own clips and pictures; docs/attacks.md explains how to make them
  --seed        decides which people are taken and the random part of their pictures; default ${defaultSeed}. The product
                draws its challenges itself, so two runs with one seed show the same forgeries to different challenges
  --record      keeps the rows in lab/attacks/recorded.json and writes docs/attacks.md; drops rows of other sources and
                keeps those of the same, so that a record can be made in several runs
  --baseline COMMIT   as --record, into the rows that later states are compared with; the product's sources must be
                those of the commit
  --page        measures nothing: drops the rows of other sources (all rows if there are uncommitted changes) and
                writes docs/attacks.md
  --json FILE   writes the figures as one flat object of numbers

NAMES is a comma-separated list or none. Without --instrument and --living, measures all of both; with one of them,
leaves the other out. Builds the product if its sources have changed.`

const text = { type: 'string' } as const
const { values } = readWords(
  usage,
  {
    ...{ instrument: text, method: text, living: text, challenge: text, json: text, own: text },
    people: { type: 'string', default: '100' },
    sessions: { type: 'string', default: '3' },
    pack: { type: 'string', default: 'standard' },
    data: { type: 'string', default: '../shared/data' },
    film: text,
    rival: text,
    asks: text,
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(defaultSeed) },
    baseline: text,
    'no-film': { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    sample: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
  },
  0,
  wordsWithFilm(process.argv.slice(2)),
)
const isWhole = values.instrument === undefined && values.living === undefined && values.own === undefined
const others = isWhole ? undefined : 'none'
const wanted = {
  instruments:
    values.own === undefined
      ? namesOf('--instrument', knownInstruments, values.instrument ?? others)
      : (['own'] as const),
  methods: namesOf('--method', methodNames, values.method),
  living: namesOf('--living', livingConditions, values.living ?? others),
  challenges: challengesOf(values.challenge),
  people: wholeNumber('--people', values.people),
  sessions: wholeNumber('--sessions', values.sessions),
  untilClosed: !values.short,
  ...filmOf(values.film, values['no-film']),
  ...(values.asks !== undefined && { asked: askedIn(values.asks) }),
  ...(values.rival !== undefined && { rival: rivalOf(values.rival) }),
  pack: oneOf('--pack', packNames, values.pack),
  data: values.data,
  seed: wholeNumber('--seed', values.seed),
  ...(values.own !== undefined && { own: values.own }),
}
if (wanted.sessions > attemptLimit)
  refuse(`--sessions takes at most ${attemptLimit}, the attempt limit of a link.`)
if (!existsSync(wanted.data)) refuse(`--data: there is no folder ${wanted.data}.`)
const keep = keeper()
const rows: Row[] = []
if (values.page) keep?.([])
else {
  buildIfStale()
  await (values.sample ? runSample() : runAttacks(wanted, recordRow))
}
if (keep) console.log('docs/attacks.md, docs/data/attacks.csv')

async function runSample(): Promise<void> {
  const left = missingParts(sample, keep?.([]) ?? [], wanted.rival)
  const milliseconds = wholeNumber('--minutes', values.minutes) * 60_000
  await runParts(left, { ...wanted, milliseconds }, recordRow)
}

function recordRow(row: Row): void {
  rows.push(row)
  console.log(lineOf(row))
  // If a run is stopped early, the rows measured so far are kept.
  keep?.(rows)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(flatten(rows), null, 2)}\n`)
}

/** Writes rows to the record and the page, and returns the recorded rows. Undefined if nothing should be saved. */
function keeper(): ((rows: readonly Row[]) => readonly Row[]) | undefined {
  const { baseline } = values
  if (baseline !== undefined) {
    refuseOtherProduct(baseline)
    return (rows) => writePage(recordBaseline(baseline, rows)).baseline.rows
  }
  if (!values.record && !values.page) return undefined
  const state = values.page ? stateOrNone() : cleanState()
  return (rows) => writePage(record(state, rows)).rows
}

function writePage(recorded: RecordedRows): RecordedRows {
  writeFileSync('docs/attacks.md', attacksReport(recorded))
  writeFileSync('docs/data/attacks.csv', attacksData(recorded))
  return recorded
}

function refuseOtherProduct(commit: string): void {
  const changed = changedProduct(commit)
  if (changed !== '') refuse(`--baseline: the product's sources differ from ${commit}:\n${changed}`)
}

/** Outside a commit, no recorded row matches the sources. */
function stateOrNone(): MeasuredState {
  try {
    return measuredState()
  } catch {
    return { commit: '', sources: '' }
  }
}

function cleanState(): MeasuredState {
  try {
    return measuredState()
  } catch (error) {
    return refuse(`${(error as Error).message}\nCommit it first.`)
  }
}

/** Parses `leastAssurance=standard,allowAlternative=true`. The product validates the values. */
function askedIn(words: string): LivenessSettings {
  const parseValue = (value = '') => (['true', 'false'].includes(value) ? value === 'true' : value)
  const members = words.split(',').map((word) => word.split('='))
  return Object.fromEntries(members.map(([name, value]) => [name, parseValue(value)])) as LivenessSettings
}

/** `--film` without a value means a film of the forger's own pictures. */
function wordsWithFilm(words: readonly string[]): string[] {
  const isKind = (word?: string) => word !== undefined && !word.startsWith('-')
  return words.flatMap((word, i) => (word === '--film' && !isKind(words[i + 1]) ? [word, 'own'] : [word]))
}

function filmOf(kind: string | undefined, isLeftOut: boolean): { film?: FilmKind } {
  if (kind === undefined) return isLeftOut ? { film: 'none' } : {}
  return isLeftOut
    ? refuse('Use either --film or --no-film, not both.')
    : { film: oneOf('--film', filmKinds, kind) }
}

function rivalOf(name: string): RivalName {
  if (name === 'faceapi') refuse('--rival: face-api has no liveness network, so there is nothing to compare.')
  return oneOf('--rival', rivalNames, name)
}

function namesOf<const Name extends string>(option: string, all: readonly Name[], given?: string): Name[] {
  if (given === 'none') return []
  return listOf(all, given).map((name) => oneOf(option, all, name))
}

function challengesOf(given?: string): Challenge[] {
  const names = challenges.map((name) => name.toLowerCase())
  return namesOf('--challenge', names, given).map((name) => challenges[names.indexOf(name)]!)
}
