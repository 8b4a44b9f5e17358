/** A network's input format: its size, its channel order, and the scale and offset applied to each byte (x * scale + offset). */
export interface Feed {
  /** The number of columns, and also of rows if the input is square. */
  readonly size: number
  /** The number of rows if the input is not square. */
  readonly rows?: number
  readonly channels: 'RGB' | 'BGR' | 'grey'
  readonly scale: number
  readonly offset: number
}

export function pixelsOfFeed({ size, rows = size }: Pick<Feed, 'size' | 'rows'>): number {
  return size * rows
}
