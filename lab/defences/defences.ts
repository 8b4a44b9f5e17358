import { readWords } from '../../build/usage.ts'
import type { Defence } from './defence.ts'
import { defences } from './list.ts'
import { copyTree, type Tree } from './tree.ts'
import { byFile, type Outcome, tryTests } from './trial.ts'

const usage = `Usage: npm run defences -- [--only WORDS]

Removes each defence that a row of docs/data/asvs.csv or docs/data/defences.csv claims from a copy of the sources, and runs the test that the row
names, in two copies at once. The test must pass with the defence and fail without it; otherwise the command exits with 1.

  --only   the defences whose row, test or file contains these words`

const { values } = readWords(usage, { only: { type: 'string' } })
const wanted = defences.filter((defence) => JSON.stringify(defence).includes(values.only ?? ''))
const trees = [copyTree(), copyTree()]
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    removeTrees()
    process.exit(1)
  })
}
try {
  const hollow = [...(await wrongWith(wanted)), ...(await missedBy(wanted))]
  console.log(`\n${wanted.length} defences, ${hollow.length} not proven`)
  for (const line of hollow) console.log(`  ${line}`)
  process.exitCode = hollow.length === 0 && wanted.length > 0 ? 0 : 1
} finally {
  removeTrees()
}

function removeTrees(): void {
  for (const tree of trees) tree.remove()
}

/** Each copy takes the next item as soon as it is free. */
async function inEachTree<Item>(
  items: Iterable<Item>,
  act: (tree: Tree, item: Item) => Promise<void>,
): Promise<void> {
  const rest = [...items].values()
  await Promise.all(
    trees.map(async (tree) => {
      for (const item of rest) await act(tree, item)
    }),
  )
}

/** Finds tests that fail even though all defences are in place, so their failure would prove nothing. */
async function wrongWith(all: readonly Defence[]): Promise<string[]> {
  const wrong: string[] = []
  console.log('With every defence in place:')
  await inEachTree(byFile(all.map(({ test }) => test)), async ({ folder }, [file, titles]) => {
    const outcomes = await tryTests(folder, file, titles)
    console.log(`  ${outcomes.filter((one) => one === 'passed').length} of ${titles.length} passed: ${file}`)
    titles.forEach((title, i) => {
      if (outcomes[i] !== 'passed') wrong.push(`${file} “${title}”: ${outcomes[i]} with the defence`)
    })
  })
  return wrong
}

/** Finds defences that can be removed without their test noticing. */
async function missedBy(all: readonly Defence[]): Promise<string[]> {
  const missed: string[] = []
  console.log('\nWithout one of them:')
  await inEachTree(all, async (tree, { rows, test, without }) => {
    const [file, title] = test
    const start = performance.now()
    const [outcome] = await tree.changed(without, () =>
      tryTests(tree.folder, file, [title], { untilOneFails: true }),
    )
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`  ${words(outcome!)} (${seconds} s): ${without[0]![0]}, ${rows.join('; ')}`)
    if (outcome !== 'failed') missed.push(`${file} “${title}”: ${outcome} without ${without[0]![1]}`)
  })
  return missed
}

function words(outcome: Outcome): string {
  return outcome === 'failed' ? 'noticed' : `NOT NOTICED, ${outcome}`
}
