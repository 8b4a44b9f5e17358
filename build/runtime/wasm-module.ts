/** Sections of a WebAssembly binary that are read here, by their numbers. */
export const sections = { global: 6, export: 7, code: 10 } as const

interface Section {
  readonly id: number
  /** Without its number and length. */
  readonly content: Uint8Array
}

const headerBytes = 8

/** A module's sections in their order. @throws on what is no module. */
function readSections(module: Uint8Array): readonly Section[] {
  if (new DataView(module.buffer, module.byteOffset).getUint32(0) !== 0x00_61_73_6d)
    throw new Error('not a WebAssembly module')
  const found: Section[] = []
  for (let at = headerBytes; at < module.length; ) {
    const id = module[at]!
    const [length, start] = readNumber(module, at + 1)
    found.push({ id, content: module.subarray(start, start + length) })
    at = start + length
  }
  return found
}

/** The module of such sections; `changed` gives the new content of some. */
export function writeSections(
  module: Uint8Array,
  changed: (section: Section) => Uint8Array = ({ content }) => content,
): Uint8Array {
  const parts = [module.subarray(0, headerBytes)]
  for (const section of readSections(module)) {
    const content = changed(section)
    parts.push(Uint8Array.of(section.id), writeNumber(content.length), content)
  }
  return joined(parts)
}

export function readCode(module: Uint8Array): Uint8Array {
  return readSections(module).find(({ id }) => id === sections.code)!.content
}

/** The bodies of the functions that the module defines, each with its locals and without its length. */
export function readBodies(code: Uint8Array): Uint8Array[] {
  const [count, first] = readNumber(code, 0)
  let at = first
  return Array.from({ length: count }, () => {
    const [length, start] = readNumber(code, at)
    at = start + length
    return code.subarray(start, at)
  })
}

export function writeBodies(bodies: readonly Uint8Array[]): Uint8Array {
  return joined([writeNumber(bodies.length), ...bodies.flatMap((body) => [writeNumber(body.length), body])])
}

/** How many functions are imported: the first own one has this number. */
export function importedFunctions(module: Uint8Array): number {
  return importsOf(module, 'function')
}

/** How many globals are imported, which come before the module's own. */
export function importedGlobals(module: Uint8Array): number {
  return importsOf(module, 'global')
}

function importsOf(module: Uint8Array, wanted: WebAssembly.ImportExportKind): number {
  const compiled = new WebAssembly.Module(module as BufferSource)
  return WebAssembly.Module.imports(compiled).filter(({ kind }) => kind === wanted).length
}

/** An unsigned LEB128 number, and where what follows begins. */
export function readNumber(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return [value, at]
  }
}

export function writeNumber(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push((rest % 128) | (rest >= 128 ? 0x80 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return Uint8Array.from(bytes)
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
