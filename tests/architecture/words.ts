import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** A word that this project used in the past, although there is an established term. */
interface OldWord {
  readonly old: string
  /** The term to use instead. */
  readonly now: string
}

/** Names that must not appear in declarations any more. */
const oldNames: Readonly<Record<string, string>> = {
  Making: 'LoweringContext',
  wideOf: 'paddedChannels',
  findRoom: 'planMemory',
  answerOnTheSpot: 'decideOffline',
  spotJudgement: 'decideOffline',
  besideFormer: 'withFormer',
  Seat: 'WorkerSlot',
  Ticket: 'Job',
  Spending: 'VirtualTime',
  contended: 'retryOnConflict',
  inLanes: 'mapConcurrent',
  unlessItThrows: 'tryOrUndefined',
  unlessHungUp: 'abortable',
  signedBehind: 'signCompactJws',
  complain: 'io.error',
  misspelt: 'usageError',
  lessons: 'trainingSizes',
}

/** Words that must not appear in any name, even as part of a longer one such as a type's name. */
const oldParts: Readonly<Record<string, string>> = {
  told: 'reported, answered, shown: what is said of it',
  beside: 'near, nextTo, with',
  bent: 'activation of a network, turned of a head',
  doubled: 'upsample2x of a picture, doubleCapacity of a buffer',
  weighed: 'weighted',
  middle: 'median of values, centre of a shape, mid of an interval',
}

/** Places that may keep such a name, and why. */
const exceptions: readonly { readonly path: RegExp; readonly name: RegExp; readonly why: string }[] = [
  { path: /^lab\/attacks\//, name: /bent/i, why: 'the instrument is named so in what the lab prints' },
  { path: /^lab\/torture\//, name: /^doubled$/, why: 'the figure is named so in what the torture prints' },
  { path: /^lab\/bench\/cues\//, name: /bent/i, why: 'the same instrument, as a recipe' },
  { path: /^server\/features\/sessions\//, name: /^told$/, why: 'a member of stored session records' },
]

/** Describes a declaration that uses an old word; undefined if the file has none. In tests, only exports count. */
export function oldNamesIn(path: string, text: string): string[] {
  const isTest = /^(tests|e2e)\//.test(path)
  return declaredIn(path, text, isTest).flatMap((name) => {
    const found = oldWordOf(name)
    if (found === undefined || exceptions.some((one) => one.path.test(path) && one.name.test(name))) return []
    return [`${path}: ${name}: ${found.old} is ${found.now}`]
  })
}

function oldWordOf(name: string): OldWord | undefined {
  const whole = Object.hasOwn(oldNames, name) ? name : undefined
  if (whole !== undefined) return { old: whole, now: oldNames[whole]! }
  const part = name
    .split(/(?=[A-Z])|[^A-Za-z]/)
    .map((word) => word.toLowerCase())
    .find((word) => Object.hasOwn(oldParts, word))
  return part === undefined ? undefined : { old: part, now: oldParts[part]! }
}

/** All names that a file declares, for variables, functions, types, members and parameters. */
function declaredIn(path: string, text: string, onlyExported: boolean): string[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, kind)
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    const name = nameOf(node)
    if (name !== undefined && (!onlyExported || isExported(node))) names.push(name)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return names
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) || ts.isImportSpecifier(node)) return undefined
  const { name } = node as ts.NamedDeclaration
  return name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))
    ? name.text.replace('#', '')
    : undefined
}

function isExported(node: ts.Node): boolean {
  const holder = ts.isVariableDeclaration(node) ? node.parent.parent : node
  return (
    ts.canHaveModifiers(holder) &&
    (ts.getModifiers(holder) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  )
}

/** Phrases that must not appear on any page, in any message or on any screen, each with an idiomatic alternative. */
const oldPhrases: readonly { readonly phrase: RegExp; readonly now: string }[] = [
  { phrase: /\bopens? (it )?over nothing else\b/i, now: 'only over HTTPS' },
  { phrase: /\b(tells|say|seconds|value), the middle\b/i, now: 'the median' },
  {
    phrase: /\bthe middle of (all|the frames|\w+ (runs|instructions|visits|processes))\b/i,
    now: 'the median of',
  },
  { phrase: /\bof before there (was|were)\b/i, now: 'from before … existed' },
  { phrase: /\bstands? beside\b/i, now: 'is next to' },
  {
    phrase: /\b(is|are|was|were|be) told (once|at once|beside|here|in words)\b/i,
    now: 'shown, reported, said',
  },
  { phrase: /\bwhat is told (of|about|here)\b/i, now: 'what is reported' },
]

/** Each line of a text that contains such a phrase, along with the alternative. */
export function oldPhrasesIn(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      oldPhrases
        .filter(({ phrase }) => phrase.test(line))
        .map(({ phrase, now }) => `${path}:${i + 1}: ${phrase.source}: write ${now}`),
    )
}

export function readPage(root: string, path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8')
}

/** Words that are participles or adjectives, and nothing else, although they do not end in -ed or -ing. */
const irregularParticiples =
  /^(Awaiting|Before|Below|Beyond|Bound|Bought|Broken|Brought|Built|Caught|Chosen|Done|Drawn|Driven|Found|Given|Gone|Held|Hidden|Kept|Known|Lost|Made|Meant|Met|Neutral|Outgrown|Read|Said|Seen|Sent|Shown|Sold|Sought|Spent|Split|Standing|Taken|Taught|Thrown|Together|Told|Took|Unsent|Worn|Written|Wrong)$/
/** Words in -ed and -ing that name a thing. */
const nounsThatLookAlike =
  /^(Beginning|Drawing|Encoding|Ending|Feed|Finding|Meaning|Naming|Need|Opening|Pairing|Ranking|Rating|Reading|Recording|Ruling|Seed|Setting|Sorting|Speed|Warning|Wording)$/

/** Exported types of a file that are named by a bare participle or adjective, which tells a reader nothing: `Found` of what? */
export function bareParticiplesIn(path: string, text: string): string[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, kind)
  return tree.statements
    .filter(
      (one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) || ts.isClassDeclaration(one),
    )
    .filter((one) => isExported(one) && isBareParticiple(one.name?.text ?? ''))
    .map((one) => `${path}: ${one.name!.text}: name the thing, as in FaceMatch`)
}

function isBareParticiple(name: string): boolean {
  const isRegular = /^[A-Z][a-z]+(ed|ing)$/.test(name) && !nounsThatLookAlike.test(name)
  return isRegular || irregularParticiples.test(name)
}
