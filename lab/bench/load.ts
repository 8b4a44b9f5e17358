import { connect, type Socket } from 'node:net'

/** A round of requests over kept-alive connections. */
export interface Round {
  readonly port: number
  /** The complete request as it is sent over the socket. */
  readonly message: string
  readonly connections: number
  readonly milliseconds: number
}

/**
 * Sends rounds of requests on behalf of its parent from a separate process, so that neither side of the measurement waits for the other. Uses plain
 * sockets with one in-flight request each. Answers with the requests per second, or with the first response that was not 200.
 */
process.on('disconnect', () => process.exit())
process.on('message', (round: Round) => void run(round).then((result) => process.send!(result)))

async function run({ port, message, connections, milliseconds }: Round): Promise<number | string> {
  const bytes = Buffer.from(message)
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const start = performance.now()
  const until = start + milliseconds
  let answered = 0
  let fault: string | undefined
  const work = sockets.map(
    (socket) =>
      new Promise<void>((done) => {
        const read = answerReader((answer) => {
          answered++
          if (!answer.startsWith('HTTP/1.1 200 ')) fault ??= answer
          if (performance.now() < until && fault === undefined) socket.write(bytes)
          else done()
        })
        socket.on('data', read)
        socket.on('close', () => done())
        socket.write(bytes)
      }),
  )
  await Promise.all(work)
  const seconds = (performance.now() - start) / 1000
  for (const socket of sockets) socket.destroy()
  return fault ?? answered / seconds
}

function open(port: number): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => done(socket))
    socket.once('error', fail)
  })
}

/** Calls back once per complete response. The length comes from the response header. */
function answerReader(onAnswer: (answer: string) => void): (part: Buffer) => void {
  let text = ''
  return (part) => {
    text += part.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (text.length < end + 4 + length) return
    const answer = text
    text = ''
    onAnswer(answer)
  }
}
