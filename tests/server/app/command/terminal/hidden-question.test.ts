import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { askHidden } from '#server/app/command/terminal/hidden-question.ts'

/** A terminal that records its output and whether typed text would be echoed. */
function startTerminal(isTTY = true) {
  const modes: boolean[] = []
  const input = Object.assign(new PassThrough(), {
    isTTY,
    setRawMode: (raw: boolean) => void modes.push(raw),
  })
  let shown = ''
  const output = {
    write(text: string) {
      shown += text
    },
  }
  const answer = askHidden('Passphrase: ', input as never, output)
  return { answer, modes, shown: () => shown, type: (keys: string | Buffer) => input.write(keys) }
}

test('shows the question and nothing of the answer, and restores the terminal', async () => {
  const terminal = startTerminal()
  for (const key of 'a secret ☃ word') terminal.type(key)
  terminal.type('\r')
  expect(await terminal.answer).toBe('a secret ☃ word')
  expect(terminal.shown()).toBe('Passphrase: \n')
  expect(terminal.modes).toEqual([true, false])
})

test('handles corrections, and a letter that arrives in halves', async () => {
  const terminal = startTerminal()
  const umlaut = Buffer.from('ü')
  terminal.type('ab\u007fc☃\b')
  terminal.type(umlaut.subarray(0, 1))
  terminal.type(umlaut.subarray(1))
  terminal.type('\nand more')
  expect(await terminal.answer).toBe('acü')
})

test.each(['\u0003', '\u0004'])('ends with a word when nobody answers: %j', async (key) => {
  const terminal = startTerminal()
  terminal.type(`half${key}`)
  await expect(terminal.answer).rejects.toThrow('No passphrase was given.')
  expect(terminal.modes).toEqual([true, false])
})

test('names the file to use if there is no terminal', async () => {
  await expect(startTerminal(false).answer).rejects.toThrow('with --passphrase-file FILE')
})
