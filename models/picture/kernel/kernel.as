/**
 * Operations on every pixel of a picture. A pixel is a word, red in its lowest byte; addresses are bytes.
 * Uses no relaxed SIMD, so that every engine rounds the same way.
 */

/** Expands `count` pixels of three bytes to words; reads and writes up to 12 bytes past the end. */
export function widen(from: usize, count: i32, to: usize): void {
  const end = to + (<usize>count << 2)
  while (to < end) {
    const bytes = v128.load(from)
    const words = i8x16.shuffle(bytes, i8x16.splat(-1), 0, 1, 2, 16, 3, 4, 5, 16, 6, 7, 8, 16, 9, 10, 11, 16)
    v128.store(to, words)
    from += 12
    to += 16
  }
}

// @ts-ignore: decorator
@inline
function low(a: v128): v128 {
  return i16x8.extend_low_i8x16_u(a)
}

// @ts-ignore: decorator
@inline
function high(a: v128): v128 {
  return i16x8.extend_high_i8x16_u(a)
}

// @ts-ignore: decorator
@inline
function rounded(a: v128, b: v128, c: v128, d: v128): v128 {
  return i16x8.shr_u(i16x8.add(i16x8.add(i16x8.add(a, b), i16x8.add(c, d)), i16x8.splat(2)), 2)
}

// @ts-ignore: decorator
@inline
function mean(a: u32, b: u32, c: u32, d: u32): u32 {
  const pair: u32 = 0x00ff00ff
  const half: u32 = 0x00020002
  const even = (a & pair) + (b & pair) + (c & pair) + (d & pair) + half
  const odd = ((a >> 8) & pair) + ((b >> 8) & pair) + ((c >> 8) & pair) + ((d >> 8) & pair) + half
  return ((even >> 2) & pair) | (((odd >> 2) & pair) << 8)
}

/** Halves width and height, rounding down; each pixel is the rounded mean of four. */
export function halve(from: usize, width: i32, height: i32, to: usize): void {
  const stride = <usize>width << 2
  const across = width >> 1
  for (let y = 0; y < height >> 1; y++) {
    let above = from + <usize>(2 * y) * stride
    let x = 0
    for (; x + 4 <= across; x += 4, above += 32, to += 16) {
      const p = v128.load(above)
      const q = v128.load(above, 16)
      const r = v128.load(above + stride)
      const s = v128.load(above + stride, 16)
      const even = v128.shuffle<i32>(p, q, 0, 2, 4, 6)
      const odd = v128.shuffle<i32>(p, q, 1, 3, 5, 7)
      const evenBelow = v128.shuffle<i32>(r, s, 0, 2, 4, 6)
      const oddBelow = v128.shuffle<i32>(r, s, 1, 3, 5, 7)
      const first = rounded(low(even), low(odd), low(evenBelow), low(oddBelow))
      const second = rounded(high(even), high(odd), high(evenBelow), high(oddBelow))
      v128.store(to, i8x16.narrow_i16x8_u(first, second))
    }
    for (; x < across; x++, above += 8, to += 4) {
      const below = above + stride
      store<u32>(to, mean(load<u32>(above), load<u32>(above, 4), load<u32>(below), load<u32>(below, 4)))
    }
  }
}

/** The 16-bit weight that stands for 1 when neighbours in a row are mixed. */
const one: f32 = 16384

/** One channel of two pixels, each with its right neighbour, as 16-bit numbers. */
// @ts-ignore: decorator
@inline
function pairs01(words: v128): v128 {
  return i8x16.swizzle(words, i8x16(0, -1, 4, -1, 8, -1, 12, -1, 1, -1, 5, -1, 9, -1, 13, -1))
}

// @ts-ignore: decorator
@inline
function pairs2(words: v128): v128 {
  return i8x16.swizzle(words, i8x16(2, -1, 6, -1, 10, -1, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1))
}

/** One channel at four positions: mixed within each row by integer weights, then between the rows by floats. */
// @ts-ignore: decorator
@inline
function mixed(above: v128, below: v128, across: v128, fy: v128): v128 {
  const upper = f32x4.convert_i32x4_s(i32x4.dot_i16x8_s(above, across))
  const lower = f32x4.convert_i32x4_s(i32x4.dot_i16x8_s(below, across))
  return f32x4.add(upper, f32x4.mul(fy, f32x4.sub(lower, upper)))
}

/** Rounds numbers from 0 to 2^23 to integers: the low bits of their sum with 2^23. */
// @ts-ignore: decorator
@inline
function whole(values: v128): v128 {
  return v128.and(f32x4.add(values, f32x4.splat(8388608)), i32x4.splat(0x7fffff))
}

// @ts-ignore: decorator
@inline
function byteOf(word: u32, shift: u32): f32 {
  return <f32>((word >> shift) & 255)
}

/** The result of `lookUp`. */
let redAt: f32 = 0
let greenAt: f32 = 0
let blueAt: f32 = 0

/** The colour at a position: a mixture of four pixels, at the edge the nearest one, outside black. */
function lookUp(pixels: usize, width: i32, height: i32, x: f64, y: f64): void {
  redAt = 0
  greenAt = 0
  blueAt = 0
  if (x >= 0 && y >= 0 && x < <f64>(width - 1) && y < <f64>(height - 1)) {
    const left = <i32>x
    const top = <i32>y
    const fx = <f32>(x - <f64>left)
    const fy = <f32>(y - <f64>top)
    const above = pixels + (<usize>(top * width + left) << 2)
    const below = above + (<usize>width << 2)
    const p = load<u32>(above)
    const q = load<u32>(above, 4)
    const r = load<u32>(below)
    const s = load<u32>(below, 4)
    const gx = <f32>1 - fx
    const gy = <f32>1 - fy
    const wp = gx * gy
    const wq = fx * gy
    const wr = gx * fy
    const ws = fx * fy
    redAt = byteOf(p, 0) * wp + byteOf(q, 0) * wq + (byteOf(r, 0) * wr + byteOf(s, 0) * ws)
    greenAt = byteOf(p, 8) * wp + byteOf(q, 8) * wq + (byteOf(r, 8) * wr + byteOf(s, 8) * ws)
    blueAt = byteOf(p, 16) * wp + byteOf(q, 16) * wq + (byteOf(r, 16) * wr + byteOf(s, 16) * ws)
  } else if (x >= -1 && y >= -1 && x < <f64>width && y < <f64>height) {
    const column = min(max(<i32>floor(x), 0), width - 1)
    const row = min(max(<i32>floor(y), 0), height - 1)
    const word = load<u32>(pixels + (<usize>(row * width + column) << 2))
    redAt = byteOf(word, 0)
    greenAt = byteOf(word, 8)
    blueAt = byteOf(word, 16)
  }
}

/** The positions of a row that lie between four pixels: from `rowStart` to `rowEnd`, or a few less. */
let rowStart: i32 = 0
let rowEnd: i32 = 0

function narrow(start: f64, step: f64, last: f64): void {
  // Shrinks both ends by one position more than the maximum rounding error.
  const toZero = -start / step
  const toLast = (last - start) / step
  const from = ceil(min(toZero, toLast)) + 1
  const to = floor(max(toZero, toLast)) - 1
  // For a nearly zero step, both are outside the range of integers.
  rowStart = <i32>min(max(<f64>rowStart, from), <f64>i32.MAX_VALUE)
  rowEnd = <i32>max(min(<f64>rowEnd, to), 0)
}

/**
 * Samples `rows` rows of `size` positions of a picture at (a u + b v + tx, c u + d v + ty) for the centres of the crop's
 * pixels, minus half a pixel: each channel into a separate plane, times `scale`, plus `offset`.
 */
export function sample(
  pixels: usize, width: i32, height: i32,
  a: f64, b: f64, tx: f64, c: f64, d: f64, ty: f64,
  size: i32, rows: i32, scale: f32, offset: f32,
  red: usize, green: usize, blue: usize
): void {
  const lastX = <f64>(width - 1)
  const lastY = <f64>(height - 1)
  for (let v = 0; v < rows; v++) {
    const x = a * 0.5 + b * (<f64>v + 0.5) + tx - 0.5
    const y = c * 0.5 + d * (<f64>v + 0.5) + ty - 0.5
    rowStart = 0
    rowEnd = size
    if (a != 0) narrow(x, a, lastX)
    else if (x < 0 || x >= lastX) rowEnd = 0
    if (c != 0) narrow(y, c, lastY)
    else if (y < 0 || y >= lastY) rowEnd = 0
    if (c == 0 && (y < -1 || y > lastY + 1)) {
      fill(red, size, offset)
      fill(green, size, offset)
      fill(blue, size, offset)
      red += 4 * size
      green += 4 * size
      blue += 4 * size
      continue
    }
    let u = 0
    while (u < size) {
      if (u >= rowStart && u + 4 <= rowEnd) {
        const count = (rowEnd - u) >> 2
        const at = <f64>u
        fours(pixels, width, x + at * a, y + at * c, a, c, count, scale, offset, red, green, blue)
        u += 4 * count
        red += 16 * count
        green += 16 * count
        blue += 16 * count
        continue
      }
      lookUp(pixels, width, height, x + <f64>u * a, y + <f64>u * c)
      store<f32>(red, redAt * scale + offset)
      store<f32>(green, greenAt * scale + offset)
      store<f32>(blue, blueAt * scale + offset)
      u++
      red += 4
      green += 4
      blue += 4
    }
  }
}

function fill(to: usize, count: i32, value: f32): void {
  const end = to + (<usize>count << 2)
  for (; to < end; to += 4) store<f32>(to, value)
}

/** Four positions at a time along a row, all of them between four pixels. */
function fours(
  pixels: usize, width: i32,
  x: f64, y: f64, a: f64, c: f64, count: i32,
  scale: f32, offset: f32,
  red: usize, green: usize, blue: usize
): void {
  const stride = <usize>width << 2
  const widths = i32x4.splat(width)
  const scales = f32x4.splat(scale / one)
  const offsets = f32x4.splat(offset)
  const ones = f32x4.splat(one)
  const whole16384 = i32x4.splat(16384)
  const none = f32x4.splat(0)
  const counts = f32x4(0, 1, 2, 3)
  const steps = f32x4.demote_f64x2_zero(f64x2(a, c))
  const acrossX = f32x4.mul(counts, v128.shuffle<i32>(steps, steps, 0, 0, 0, 0))
  const acrossY = f32x4.mul(counts, v128.shuffle<i32>(steps, steps, 1, 1, 1, 1))
  const least = f64x2(a < 0 ? 3 * a : 0, c < 0 ? 3 * c : 0)
  const step = f64x2(4 * a, 4 * c)
  const end = red + (<usize>count << 4)
  // Two numbers at a time even if one would do, because scalar instructions depend on the register's previous value.
  let place = f64x2(x, y)
  for (; red < end; red += 16, green += 16, blue += 16, place = f64x2.add(place, step)) {
    // Relative to a nearby pixel, 32 bits are precise enough for a position within a pixel.
    const base = i32x4.trunc_sat_f64x2_s_zero(f64x2.add(place, least))
    const beyond = f32x4.demote_f64x2_zero(f64x2.sub(place, f64x2.convert_low_i32x4_s(base)))
    // Rounding may make the lowest of them negative.
    const fromX = f32x4.pmax(f32x4.add(v128.shuffle<i32>(beyond, beyond, 0, 0, 0, 0), acrossX), none)
    const fromY = f32x4.pmax(f32x4.add(v128.shuffle<i32>(beyond, beyond, 1, 1, 1, 1), acrossY), none)
    const wholeX = f32x4.floor(fromX)
    const wholeY = f32x4.floor(fromY)
    const fx = f32x4.sub(fromX, wholeX)
    const fy = f32x4.sub(fromY, wholeY)
    const places = i32x4.shl(i32x4.add(i32x4.mul(whole(wholeY), widths), whole(wholeX)), 2)
    const origin = pixels + (<usize>(i32x4.extract_lane(base, 1) * width + i32x4.extract_lane(base, 0)) << 2)
    const at0 = origin + i32x4.extract_lane(places, 0)
    const at1 = origin + i32x4.extract_lane(places, 1)
    const at2 = origin + i32x4.extract_lane(places, 2)
    const at3 = origin + i32x4.extract_lane(places, 3)
    const above01 = v128.load64_lane(at1, v128.load64_zero(at0), 1)
    const above23 = v128.load64_lane(at3, v128.load64_zero(at2), 1)
    const below01 = v128.load64_lane(at1 + stride, v128.load64_zero(at0 + stride), 1)
    const below23 = v128.load64_lane(at3 + stride, v128.load64_zero(at2 + stride), 1)
    const upper01 = pairs01(above01)
    const upper23 = pairs01(above23)
    const lower01 = pairs01(below01)
    const lower23 = pairs01(below23)
    // The weight of the right neighbour in the high half of each lane, that of the left one in the low half.
    const right = whole(f32x4.mul(fx, ones))
    const across = v128.or(i32x4.shl(right, 16), i32x4.sub(whole16384, right))
    const reds = mixed(v128.shuffle<i64>(upper01, upper23, 0, 2), v128.shuffle<i64>(lower01, lower23, 0, 2), across, fy)
    const greens = mixed(v128.shuffle<i64>(upper01, upper23, 1, 3), v128.shuffle<i64>(lower01, lower23, 1, 3), across, fy)
    const blues = mixed(
      v128.shuffle<i64>(pairs2(above01), pairs2(above23), 0, 2),
      v128.shuffle<i64>(pairs2(below01), pairs2(below23), 0, 2),
      across,
      fy,
    )
    v128.store(red, f32x4.add(f32x4.mul(reds, scales), offsets))
    v128.store(green, f32x4.add(f32x4.mul(greens, scales), offsets))
    v128.store(blue, f32x4.add(f32x4.mul(blues, scales), offsets))
  }
}

/** ITU-R BT.601 luma of three planes of `count` numbers each, a multiple of four, times `scale`, plus `offset`. */
export function grey(reds: usize, greens: usize, blues: usize, count: i32, scale: f32, offset: f32, to: usize): void {
  const plane = <usize>count << 2
  const red = f32x4.splat(<f32>0.299 * scale)
  const green = f32x4.splat(<f32>0.587 * scale)
  const blue = f32x4.splat(<f32>0.114 * scale)
  const offsets = f32x4.splat(offset)
  for (let at: usize = 0; at < plane; at += 16) {
    const r = f32x4.mul(v128.load(reds + at), red)
    const g = f32x4.mul(v128.load(greens + at), green)
    const b = f32x4.mul(v128.load(blues + at), blue)
    v128.store(to + at, f32x4.add(f32x4.add(r, g), f32x4.add(b, offsets)))
  }
}

/** Blurs rows with a symmetric kernel of seven weights, given from the outermost in; edges repeat. */
export function blurRows(from: usize, to: usize, width: i32, rows: i32, a: f32, b: f32, c: f32, d: f32): void {
  const last = width - 1
  for (let row = 0; row < rows; row++) {
    let x = 0
    while (x < width) {
      const at = <usize>x << 2
      if (x >= 3 && x + 7 <= width) {
        const p = from + at
        const outer = f32x4.mul(f32x4.add(v128.load(p - 12), v128.load(p, 12)), f32x4.splat(a))
        const middle = f32x4.mul(f32x4.add(v128.load(p - 8), v128.load(p, 8)), f32x4.splat(b))
        const inner = f32x4.mul(f32x4.add(v128.load(p - 4), v128.load(p, 4)), f32x4.splat(c))
        const own = f32x4.mul(v128.load(p), f32x4.splat(d))
        v128.store(to + at, f32x4.add(f32x4.add(outer, middle), f32x4.add(inner, own)))
        x += 4
        continue
      }
      const outer = near(from, x - 3, last) + near(from, x + 3, last)
      const middle = near(from, x - 2, last) + near(from, x + 2, last)
      const inner = near(from, x - 1, last) + near(from, x + 1, last)
      store<f32>(to + at, outer * a + middle * b + (inner * c + near(from, x, last) * d))
      x++
    }
    from += <usize>width << 2
    to += <usize>width << 2
  }
}

// @ts-ignore: decorator
@inline
function near(row: usize, x: i32, last: i32): f32 {
  return load<f32>(row + (<usize>min(max(x, 0), last) << 2))
}

/** Like `blurRows`, along the columns of one plane; `width` is a multiple of four. */
export function blurColumns(from: usize, to: usize, width: i32, height: i32, a: f32, b: f32, c: f32, d: f32): void {
  const stride = <usize>width << 2
  const last = height - 1
  for (let y = 0; y < height; y++) {
    const p = from + <usize>max(y - 3, 0) * stride
    const q = from + <usize>max(y - 2, 0) * stride
    const r = from + <usize>max(y - 1, 0) * stride
    const s = from + <usize>y * stride
    const t = from + <usize>min(y + 1, last) * stride
    const u = from + <usize>min(y + 2, last) * stride
    const v = from + <usize>min(y + 3, last) * stride
    for (let at: usize = 0; at < stride; at += 16) {
      const outer = f32x4.mul(f32x4.add(v128.load(p + at), v128.load(v + at)), f32x4.splat(a))
      const middle = f32x4.mul(f32x4.add(v128.load(q + at), v128.load(u + at)), f32x4.splat(b))
      const inner = f32x4.mul(f32x4.add(v128.load(r + at), v128.load(t + at)), f32x4.splat(c))
      const own = f32x4.mul(v128.load(s + at), f32x4.splat(d))
      v128.store(to + at, f32x4.add(f32x4.add(outer, middle), f32x4.add(inner, own)))
    }
    to += stride
  }
}

/** Mirrors rows left to right; their length is a multiple of four. */
export function mirror(from: usize, to: usize, width: i32, rows: i32): void {
  const row = <usize>width << 2
  for (let i = 0; i < rows; i++) {
    for (let at: usize = 0; at < row; at += 16) {
      const numbers = v128.load(from + at)
      v128.store(to + row - 16 - at, v128.shuffle<i32>(numbers, numbers, 3, 2, 1, 0))
    }
    from += row
    to += row
  }
}

/** The absolute response of the mask 1 -2 1, -2 4 -2, 1 -2 1 at every inner pixel, row by row. */
export function noise(grey: usize, width: i32, height: i32, to: usize): void {
  const stride = <usize>width << 2
  const two = f32x4.splat(2)
  const inside = width - 2
  for (let y = 1; y < height - 1; y++) {
    let p = grey + <usize>y * stride + 4
    let x = 0
    for (; x + 4 <= inside; x += 4, p += 16, to += 16) {
      const above = p - stride
      const below = p + stride
      const left = f32x4.add(v128.load(above - 4), v128.load(below - 4))
      const right = f32x4.add(v128.load(above, 4), v128.load(below, 4))
      const across = f32x4.add(v128.load(p - 4), v128.load(p, 4))
      const sides = f32x4.add(f32x4.add(v128.load(above), v128.load(below)), across)
      const own = f32x4.mul(v128.load(p), f32x4.splat(4))
      const answer = f32x4.add(f32x4.sub(f32x4.add(left, right), f32x4.mul(sides, two)), own)
      v128.store(to, f32x4.abs(answer))
    }
    for (; x < inside; x++, p += 4, to += 4) {
      const above = p - stride
      const below = p + stride
      const corners = load<f32>(above - 4) + load<f32>(above, 4) + load<f32>(below - 4) + load<f32>(below, 4)
      const sides = load<f32>(above) + load<f32>(below) + load<f32>(p - 4) + load<f32>(p, 4)
      store<f32>(to, abs(corners - 2 * sides + 4 * load<f32>(p)))
    }
  }
}
