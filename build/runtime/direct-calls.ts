import { readNumber } from './wasm-module.ts'

/** The functions that a body calls by their numbers, or hands on by reference. @throws on an instruction that is not known here */
export function directCalls(body: Uint8Array): Set<number> {
  const called = new Set<number>()
  let at = afterLocals(body)
  const number = () => {
    const [value, next] = readNumber(body, at)
    at = next
    return value
  }
  const numbers = (count: number) => {
    for (let i = 0; i < count; i++) number()
  }
  const place = () => numbers((number() & 0x40) === 0 ? 1 : 2)
  while (at < body.length) {
    const code = body[at++]!
    if (code === 0x10 || code === 0x12 || code === 0xd2) called.add(number())
    else if (code === 0x0e) numbers(number() + 1)
    else if (code === 0x1c) at += number()
    else if (code >= 0x28 && code <= 0x3e) place()
    else if (code === 0x43) at += 4
    else if (code === 0x44) at += 8
    else if (code === 0xfc) numbers(more[number()] ?? 0)
    else if (code === 0xfd) vector(number())
    else if (code === 0xfe) number() === 3 ? at++ : place()
    else numbers(immediates(code))
  }
  if (at !== body.length) throw new Error('an instruction was misread')
  return called

  function vector(code: number): void {
    if (code <= 11 || code === 92 || code === 93) place()
    else if (code <= 13) at += 16
    else if (code >= 21 && code <= 34) at++
    else if (code >= 84 && code <= 91) {
      place()
      at++
    }
  }
}

/** Where a body's instructions begin. */
export function afterLocals(body: Uint8Array): number {
  let [groups, at] = readNumber(body, 0)
  for (; groups > 0; groups--) at = readNumber(body, at)[1] + 1
  return at
}

/** How many numbers follow an instruction of the group 0xfc. */
const more: Readonly<Record<number, number>> = {
  8: 2,
  9: 1,
  10: 2,
  11: 1,
  12: 2,
  13: 1,
  14: 2,
  15: 1,
  16: 1,
  17: 1,
}

const withOne = [0x02, 0x03, 0x04, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x18, 0x3f, 0x40, 0x41, 0x42, 0xd0]
const withNone = [0x00, 0x01, 0x05, 0x0a, 0x0b, 0x0f, 0x19, 0x1a, 0x1b, 0xd1]

/** How many numbers follow an instruction that has no form of its own. */
function immediates(code: number): number {
  if (withOne.includes(code) || (code >= 0x20 && code <= 0x26)) return 1
  if (code === 0x11 || code === 0x13) return 2
  if (withNone.includes(code) || (code >= 0x45 && code <= 0xc4)) return 0
  throw new Error(`instruction 0x${code.toString(16)} is not known`)
}
