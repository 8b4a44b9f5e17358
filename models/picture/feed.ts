/** How a network is fed: the size of its input, the order of its channels, and x * scale + offset for each byte. */
export interface Feed {
  /** Columns of the input, and rows of a square one. */
  readonly size: number
  /** Rows of an input that is not square. */
  readonly rows?: number
  readonly channels: 'RGB' | 'BGR' | 'grey'
  readonly scale: number
  readonly offset: number
}

/** Pixels of the input, which is what each of its channels holds. */
export function pixelsOfFeed({ size, rows = size }: Pick<Feed, 'size' | 'rows'>): number {
  return size * rows
}
