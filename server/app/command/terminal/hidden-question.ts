import type { ReadStream } from 'node:tty'
import { UsageError } from '#server/app/command/command.ts'

type Input = Pick<ReadStream, 'on' | 'off' | 'resume' | 'pause' | 'setRawMode'> & { readonly isTTY?: boolean }
type Output = { write(text: string): unknown }

const givenUp = ['\u0003', '\u0004']
const endings = ['\r', '\n', ...givenUp]
const rubout = ['\u007f', '\b']

/** Prompts at a terminal without an echo. @throws {UsageError} if there is no terminal, or no answer */
export async function askHidden(question: string, input: Input, output: Output): Promise<string> {
  if (input.isTTY !== true) {
    throw new UsageError('Standard input is not a terminal: give the passphrase with --passphrase-file FILE.')
  }
  output.write(question)
  input.setRawMode(true)
  try {
    const typed = await typedLine(input)
    if (givenUp.includes(typed.pop()!)) throw new UsageError('No passphrase was given.')
    return corrected(typed)
  } finally {
    input.setRawMode(false)
    input.pause()
    output.write('\n')
  }
}

/** The keys typed before the one that ends the answer. */
function typedLine(input: Input): Promise<string[]> {
  return new Promise((ended) => {
    const parts: Buffer[] = []
    const read = (data: Buffer) => {
      parts.push(data)
      const typed = [...Buffer.concat(parts).toString()]
      const end = typed.findIndex((key) => endings.includes(key))
      if (end < 0) return
      input.off('data', read)
      ended(typed.slice(0, end + 1))
    }
    input.on('data', read)
    input.resume()
  })
}

function corrected(typed: readonly string[]): string {
  const kept: string[] = []
  for (const key of typed) {
    if (rubout.includes(key)) kept.pop()
    else kept.push(key)
  }
  return kept.join('')
}
