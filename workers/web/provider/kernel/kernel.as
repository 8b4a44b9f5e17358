/**
 * The operators of the page's networks, on pictures with interleaved channels: a pixel is `channels` floats, a multiple of
 * four, padded with zeros. Addresses and strides are in bytes, `channels` counts floats.
 *
 * [Note: Fused where there is relaxed SIMD] There, a product and a sum are one instruction; elsewhere they are two and round twice.
 */

// @ts-ignore: decorator
@inline
function fused(a: v128, b: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, sum)
  return f32x4.add(f32x4.mul(a, b), sum)
}

// @ts-ignore: decorator
@inline
function splat(address: usize): v128 {
  return v128.load_splat<f32>(address)
}

/** Multiplies negative values by the slope of their channel; `slopes` is 0 without an activation. */
// @ts-ignore: decorator
@inline
function activated(value: v128, slopes: usize): v128 {
  if (slopes == 0) return value
  const sloped = f32x4.mul(value, v128.load(slopes))
  return v128.bitselect(sloped, value, f32x4.lt(value, f32x4.splat(0)))
}

/** The parameters of a matrix product: the strides of its rows, and the terms and activation applied at the end. */
let strideIn: usize = 0
let strideOut: usize = 0
let residual: usize = 0
let strideResidual: usize = 0
let residualBytes: usize = 0
let slopesOf: usize = 0
let depth: usize = 0

// @ts-ignore: decorator
@inline
function finish(value: v128, out: usize, row: usize, column: usize, slopes: usize): void {
  if (residual != 0 && column < residualBytes)
    value = f32x4.add(value, v128.load(residual + row * strideResidual + column))
  v128.store(out + row * strideOut + column, activated(value, slopes))
}

/** Six rows by eight columns. */
function sixByEight(input: usize, weights: usize, bias: usize, out: usize, row: usize, column: usize): void {
  let r0 = input + row * strideIn
  let r1 = r0 + strideIn
  let r2 = r1 + strideIn
  let r3 = r2 + strideIn
  let r4 = r3 + strideIn
  let r5 = r4 + strideIn
  let a0 = v128.load(bias)
  let b0 = v128.load(bias, 16)
  let a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0
  let b1 = b0, b2 = b0, b3 = b0, b4 = b0, b5 = b0
  const end = weights + depth * 32
  while (weights < end) {
    let x: v128
    let p = v128.load(weights)
    let q = v128.load(weights, 16)
    x = v128.load_splat<f32>(r0, 0); a0 = fused(x, p, a0); b0 = fused(x, q, b0)
    x = v128.load_splat<f32>(r1, 0); a1 = fused(x, p, a1); b1 = fused(x, q, b1)
    x = v128.load_splat<f32>(r2, 0); a2 = fused(x, p, a2); b2 = fused(x, q, b2)
    x = v128.load_splat<f32>(r3, 0); a3 = fused(x, p, a3); b3 = fused(x, q, b3)
    x = v128.load_splat<f32>(r4, 0); a4 = fused(x, p, a4); b4 = fused(x, q, b4)
    x = v128.load_splat<f32>(r5, 0); a5 = fused(x, p, a5); b5 = fused(x, q, b5)
    p = v128.load(weights, 32)
    q = v128.load(weights, 48)
    x = v128.load_splat<f32>(r0, 4); a0 = fused(x, p, a0); b0 = fused(x, q, b0)
    x = v128.load_splat<f32>(r1, 4); a1 = fused(x, p, a1); b1 = fused(x, q, b1)
    x = v128.load_splat<f32>(r2, 4); a2 = fused(x, p, a2); b2 = fused(x, q, b2)
    x = v128.load_splat<f32>(r3, 4); a3 = fused(x, p, a3); b3 = fused(x, q, b3)
    x = v128.load_splat<f32>(r4, 4); a4 = fused(x, p, a4); b4 = fused(x, q, b4)
    x = v128.load_splat<f32>(r5, 4); a5 = fused(x, p, a5); b5 = fused(x, q, b5)
    p = v128.load(weights, 64)
    q = v128.load(weights, 80)
    x = v128.load_splat<f32>(r0, 8); a0 = fused(x, p, a0); b0 = fused(x, q, b0)
    x = v128.load_splat<f32>(r1, 8); a1 = fused(x, p, a1); b1 = fused(x, q, b1)
    x = v128.load_splat<f32>(r2, 8); a2 = fused(x, p, a2); b2 = fused(x, q, b2)
    x = v128.load_splat<f32>(r3, 8); a3 = fused(x, p, a3); b3 = fused(x, q, b3)
    x = v128.load_splat<f32>(r4, 8); a4 = fused(x, p, a4); b4 = fused(x, q, b4)
    x = v128.load_splat<f32>(r5, 8); a5 = fused(x, p, a5); b5 = fused(x, q, b5)
    p = v128.load(weights, 96)
    q = v128.load(weights, 112)
    x = v128.load_splat<f32>(r0, 12); a0 = fused(x, p, a0); b0 = fused(x, q, b0)
    x = v128.load_splat<f32>(r1, 12); a1 = fused(x, p, a1); b1 = fused(x, q, b1)
    x = v128.load_splat<f32>(r2, 12); a2 = fused(x, p, a2); b2 = fused(x, q, b2)
    x = v128.load_splat<f32>(r3, 12); a3 = fused(x, p, a3); b3 = fused(x, q, b3)
    x = v128.load_splat<f32>(r4, 12); a4 = fused(x, p, a4); b4 = fused(x, q, b4)
    x = v128.load_splat<f32>(r5, 12); a5 = fused(x, p, a5); b5 = fused(x, q, b5)
    weights += 128
    r0 += 16; r1 += 16; r2 += 16; r3 += 16; r4 += 16; r5 += 16
  }
  const first = slopesOf == 0 ? 0 : slopesOf + column
  const second = slopesOf == 0 ? 0 : first + 16
  finish(a0, out, row, column, first); finish(b0, out, row, column + 16, second)
  finish(a1, out, row + 1, column, first); finish(b1, out, row + 1, column + 16, second)
  finish(a2, out, row + 2, column, first); finish(b2, out, row + 2, column + 16, second)
  finish(a3, out, row + 3, column, first); finish(b3, out, row + 3, column + 16, second)
  finish(a4, out, row + 4, column, first); finish(b4, out, row + 4, column + 16, second)
  finish(a5, out, row + 5, column, first); finish(b5, out, row + 5, column + 16, second)
}

/** Six rows by the last four columns. */
function sixByFour(input: usize, weights: usize, bias: usize, out: usize, row: usize, column: usize): void {
  let r0 = input + row * strideIn
  let r1 = r0 + strideIn
  let r2 = r1 + strideIn
  let r3 = r2 + strideIn
  let r4 = r3 + strideIn
  let r5 = r4 + strideIn
  let a0 = v128.load(bias)
  let a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0
  const end = weights + depth * 16
  while (weights < end) {
    const p = v128.load(weights)
    a0 = fused(splat(r0), p, a0)
    a1 = fused(splat(r1), p, a1)
    a2 = fused(splat(r2), p, a2)
    a3 = fused(splat(r3), p, a3)
    a4 = fused(splat(r4), p, a4)
    a5 = fused(splat(r5), p, a5)
    weights += 16
    r0 += 4; r1 += 4; r2 += 4; r3 += 4; r4 += 4; r5 += 4
  }
  const slopes = slopesOf == 0 ? 0 : slopesOf + column
  finish(a0, out, row, column, slopes)
  finish(a1, out, row + 1, column, slopes)
  finish(a2, out, row + 2, column, slopes)
  finish(a3, out, row + 3, column, slopes)
  finish(a4, out, row + 4, column, slopes)
  finish(a5, out, row + 5, column, slopes)
}

/** One row, several vectors of four columns at a time: for layers of few pixels. */
function oneRow(input: usize, weights: usize, bias: usize, out: usize, row: usize, column: usize, width: usize): void {
  const start = input + row * strideIn
  for (let part: usize = 0; part < width; part += 16) {
    let even = v128.load(bias + part)
    let odd = f32x4.splat(0)
    let from = weights + part
    let x = start
    const end = start + depth * 4
    while (x < end) {
      even = fused(splat(x), v128.load(from), even)
      odd = fused(v128.load_splat<f32>(x, 4), v128.load(from + width), odd)
      x += 8
      from += 2 * width
    }
    const slopes = slopesOf == 0 ? 0 : slopesOf + column + part
    finish(f32x4.add(even, odd), out, row, column + part, slopes)
  }
}

/**
 * out = activated(in x weights + bias + residual). Weights lie in panels of eight columns, a last one of four. The residual may
 * have fewer columns. A last group of rows overlaps the one before, so `out` must not be the residual.
 */
export function multiply(
  input: usize,
  weights: usize,
  bias: usize,
  slopes: usize,
  added: usize,
  addedChannels: usize,
  out: usize,
  rows: usize,
  inChannels: usize,
  outChannels: usize,
): void {
  strideIn = inChannels * 4
  depth = inChannels
  strideOut = outChannels * 4
  residual = added
  strideResidual = addedChannels * 4
  residualBytes = addedChannels * 4
  slopesOf = slopes
  const columns = outChannels * 4
  for (let row: usize = 0; row < rows; ) {
    const six = rows >= 6
    const at = six && row + 6 > rows ? rows - 6 : row
    let panel = weights
    let column: usize = 0
    for (; column + 32 <= columns; column += 32) {
      if (six) sixByEight(input, panel, bias + column, out, at, column)
      else oneRow(input, panel, bias + column, out, at, column, 32)
      panel += inChannels * 32
    }
    if (column < columns) {
      if (six) sixByFour(input, panel, bias + column, out, at, column)
      else oneRow(input, panel, bias + column, out, at, column, 16)
    }
    row += six ? 6 : 1
  }
}

/** Each output pixel's window as one row; outside the picture it is zero. */
export function windows(
  input: usize,
  out: usize,
  height: i32,
  width: i32,
  channels: usize,
  outHeight: i32,
  outWidth: i32,
  kernelHeight: i32,
  kernelWidth: i32,
  stride: i32,
  top: i32,
  left: i32,
): void {
  const pixel = channels * 4
  for (let oy = 0; oy < outHeight; oy++) {
    for (let ox = 0; ox < outWidth; ox++) {
      const x = ox * stride - left
      for (let ky = 0; ky < kernelHeight; ky++) {
        const y = oy * stride - top + ky
        for (let kx = 0; kx < kernelWidth; kx++) {
          const inside = y >= 0 && y < height && x + kx >= 0 && x + kx < width
          const from = input + <usize>(y * width + x + kx) * pixel
          for (let c: usize = 0; c < pixel; c += 16) {
            v128.store(out + c, inside ? v128.load(from + c) : f32x4.splat(0))
          }
          out += pixel
        }
      }
    }
  }
}

/** A depthwise convolution. Weights have the layout of a picture of the window's size. */
export function depthwise(
  input: usize,
  weights: usize,
  bias: usize,
  slopes: usize,
  out: usize,
  height: i32,
  width: i32,
  channels: usize,
  outHeight: i32,
  outWidth: i32,
  kernelHeight: i32,
  kernelWidth: i32,
  stride: i32,
  top: i32,
  left: i32,
): void {
  const pixel = channels * 4
  const line = <usize>width * pixel
  const step = <usize>stride * pixel
  const isThree = kernelHeight == 3 && kernelWidth == 3
  for (let oy = 0; oy < outHeight; oy++) {
    const y = oy * stride - top
    const row = out + <usize>(oy * outWidth) * pixel
    // The pixels of this row whose window is inside the picture, if there are enough for groups of four.
    let first = (left + stride - 1) / stride
    let last = min(outWidth, (width - 3 + left) / stride + 1)
    if (!isThree || y < 0 || y + 3 > height || last - first < 4) first = last = outWidth
    for (let ox = 0; ox < outWidth; ) {
      const to = row + <usize>ox * pixel
      if (ox < first || ox >= last) {
        onePixel(input, weights, bias, slopes, to, pixel, height, width, kernelHeight, kernelWidth, y, ox * stride - left)
        ox++
      } else {
        // The last group overlaps the previous one.
        const at = min(ox, last - 4)
        const from = input + <usize>(y * width + at * stride - left) * pixel
        fourPixels(from, weights, bias, slopes, row + <usize>at * pixel, pixel, line, step)
        ox = at + 4
      }
    }
  }
}

/** One output of a depthwise convolution, using the part of its window inside the picture. */
function onePixel(
  input: usize,
  weights: usize,
  bias: usize,
  slopes: usize,
  out: usize,
  pixel: usize,
  height: i32,
  width: i32,
  kernelHeight: i32,
  kernelWidth: i32,
  y: i32,
  x: i32,
): void {
  const firstRow = max(0, -y)
  const lastRow = min(kernelHeight, height - y)
  const firstColumn = max(0, -x)
  const lastColumn = min(kernelWidth, width - x)
  for (let c: usize = 0; c < pixel; c += 16) {
    let sum = v128.load(bias + c)
    for (let ky = firstRow; ky < lastRow; ky++) {
      let from = input + c + <usize>((y + ky) * width + x + firstColumn) * pixel
      let weight = weights + c + <usize>(ky * kernelWidth + firstColumn) * pixel
      for (let kx = firstColumn; kx < lastColumn; kx++) {
        sum = fused(v128.load(from), v128.load(weight), sum)
        from += pixel
        weight += pixel
      }
    }
    v128.store(out + c, activated(sum, slopes == 0 ? 0 : slopes + c))
  }
}

/** Four outputs of 3 x 3 windows, `step` apart; `line` is a row of the picture. */
function fourPixels(
  from: usize,
  weights: usize,
  bias: usize,
  slopes: usize,
  out: usize,
  pixel: usize,
  line: usize,
  step: usize,
): void {
  const end = from + pixel
  while (from < end) {
    let a = v128.load(bias)
    let b = a, c = a, d = a
    let weight = weights
    let row = from
    for (let ky = 0; ky < 3; ky++) {
      let at = row
      for (let kx = 0; kx < 3; kx++) {
        const w = v128.load(weight)
        a = fused(v128.load(at), w, a)
        b = fused(v128.load(at + step), w, b)
        c = fused(v128.load(at + 2 * step), w, c)
        d = fused(v128.load(at + 3 * step), w, d)
        weight += pixel
        at += pixel
      }
      row += line
    }
    v128.store(out, activated(a, slopes))
    v128.store(out + pixel, activated(b, slopes))
    v128.store(out + 2 * pixel, activated(c, slopes))
    v128.store(out + 3 * pixel, activated(d, slopes))
    from += 16
    weights += 16
    bias += 16
    out += 16
    if (slopes != 0) slopes += 16
  }
}

/** The maximum of each window, ignoring positions outside the picture. */
export function maxPool(
  input: usize,
  out: usize,
  height: i32,
  width: i32,
  channels: usize,
  outHeight: i32,
  outWidth: i32,
  kernel: i32,
  stride: i32,
  top: i32,
  left: i32,
): void {
  const pixel = channels * 4
  for (let oy = 0; oy < outHeight; oy++) {
    const y0 = oy * stride - top
    const firstRow = max(0, y0)
    const lastRow = min(height, y0 + kernel)
    for (let ox = 0; ox < outWidth; ox++) {
      const x0 = ox * stride - left
      const firstColumn = max(0, x0)
      const lastColumn = min(width, x0 + kernel)
      for (let c: usize = 0; c < pixel; c += 16) {
        let most = f32x4.splat(-Infinity)
        for (let y = firstRow; y < lastRow; y++) {
          for (let x = firstColumn; x < lastColumn; x++) {
            most = f32x4.pmax(most, v128.load(input + <usize>(y * width + x) * pixel + c))
          }
        }
        v128.store(out + c, most)
      }
      out += pixel
    }
  }
}

/** The mean of each channel. */
export function average(input: usize, out: usize, pixels: i32, channels: usize): void {
  const pixel = channels * 4
  const share = f32x4.splat(1 / <f32>pixels)
  for (let c: usize = 0; c < pixel; c += 16) {
    let sum = f32x4.splat(0)
    for (let i = 0; i < pixels; i++) sum = f32x4.add(sum, v128.load(input + <usize>i * pixel + c))
    v128.store(out + c, f32x4.mul(sum, share))
  }
}

/** activated(a + b); b may have fewer channels, or be 0. */
export function add(
  a: usize,
  b: usize,
  addedChannels: usize,
  slopes: usize,
  out: usize,
  pixels: i32,
  channels: usize,
): void {
  const pixel = channels * 4
  const added = addedChannels * 4
  for (let i = 0; i < pixels; i++) {
    for (let c: usize = 0; c < pixel; c += 16) {
      let sum = v128.load(a + c)
      if (c < added) sum = f32x4.add(sum, v128.load(b + c))
      v128.store(out + c, activated(sum, slopes == 0 ? 0 : slopes + c))
    }
    a += pixel
    b += added
    out += pixel
  }
}

/** Each channel times its factor plus its term, plus another picture if `added` is not 0. */
export function scale(
  input: usize,
  factors: usize,
  terms: usize,
  added: usize,
  out: usize,
  pixels: i32,
  channels: usize,
): void {
  const pixel = channels * 4
  for (let i = 0; i < pixels; i++) {
    for (let c: usize = 0; c < pixel; c += 16) {
      let value = f32x4.mul(v128.load(input + c), v128.load(factors + c))
      if (terms != 0) value = f32x4.add(value, v128.load(terms + c))
      if (added != 0) value = f32x4.add(value, v128.load(added + c))
      v128.store(out + c, value)
    }
    input += pixel
    if (added != 0) added += pixel
    out += pixel
  }
}

/** Converts one plane per channel to interleaved pixels, with zeros in the padding. */
export function interleave(planes: usize, out: usize, pixels: i32, channels: i32, wide: usize): void {
  memory.fill(out, 0, <usize>pixels * wide * 4)
  for (let c = 0; c < channels; c++) {
    let to = out + <usize>c * 4
    for (let i = 0; i < pixels; i++) {
      store<f32>(to, load<f32>(planes))
      planes += 4
      to += wide * 4
    }
  }
}

/** Removes the padding channels from pixels. */
export function narrow(input: usize, out: usize, pixels: i32, channels: usize, wide: usize): void {
  for (let i = 0; i < pixels; i++) {
    for (let c: usize = 0; c < channels; c++) store<f32>(out + c * 4, load<f32>(input + c * 4))
    input += wide * 4
    out += channels * 4
  }
}

/** Doubles width and height, linearly between the centres of pixels, which repeat at the border. */
export function upsample2x(input: usize, out: usize, height: i32, width: i32, channels: usize): void {
  const pixel = channels * 4
  const near = f32x4.splat(0.75)
  const far = f32x4.splat(0.25)
  for (let oy = 0; oy < 2 * height; oy++) {
    const y = oy >> 1
    const otherY = min(height - 1, max(0, (oy & 1) == 1 ? y + 1 : y - 1))
    for (let ox = 0; ox < 2 * width; ox++) {
      const x = ox >> 1
      const otherX = min(width - 1, max(0, (ox & 1) == 1 ? x + 1 : x - 1))
      for (let c: usize = 0; c < pixel; c += 16) {
        const here = v128.load(input + <usize>(y * width + x) * pixel + c)
        const side = v128.load(input + <usize>(y * width + otherX) * pixel + c)
        const above = v128.load(input + <usize>(otherY * width + x) * pixel + c)
        const across = v128.load(input + <usize>(otherY * width + otherX) * pixel + c)
        const level = f32x4.add(f32x4.mul(here, near), f32x4.mul(side, far))
        const next = f32x4.add(f32x4.mul(above, near), f32x4.mul(across, far))
        v128.store(out + c, f32x4.add(f32x4.mul(level, near), f32x4.mul(next, far)))
      }
      out += pixel
    }
  }
}
