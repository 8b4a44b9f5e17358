export function isFresh(stamp: string): boolean
