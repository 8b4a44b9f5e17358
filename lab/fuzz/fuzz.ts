import { once } from 'node:events'
import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { startChild } from '#lab/child.ts'
import { readWords, wholeNumber } from '../../build/usage.ts'
import { type BuiltServer, type Memory, startBuiltServer } from '../../tests/support/programs/built-server.ts'
import type { FuzzAnswer, FuzzRequest } from './fuzz-request.ts'
import { generate } from './generate.ts'
import { faultOf } from './oracle.ts'
import { shrink } from './shrink.ts'
import { createSupplies, type Supplies } from './supplies.ts'
import { type Line, send } from './transport.ts'

const usage = `Usage: npm run fuzz -- [--requests 20000] [--seed N] [--at NUMBER]

Sends malformed requests to the built product, and fails on any internal error, undeclared answer, lasting growth, slow
heart-beat or forbidden connection. The seed and the number of a request (--at) reproduce that request.
Needs a build: npm run build.`

const concurrency = 16
const restockEvery = 400
const settleInMilliseconds = 3000
/** How much used and resident memory may grow between the first tenth of the requests and the end. */
const tolerance: Memory = { held: 24 * 2 ** 20, resident: 96 * 2 ** 20 }
const longestBeatInMilliseconds = 1000
const mostFindings = 20

interface Finding {
  readonly number: number
  readonly fault: string
  readonly request: FuzzRequest
  readonly answer: FuzzAnswer
}

const { values } = readWords(usage, {
  requests: { type: 'string', default: '20000' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  at: { type: 'string' },
})
const requests = wholeNumber('--requests', values.requests)
const seed = wholeNumber('--seed', values.seed, 0)
const replayed = values.at === undefined ? undefined : wholeNumber('--at', values.at, 0)

/** The number of answers by endpoint and status. */
const counts = new Map<string, Map<string, number>>()
const findings: Finding[] = []
let unanswered = 0
let forbiddenConnections = 0

const canary = createServer((socket) => {
  forbiddenConnections++
  socket.destroy()
})
canary.listen(0, '127.0.0.1')
await once(canary, 'listening')
const canaryPort = (canary.address() as AddressInfo).port
const product = await startBuiltServer({ WEBHOOK_ALLOW_LOOPBACK: 'false', LOG_LEVEL: 'error' })
const line: Line = { port: product.port, agent: new Agent({ keepAlive: true, maxSockets: concurrency }) }
const started = Date.now()
const failures = await run(product).catch((error) => [String(error)])
await product.stop()
canary.close()
line.agent.destroy()
report(failures)
process.exitCode = failures.length === 0 ? 0 : 1

async function run({ origin, apiKey, port, isAlive, memory }: BuiltServer): Promise<string[]> {
  const supplies = await createSupplies({ origin, apiKey, canaryPort })
  if (replayed !== undefined) return replay(replayed, supplies)
  const pulse = startChild('lab/fuzz/pulse.ts', String(port))
  const warmUp = Math.max(500, Math.floor(requests / 10))
  await sendAll(0, Math.min(warmUp, requests), supplies)
  const before = isAlive() ? await settled(memory) : undefined
  await sendAll(warmUp, requests, supplies)
  const after = isAlive() ? await settled(memory) : undefined
  pulse.send('stop')
  const [longestBeat] = (await once(pulse, 'message')) as [number]
  const failures = findings.map(({ number, fault }) => `request ${number}: ${fault}`)
  if (before === undefined || after === undefined) return [...failures, 'The product ended']
  return [...failures, ...resourceFailures(before, after, longestBeat)]
}

async function settled(memory: () => Promise<Memory>): Promise<Memory> {
  await new Promise((resolve) => setTimeout(resolve, settleInMilliseconds))
  return memory()
}

function resourceFailures(before: Memory, after: Memory, longestBeat: number): string[] {
  const grown = { held: after.held - before.held, resident: after.resident - before.resident }
  console.log(
    `memory held ${mib(before.held)} then ${mib(after.held)}; resident ${mib(before.resident)} then ${mib(after.resident)}`,
  )
  console.log(`tolerated growth: held ${mib(tolerance.held)}, resident ${mib(tolerance.resident)}`)
  console.log(`longest heart-beat ${longestBeat.toFixed(0)} ms, at most ${longestBeatInMilliseconds}`)
  console.log(`forbidden connections ${forbiddenConnections}`)
  return [
    ...(grown.held > tolerance.held ? [`The product's heap grew by ${mib(grown.held)}`] : []),
    ...(grown.resident > tolerance.resident
      ? [`The product's resident memory grew by ${mib(grown.resident)}`]
      : []),
    ...(longestBeat > longestBeatInMilliseconds
      ? [`The health check took ${longestBeat.toFixed(0)} ms`]
      : []),
    ...(forbiddenConnections > 0 ? ['The product connected to a forbidden address'] : []),
    ...(unanswered > requests / 20 ? [`${unanswered} requests had no answer`] : []),
  ]
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}

async function sendAll(from: number, to: number, supplies: Supplies): Promise<void> {
  let next = from
  const worker = async () => {
    while (next < to && product.isAlive() && findings.length < mostFindings) {
      const number = next++
      if (number % restockEvery === 0) {
        // Fails if the requests have just deleted or forbidden something that it needs. A later restock creates it again.
        await supplies.restock().catch(() => undefined)
      }
      await tryOne(number, supplies)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

async function tryOne(number: number, supplies: Supplies): Promise<void> {
  const request = generate(seed, number, supplies)
  const answer = await send(line, request)
  const byStatus = counts.get(request.aim) ?? new Map<string, number>()
  counts.set(request.aim, byStatus)
  const status = String(answer?.status ?? 'none')
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
  if (answer === undefined) {
    if (request.manner !== 'hang up') unanswered++
    return
  }
  const fault = faultOf(request, answer)
  if (fault !== undefined) await note({ number, fault, request, answer })
}

async function note(finding: Finding): Promise<void> {
  const { request, fault, answer } = finding
  findings.push(finding)
  const smallest = await shrink(request, async (smaller) => {
    const again = await send(line, smaller)
    return again !== undefined && again.status === answer.status && faultOf(smaller, again) !== undefined
  })
  console.log(`\nFOUND ${fault} at --seed ${seed} --at ${finding.number} (${request.done.join(', ')})`)
  console.log(textOf(smallest))
  console.log(`=> ${answer.status} ${answer.body.toString().slice(0, 500)}`)
}

async function replay(number: number, supplies: Supplies): Promise<string[]> {
  const request = generate(seed, number, supplies)
  console.log(textOf(request))
  const answer = await send(line, request)
  console.log(`=> ${answer?.status ?? 'no answer'} ${answer?.body.toString().slice(0, 2000) ?? ''}`)
  const fault = answer && faultOf(request, answer)
  return fault === undefined ? [] : [fault]
}

function textOf({ method, target, headers, body }: FuzzRequest): string {
  const lines = [
    `${method} ${target.slice(0, 500)}`,
    ...headers.map(([name, value]) => `${name}: ${shown(name, value)}`),
  ]
  return [...lines, JSON.stringify(body?.toString().slice(0, 1500) ?? '')].join('\n')
}

function shown(name: string, value: string): string {
  return name === 'authorization' ? `${value.slice(0, 12)}…` : value.slice(0, 200)
}

function report(failures: readonly string[]): void {
  for (const [name, byStatus] of [...counts].sort()) {
    console.log(
      name.padEnd(28),
      [...byStatus]
        .sort()
        .map(([status, count]) => `${status}: ${count}`)
        .join('  '),
    )
  }
  const total = new Map<string, number>()
  for (const byStatus of counts.values())
    for (const [status, count] of byStatus) total.set(status, (total.get(status) ?? 0) + count)
  console.log(
    'all'.padEnd(28),
    [...total]
      .sort()
      .map(([status, count]) => `${status}: ${count}`)
      .join('  '),
  )
  for (const entry of product.log.filter((text) => text.startsWith('{'))) console.log(entry.slice(0, 500))
  for (const failure of failures) console.log(`FAILED ${failure}`)
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${requests} requests in ${seconds} s, seed ${seed}, ${failures.length} failures`)
}
