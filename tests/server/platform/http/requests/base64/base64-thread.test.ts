import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { decodeBase64 } from '#server/platform/http/requests/base64/base64.ts'
import {
  createBase64Thread,
  longTextInCharacters,
} from '#server/platform/http/requests/base64/base64-thread.ts'
import { openWorker } from '#server/platform/running/open-worker.ts'
import { base64Worker } from '../../../../../support/programs/server-program.ts'

const most = 10 * 1024 * 1024
const picture = randomBytes(300 * 1024)
const text = picture.toString('base64')

/** Bytes arrive from a thread as a plain array. */
const plain = (decoded: ReturnType<typeof decodeBase64>) =>
  'fault' in decoded ? decoded : Uint8Array.from(decoded)

function neverStarts(): never {
  throw new Error('No thread is wanted')
}

/** Counts how many threads it starts. */
function counted() {
  const threads: ReturnType<typeof openWorker>[] = []
  const decode = createBase64Thread(base64Worker, (file) => {
    const thread = openWorker(file, 'Base64', undefined)
    threads.push(thread)
    return thread
  })
  return { threads, decode }
}

describe('Base64', () => {
  test('is decoded in a thread if it is long, with the same bytes and errors as on the main thread', async () => {
    const { threads, decode } = counted()
    expect(Buffer.from((await decode(text, most)) as Uint8Array).equals(picture)).toBe(true)
    const broken = text.replace(/.{76}/g, '$&\r\n')
    for (const sent of [`${text.slice(0, -8)}*${text.slice(-7)}`, text.replaceAll('+', '-'), broken])
      expect(await decode(sent, most)).toEqual(plain(decodeBase64(sent, most)))
    expect(threads).toHaveLength(1)
    await threads[0]!.worker.terminate()
  })

  test('of several is decoded for each requester', async () => {
    const { threads, decode } = counted()
    const pictures = [1, 2, 3].map((number) => Buffer.alloc(300 * 1024, number))
    const decoded = await Promise.all(pictures.map((one) => decode(one.toString('base64'), most)))
    expect(decoded.map((one) => (one as Uint8Array)[0])).toEqual([1, 2, 3])
    await threads[0]!.worker.terminate()
  })

  test('is decoded on the main thread if it is short', async () => {
    const decode = createBase64Thread(base64Worker, neverStarts)
    expect(await decode('AAAA', most)).toEqual(Buffer.alloc(3))
    const longest = Buffer.alloc((longTextInCharacters / 4) * 3)
    expect(await decode(longest.toString('base64'), most)).toEqual(longest)
  })

  test('that is longer than allowed is refused by its length alone', async () => {
    const decode = createBase64Thread(base64Worker, neverStarts)
    expect(await decode(text, 200 * 1024)).toEqual({ fault: 'Must be at most 200 kB.' })
    expect(await decode('*'.repeat(text.length), 200 * 1024)).toEqual({ fault: 'Must be at most 200 kB.' })
  })

  test('counts decoded bytes: line breaks do not count towards the limit', async () => {
    const { threads, decode } = counted()
    const broken = text.replace(/.{4}/g, '$&\n')
    expect(Buffer.from((await decode(broken, picture.length)) as Uint8Array).equals(picture)).toBe(true)
    expect(await decode(broken, picture.length - 1)).toHaveProperty('fault')
    await threads[0]!.worker.terminate()
  })

  test('fails with its thread, and the next one starts another', async () => {
    const { threads, decode } = counted()
    const failing = decode(text, most)
    // Ends the thread while it is starting. A moment later, it might have answered.
    while (threads.length === 0) await turn()
    await threads[0]!.worker.terminate()
    await expect(failing).rejects.toThrow('The Base64 worker ended')
    expect(Buffer.from((await decode(text, most)) as Uint8Array).equals(picture)).toBe(true)
    expect(threads).toHaveLength(2)
    await threads[1]!.worker.terminate()
  })
})
