import { fullScan } from './full-scan.ts'
import { product } from './product.ts'
import type { RivalKind } from './rival.ts'
import { nativeScan, usearch } from './usearch.ts'

/** Everything that is measured, in this order. `product` is our own index. */
export const rivals = {
  product,
  fullScan,
  nativeScan,
  usearch: usearch('F32'),
  usearchI8: usearch('I8'),
} satisfies Record<string, RivalKind>

export type RivalName = keyof typeof rivals

export const rivalNames = Object.keys(rivals) as RivalName[]
