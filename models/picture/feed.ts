/** What a network is fed: side of its square input, order of its channels, and x * scale + offset for each byte. */
export interface Feed {
  readonly size: number
  readonly channels: 'RGB' | 'BGR' | 'grey'
  readonly scale: number
  readonly offset: number
}
