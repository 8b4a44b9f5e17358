// AssemblyScript: `npm run kernel` compiles it to compiled-kernel.ts, once for each instruction set.
//
// [Note: Codes of four bits] 128 codes from 0 to 15 per row, eight rows interleaved in a block of 512 bytes: 32 groups of 16
// bytes. Each group has two bytes per row, with the codes 4g and 4g + 1 in their low halves and 4g + 2 and 4g + 3 in their
// high halves. A query is 128 integers whose absolute values sum to at most 2,184, so that no sum with a row exceeds
// 16 bits. It is distributed over the lanes by `writeQuery`.

const rowsOfBlock: i32 = 8
const bytesOfBlock: usize = 512

/** The products of a group's low halves, of bytes. */
// @ts-ignore: decorator
@inline
function lowBytes(codes: v128, weights: usize): v128 {
  return i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(weights), v128.and(codes, i8x16.splat(15)))
}

/** The products of its high halves. */
// @ts-ignore: decorator
@inline
function highBytes(codes: v128, weights: usize): v128 {
  return i16x8.relaxed_dot_i8x16_i7x16_s(
    v128.load(weights, 16),
    v128.and(i16x8.shr_u(codes, 4), i8x16.splat(15)),
  )
}

/** The sums of eight rows, using products of bytes; four groups at a time, because the compiler does not unroll loops. */
// @ts-ignore: decorator
@inline
function sumsOfBytes(block: usize, query: usize): v128 {
  let lower = i16x8.splat(0)
  let upper = i16x8.splat(0)
  for (const end = block + bytesOfBlock; block < end; block += 64, query += 128) {
    const first = v128.load(block)
    const second = v128.load(block, 16)
    const third = v128.load(block, 32)
    const fourth = v128.load(block, 48)
    lower = i16x8.add(lower, lowBytes(first, query))
    upper = i16x8.add(upper, highBytes(first, query))
    lower = i16x8.add(lower, lowBytes(second, query + 32))
    upper = i16x8.add(upper, highBytes(second, query + 32))
    lower = i16x8.add(lower, lowBytes(third, query + 64))
    upper = i16x8.add(upper, highBytes(third, query + 64))
    lower = i16x8.add(lower, lowBytes(fourth, query + 96))
    upper = i16x8.add(upper, highBytes(fourth, query + 96))
  }
  return i16x8.add(lower, upper)
}

/** The products of a group, of words. */
// @ts-ignore: decorator
@inline
function words(codes: v128, weights: usize): v128 {
  const low = i16x8.splat(15)
  const even = i16x8.add(
    i16x8.mul(v128.load(weights), v128.and(codes, low)),
    i16x8.mul(v128.load(weights, 16), v128.and(i16x8.shr_u(codes, 4), low)),
  )
  const odd = i16x8.add(
    i16x8.mul(v128.load(weights, 32), v128.and(i16x8.shr_u(codes, 8), low)),
    i16x8.mul(v128.load(weights, 48), i16x8.shr_u(codes, 12)),
  )
  return i16x8.add(even, odd)
}

/** The same with 16-bit products. Intermediate overflow wraps back, because the final sum fits. */
// @ts-ignore: decorator
@inline
function sumsOfWords(block: usize, query: usize): v128 {
  let lower = i16x8.splat(0)
  let upper = i16x8.splat(0)
  for (const end = block + bytesOfBlock; block < end; block += 64, query += 256) {
    lower = i16x8.add(lower, words(v128.load(block), query))
    upper = i16x8.add(upper, words(v128.load(block, 16), query + 64))
    lower = i16x8.add(lower, words(v128.load(block, 32), query + 128))
    upper = i16x8.add(upper, words(v128.load(block, 48), query + 192))
  }
  return i16x8.add(lower, upper)
}

// @ts-ignore: decorator
@inline
function sums(block: usize, query: usize): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return sumsOfBytes(block, query)
  return sumsOfWords(block, query)
}

/** Writes the number of each row whose sum with the query reaches the limit, of 16 bits; `rows` is a multiple of eight. */
export function scan(codes: usize, rows: i32, query: usize, limit: i32, found: usize): i32 {
  const least = i16x8.splat(<i16>limit)
  let count: i32 = 0
  for (let row: i32 = 0; row < rows; row += rowsOfBlock, codes += bytesOfBlock) {
    let reached = i16x8.bitmask(i16x8.ge_s(sums(codes, query), least))
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

/** Writes the dot product of each of `count` consecutive vectors with one. */
export function dots(vectors: usize, count: i32, vector: usize, length: i32, products: usize): void {
  for (let i: i32 = 0; i < count; i++, vectors += (<usize>length) << 2) {
    store<f32>(products + (i << 2), dot(vectors, vector, length))
  }
}

/** a + b * c per lane; as one instruction if the engine has it. */
// @ts-ignore: decorator
@inline
function plusProduct(sum: v128, a: v128, b: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, sum)
  return f32x4.add(sum, f32x4.mul(a, b))
}

/** The sums of four vectors' lanes, side by side. */
// @ts-ignore: decorator
@inline
function sumsOf(a: v128, b: v128, c: v128, d: v128): v128 {
  const first = f32x4.add(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7))
  const second = f32x4.add(v128.shuffle<f32>(c, d, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 2, 6, 3, 7))
  return f32x4.add(v128.shuffle<f32>(first, second, 0, 1, 4, 5), v128.shuffle<f32>(first, second, 2, 3, 6, 7))
}

/**
 * Writes the dot products of vectors with each row of a basis, vector after vector. Processes two vectors and four rows at a
 * time to reuse loaded values, so `count` must be a multiple of two, `rows` of four, `length` of four.
 */
export function project(vectors: usize, count: i32, basis: usize, rows: i32, length: i32, products: usize): void {
  const bytes = (<usize>length) << 2
  const width = (<usize>rows) << 2
  for (let row: i32 = 0; row < rows; row += 4, basis += bytes << 2, products += 16) {
    let out = products
    let x = vectors
    for (let i: i32 = 0; i < count; i += 2, x += bytes << 1, out += width << 1) {
      let a0 = f32x4.splat(0)
      let a1 = f32x4.splat(0)
      let a2 = f32x4.splat(0)
      let a3 = f32x4.splat(0)
      let b0 = f32x4.splat(0)
      let b1 = f32x4.splat(0)
      let b2 = f32x4.splat(0)
      let b3 = f32x4.splat(0)
      for (let k: usize = 0; k < bytes; k += 16) {
        const a = v128.load(x + k)
        const b = v128.load(x + bytes + k)
        let at = basis + k
        const r0 = v128.load(at)
        a0 = plusProduct(a0, a, r0)
        b0 = plusProduct(b0, b, r0)
        at += bytes
        const r1 = v128.load(at)
        a1 = plusProduct(a1, a, r1)
        b1 = plusProduct(b1, b, r1)
        at += bytes
        const r2 = v128.load(at)
        a2 = plusProduct(a2, a, r2)
        b2 = plusProduct(b2, b, r2)
        at += bytes
        const r3 = v128.load(at)
        a3 = plusProduct(a3, a, r3)
        b3 = plusProduct(b3, b, r3)
      }
      v128.store(out, sumsOf(a0, a1, a2, a3))
      v128.store(out + width, sumsOf(b0, b1, b2, b3))
    }
  }
}

/** The squares of four numbers, as two sums in double precision. */
// @ts-ignore: decorator
@inline
function plusSquares(sum: v128, values: v128): v128 {
  const low = f64x2.promote_low_f32x4(values)
  const high = f64x2.promote_low_f32x4(v128.shuffle<f32>(values, values, 2, 3, 2, 3))
  return f64x2.add(sum, f64x2.add(f64x2.mul(low, low), f64x2.mul(high, high)))
}

/**
 * Encodes projections of 128 numbers as rows of a block, starting with the row at the address `codes` in its first group.
 * Writes three double-precision sums of squares per row: of its codes relative to their midpoint, of their errors, and of
 * the projection. For each group of four numbers, `book` has the divisors, the size of a step, and the midpoint.
 */
export function encode(projections: usize, count: i32, book: usize, codes: usize, sums: usize): void {
  const highest = f32x4.splat(15)
  const half = f32x4.splat(0.5)
  for (let row: i32 = 0; row < count; row++, codes += 2, sums += 24) {
    let codeSquares = f64x2.splat(0)
    let errorSquares = f64x2.splat(0)
    let squares = f64x2.splat(0)
    let at = book
    for (let group: usize = 0; group < 32; group++, projections += 16, at += 48) {
      const values = v128.load(projections)
      const middle = v128.load(at, 32)
      const exact = f32x4.add(f32x4.mul(values, v128.load(at)), f32x4.add(middle, half))
      const rounded = f32x4.max(f32x4.min(f32x4.floor(exact), highest), f32x4.splat(0))
      const whole = i32x4.trunc_sat_f32x4_s(rounded)
      const fromMiddle = f32x4.sub(rounded, middle)
      codeSquares = plusSquares(codeSquares, fromMiddle)
      errorSquares = plusSquares(errorSquares, f32x4.sub(values, f32x4.mul(v128.load(at, 16), fromMiddle)))
      squares = plusSquares(squares, values)
      store<u16>(
        codes + (group << 4),
        <u16>(
          (i32x4.extract_lane(whole, 0) |
            (i32x4.extract_lane(whole, 2) << 4) |
            (i32x4.extract_lane(whole, 1) << 8) |
            (i32x4.extract_lane(whole, 3) << 12))
        ),
      )
    }
    store<f64>(sums, f64x2.extract_lane(codeSquares, 0) + f64x2.extract_lane(codeSquares, 1))
    store<f64>(sums, f64x2.extract_lane(errorSquares, 0) + f64x2.extract_lane(errorSquares, 1), 8)
    store<f64>(sums, f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1), 16)
  }
}
