import { readFileSync, writeFileSync } from 'node:fs'
import { oneOf, readWords, refuse } from '../../build/usage.ts'
import { can, packNames, packs } from '../../models/rules/packs.ts'
import type { CalibrationResult } from './calibration/calibration.ts'
import { calibrations } from './calibration/calibrations.ts'
import { withBlock } from './calibration/card.ts'
import { openBench } from './running/bench.ts'

const usage = `Usage: npm run calibrate -- NAME [--data FOLDER] [--pack PACK]

Measures labelled pictures and writes models/calibration/NAME.json and, into the models' cards, the data behind it.

  NAME     ${calibrations.map(({ name, summary }) => `${name.padEnd(12)} ${summary}`).join('\n           ')}
           all          each of them
  FOLDER   holds a folder for each task of evaluate; default ../shared/data
  PACK     standard (default), conservative, which has recognition only, or extended, if it is installed`

async function main(): Promise<void> {
  const { values, positionals } = readWords(
    usage,
    { data: { type: 'string', default: '../shared/data' }, pack: { type: 'string', default: 'standard' } },
    1,
  )
  const pack = oneOf('--pack', packNames, values.pack)
  const name = oneOf('NAME', ['all', ...calibrations.map((one) => one.name)], positionals[0])
  const wanted = calibrations
    .filter((one) => name === 'all' || one.name === name)
    .filter(({ isOfEveryPack, needs }) => {
      return isOfEveryPack || pack === 'standard' || (needs !== undefined && can(packs[pack], needs))
    })
  if (wanted.length === 0) refuse(`The pack ${pack} has no ${name}.`)
  const bench = await openBench(pack)
  try {
    for (const one of wanted) write(one.name, await one.calibrate(values.data, bench))
  } finally {
    await bench.close()
  }
}

function write(name: string, { values, cards }: CalibrationResult): void {
  const file = new URL(`../../models/calibration/${name}.json`, import.meta.url)
  writeFileSync(file, `${JSON.stringify(values, null, 2)}\n`)
  console.log(`models/calibration/${name}.json`)
  for (const [model, text] of Object.entries(cards)) {
    const card = new URL(`../../models/weights/${model}.md`, import.meta.url)
    writeFileSync(card, withBlock(readFileSync(card, 'utf8'), name, text))
    console.log(`models/weights/${model}.md`)
  }
}

await main()
