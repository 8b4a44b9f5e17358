export function sentenceForNode(version?: string): string | undefined
