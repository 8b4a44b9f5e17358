import { setTimeout as pause } from 'node:timers/promises'
import { type Client, countAll, createClient, prepare } from './client.ts'
import { createLedger, type Figures } from './ledger.ts'
import { peopleFor } from './people.ts'
import type { Form, Product } from './product.ts'

const clientNames = { built: ['Ada', 'Ben', 'Cleo', 'Dan'], drawn: [...'ABCDEFGH'] } as const
const shareOfVainStarts = 0.3

/** A program that is killed with SIGKILL and restarted in every round. */
export interface Victim {
  /** Kills the program. `resume` brings it back with all its data. */
  kill(): Promise<void>
  resume(): Promise<void>
}

export interface RoundsResult extends Figures {
  readonly rounds: number
  readonly vainStarts: number
  readonly violations: readonly string[]
  readonly seconds: number
}

interface Plan {
  readonly form: Form
  readonly rounds: number
  /** The maximum time that clients work before the kill. */
  readonly workInMilliseconds: number
  readonly product: Product
  /** Killed instead of the product. */
  readonly victim?: Victim
  /** Runs after each round. */
  readonly onRound: (round: number, figures: Readonly<Figures>) => void
}

/**
 * Repeatedly kills the server while clients are working, and also while it is starting. After each start, everything is compared with what was
 * acknowledged, and at the end it is counted.
 */
export async function runRounds({
  form,
  rounds,
  workInMilliseconds,
  product,
  victim,
  onRound,
}: Plan): Promise<RoundsResult> {
  const started = Date.now()
  const ledger = createLedger(product, (what) => console.log(`VIOLATION ${what}`))
  const everybody = peopleFor(form)
  const names = clientNames[form]
  const clients = names.map((name, i) =>
    createClient(
      ledger,
      name,
      everybody.filter((_, at) => at % names.length === i),
      everybody,
    ),
  )
  let vainStarts = 0

  async function begin(): Promise<void> {
    if (victim !== undefined) return victim.resume()
    while (Math.random() < shareOfVainStarts) {
      await product.startInVain(Math.random() * 3000)
      vainStarts++
    }
    await product.start()
  }

  await product.start()
  await prepare(ledger, names)
  for (let round = 1; round <= rounds; round++) {
    let goesOn = true
    const working = Promise.all(clients.map((client) => client.work(() => goesOn)))
    await pause(workInMilliseconds * (0.2 + 0.8 * Math.random()))
    await (victim ?? product).kill()
    if (victim !== undefined) await pause(Math.random() * 1000)
    goesOn = false
    await working
    await begin()
    await checkAll(clients)
    onRound(round, ledger.figures)
  }
  await countAll(ledger, clients)
  await product.kill()
  const seconds = (Date.now() - started) / 1000
  return { ...ledger.figures, rounds, vainStarts, violations: ledger.violations, seconds }
}

async function checkAll(clients: readonly Client[]): Promise<void> {
  const checked = await Promise.all(clients.map((client) => client.check()))
  if (checked.includes(false)) throw new Error('The server was gone without having been killed')
}
