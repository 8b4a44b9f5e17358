/** The forms in which an embedding might be stored in clear text, each cut down to a unique piece. */
export function tracesOf(embedding: Float32Array): { form: string; bytes: Buffer }[] {
  const little = Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength)
  const big = Buffer.from(little).swap32()
  const half = halves(embedding)
  return [
    ...binary('float32 LE', little),
    ...binary('float32 BE', big),
    ...binary('float16 LE', half),
    ...binary('float16 BE', Buffer.from(half).swap16()),
    ...binary('float64 LE', Buffer.from(Float64Array.from(embedding).buffer)),
    ...[0, 100, 400].map((start) => ({
      form: `decimal text from ${start}`,
      bytes: Buffer.from([...embedding.subarray(start, start + 2)].join(',')),
    })),
    { form: 'decimal text, rounded', bytes: Buffer.from(embedding[0]!.toString().slice(0, 9)) },
  ]
}

/** The raw bytes at several offsets, and their Base64 form at each of its three alignments. */
function binary(form: string, bytes: Buffer): { form: string; bytes: Buffer }[] {
  return [0, bytes.length / 2].flatMap((start) => {
    const piece = bytes.subarray(start, start + 24)
    return [
      { form: `${form} from ${start}`, bytes: piece },
      { form: `${form} from ${start}, hexadecimal`, bytes: Buffer.from(piece.toString('hex')) },
      ...[0, 1, 2].flatMap((shift) => base64At(piece, shift, `${form} from ${start}`)),
    ]
  })
}

function base64At(piece: Buffer, shift: number, form: string) {
  const shifted = Buffer.concat([Buffer.alloc(shift), piece])
  return (['base64', 'base64url'] as const).map((encoding) => {
    const text = shifted.toString(encoding).slice(4, -4)
    return { form: `${form}, ${encoding} at ${shift}`, bytes: Buffer.from(text) }
  })
}

/** IEEE 754 half-precision values, rounded to the nearest. */
function halves(embedding: Float32Array): Buffer {
  const half = Buffer.alloc(embedding.length * 2)
  for (const [i, value] of embedding.entries()) half.writeUInt16LE(halfOf(value), i * 2)
  return half
}

function halfOf(value: number): number {
  const sign = value < 0 ? 0x8000 : 0
  const size = Math.abs(value)
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24)
  const exponent = Math.floor(Math.log2(size))
  return sign | (((exponent + 15) << 10) + Math.round((size / 2 ** exponent - 1) * 1024))
}
