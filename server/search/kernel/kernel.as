// AssemblyScript: `npm run kernel` compiles it to compiled-kernel.ts, once for each instruction set.
//
// [Note: Codes of four bits] A row is 64 bytes, 128 codes from 0 to 15: vector v of 16 bytes holds the codes 32v to
// 32v + 15 in the low halves of its bytes and the next 16 in the high halves. A query is 128 whole numbers from -127
// to 127 in the same order; its sum with a row fits into 16 bits (128 x 127 x 15 / 8 lanes = 30,480).

/** So many rows are summed side by side. */
const rowsAtOnce: i32 = 4
const bytesOfRow: usize = 64

/** Four partial sums of one row, with products of bytes. */
// @ts-ignore: decorator
@inline
function sumsOfBytes(row: usize, query: usize): v128 {
  const low = i8x16.splat(15)
  let even = i16x8.splat(0)
  let odd = i16x8.splat(0)
  for (let v: usize = 0; v < 4; v++) {
    const codes = v128.load(row + (v << 4))
    even = i16x8.add(even, i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(query + (v << 5)), v128.and(codes, low)))
    odd = i16x8.add(
      odd,
      i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(query + (v << 5) + 16), v128.and(i16x8.shr_u(codes, 4), low)),
    )
  }
  return i32x4.dot_i16x8_s(i16x8.add(even, odd), i16x8.splat(1))
}

/**
 * The same with products of 16 bits: a lane holds four codes, and the query comes as 16-bit numbers, for each vector
 * those of the first, second, third and fourth code of its lanes. What is multiplied in its place is shifted back in
 * the sum.
 */
// @ts-ignore: decorator
@inline
function sumsOfWords(row: usize, query: usize): v128 {
  let first = i32x4.splat(0)
  let second = i32x4.splat(0)
  let third = i32x4.splat(0)
  for (let v: usize = 0; v < 4; v++) {
    const codes = v128.load(row + (v << 4))
    const weights = query + (v << 6)
    first = i32x4.add(first, i32x4.dot_i16x8_s(v128.and(codes, i16x8.splat(0x000f)), v128.load(weights)))
    second = i32x4.add(second, i32x4.dot_i16x8_s(v128.and(codes, i16x8.splat(0x00f0)), v128.load(weights, 16)))
    third = i32x4.add(third, i32x4.dot_i16x8_s(v128.and(codes, i16x8.splat(0x0f00)), v128.load(weights, 32)))
    first = i32x4.add(first, i32x4.dot_i16x8_s(i16x8.shr_u(codes, 12), v128.load(weights, 48)))
  }
  return i32x4.add(first, i32x4.add(i32x4.shr_s(second, 4), i32x4.shr_s(third, 8)))
}

// @ts-ignore: decorator
@inline
function sums(row: usize, query: usize): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return sumsOfBytes(row, query)
  return sumsOfWords(row, query)
}

/** Writes the number of each row whose sum with the query reaches the limit; `rows` is a multiple of four. */
export function scan(codes: usize, rows: i32, query: usize, limit: i32, found: usize): i32 {
  const least = i32x4.splat(limit)
  let count: i32 = 0
  for (let row: i32 = 0; row < rows; row += rowsAtOnce, codes += bytesOfRow * rowsAtOnce) {
    const a = sums(codes, query)
    const b = sums(codes + bytesOfRow, query)
    const c = sums(codes + bytesOfRow * 2, query)
    const d = sums(codes + bytesOfRow * 3, query)
    const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 1, 4, 5), v128.shuffle<i32>(a, b, 2, 3, 6, 7))
    const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 1, 4, 5), v128.shuffle<i32>(c, d, 2, 3, 6, 7))
    const sum = i32x4.add(v128.shuffle<i32>(ab, cd, 0, 2, 4, 6), v128.shuffle<i32>(ab, cd, 1, 3, 5, 7))
    let reached = i32x4.bitmask(i32x4.ge_s(sum, least))
    while (reached) {
      store<i32>(found + (count << 2), row + ctz(reached))
      count++
      reached &= reached - 1
    }
  }
  return count
}

/** Dot product of two vectors of 32-bit numbers; `length` is a multiple of 16. */
export function dot(a: usize, b: usize, length: i32): f32 {
  let first = f32x4.splat(0)
  let second = f32x4.splat(0)
  let third = f32x4.splat(0)
  let fourth = f32x4.splat(0)
  const end = a + ((<usize>length) << 2)
  for (; a < end; a += 64, b += 64) {
    first = f32x4.add(first, f32x4.mul(v128.load(a), v128.load(b)))
    second = f32x4.add(second, f32x4.mul(v128.load(a, 16), v128.load(b, 16)))
    third = f32x4.add(third, f32x4.mul(v128.load(a, 32), v128.load(b, 32)))
    fourth = f32x4.add(fourth, f32x4.mul(v128.load(a, 48), v128.load(b, 48)))
  }
  const sum = f32x4.add(f32x4.add(first, second), f32x4.add(third, fourth))
  return (
    f32x4.extract_lane(sum, 0) +
    f32x4.extract_lane(sum, 1) +
    (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  )
}

/** Writes the dot product of each of so many vectors, one behind the other, with one. */
export function dots(vectors: usize, count: i32, vector: usize, length: i32, products: usize): void {
  for (let i: i32 = 0; i < count; i++, vectors += (<usize>length) << 2) {
    store<f32>(products + (i << 2), dot(vectors, vector, length))
  }
}
