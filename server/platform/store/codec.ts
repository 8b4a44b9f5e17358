/** Serialises one kind of record. Each record carries its schema version. */
export interface Codec<T> {
  encode(value: T): Uint8Array
  /** @throws if the record has a schema that this version does not know */
  decode(bytes: Uint8Array): T
}

const schema = 1

export function jsonCodec<T>(): Codec<T> {
  return {
    encode: (value) => Buffer.from(JSON.stringify({ schema, value })),
    decode(bytes) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
      const record = parse(text) as { schema: number; value: T }
      if (record.schema !== schema) throw unknownSchema(record.schema)
      return record.value
    },
  }
}

export function unknownSchema(found: number): Error {
  return new Error(`A record has schema ${found}, which this version cannot read`)
}

/** The parser's own message would quote the record in the log. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('A record of the store is damaged and cannot be read')
  }
}
