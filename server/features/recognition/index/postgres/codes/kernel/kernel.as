// AssemblyScript: `npm run kernel` compiles it to compiled-kernel.ts.

/** Number of differing bits, summed per lane. A code has at most 31 vectors, so no lane overflows its byte. */
// @ts-ignore: decorator
@inline
function differences(code: usize, query: usize, bytes: usize): v128 {
  let lanes = i8x16.splat(0)
  for (let at: usize = 0; at < bytes; at += 16) {
    lanes = i8x16.add(lanes, i8x16.popcnt(v128.xor(v128.load(code + at), v128.load(query + at))))
  }
  return lanes
}

/** The same for 512 bits, without a loop. */
// @ts-ignore: decorator
@inline
function differencesOf512(code: usize, query: usize): v128 {
  const first = i8x16.popcnt(v128.xor(v128.load(code), v128.load(query)))
  const second = i8x16.popcnt(v128.xor(v128.load(code, 16), v128.load(query, 16)))
  const third = i8x16.popcnt(v128.xor(v128.load(code, 32), v128.load(query, 32)))
  const fourth = i8x16.popcnt(v128.xor(v128.load(code, 48), v128.load(query, 48)))
  return i8x16.add(i8x16.add(first, second), i8x16.add(third, fourth))
}

// @ts-ignore: decorator
@inline
function sumOf(lanes: v128): i32 {
  const four = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(lanes))
  const two = i64x2.add(four, v128.shuffle<i32>(four, four, 2, 3, 2, 3))
  return i32x4.extract_lane(two, 0) + i32x4.extract_lane(two, 1)
}

/**
 * Writes the number of each of `count` consecutive codes that differs from the query in at most `most` bits; returns how many.
 * A code has a multiple of 16 bytes.
 */
export function near(codes: usize, count: i32, bytes: i32, query: usize, most: i32, found: usize): i32 {
  let reached: i32 = 0
  for (let i: i32 = 0; i < count; i++, codes += <usize>bytes) {
    const lanes = bytes == 64 ? differencesOf512(codes, query) : differences(codes, query, <usize>bytes)
    store<i32>(found + (reached << 2), i)
    reached += i32(sumOf(lanes) <= most)
  }
  return reached
}
