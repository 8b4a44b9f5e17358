import { Agent, request } from 'node:http'

/**
 * Requests a server's health ten times a second in a separate process, so that nothing else delays it. When asked to stop, reports the longest wait
 * in milliseconds to its parent.
 */
const everyMilliseconds = 100

const port = Number(process.argv[2])
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let worst = 0
let since: number | undefined

function beat(): void {
  if (since !== undefined) return
  since = performance.now()
  const end = () => {
    worst = Math.max(worst, performance.now() - since!)
    since = undefined
  }
  request({ host: '127.0.0.1', port, agent, path: '/v1/healthz' }, (answer) => answer.resume().on('end', end))
    .on('error', () => {
      worst = Number.POSITIVE_INFINITY
      since = undefined
    })
    .end()
}

setInterval(beat, everyMilliseconds)
process.on('disconnect', () => process.exit())
process.on('message', () => {
  const waiting = since === undefined ? 0 : performance.now() - since
  process.send!(Math.max(worst, waiting), () => process.exit())
})
