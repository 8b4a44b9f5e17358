/** The input format of a network: the size, the order of the channels, and x * scale + offset for each byte. */
export interface Feed {
  /** Columns of the input; also its rows if it is square. */
  readonly size: number
  /** Rows of an input that is not square. */
  readonly rows?: number
  readonly channels: 'RGB' | 'BGR' | 'grey'
  readonly scale: number
  readonly offset: number
}

/** Number of pixels in each channel of the input. */
export function pixelsOfFeed({ size, rows = size }: Pick<Feed, 'size' | 'rows'>): number {
  return size * rows
}
