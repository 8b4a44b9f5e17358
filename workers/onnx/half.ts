/** IEEE 754 half precision in integer arithmetic, so that the bits are the same on every machine. */

const scratch = new DataView(new ArrayBuffer(4))

/** Rounds to nearest, ties to even. Values that are too large become infinite. */
export function toHalf(value: number): number {
  scratch.setFloat32(0, value)
  const bits = scratch.getUint32(0)
  const sign = (bits >>> 16) & 0x8000
  const exponent = ((bits >>> 23) & 0xff) - 112
  const mantissa = bits & 0x7fffff
  if (exponent >= 31) return sign | 0x7c00 | (Number.isNaN(value) ? 0x200 : 0)
  if (exponent > 0) return sign | roundShift((exponent << 23) | mantissa, 13)
  if (exponent < -10) return sign
  return sign | roundShift(mantissa | 0x800000, 14 - exponent)
}

/** A carry out of the mantissa increments the exponent, which is the correct way to round up. */
function roundShift(bits: number, shift: number): number {
  const half = 2 ** (shift - 1)
  const rest = bits % (half * 2)
  const kept = Math.floor(bits / (half * 2))
  const up = rest > half || (rest === half && kept % 2 === 1)
  return up ? kept + 1 : kept
}

export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >>> 10) & 31
  const mantissa = bits & 0x3ff
  if (exponent === 0) return sign * mantissa * 2 ** -24
  if (exponent === 31) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15)
}
