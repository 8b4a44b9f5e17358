import { readFileSync } from 'node:fs'

/** A rule from ops/alerts.yaml, with its expression on a single line. */
export interface AlertRule {
  readonly name: string
  readonly expr: string
  readonly text: string
}

export const alertRules: readonly AlertRule[] = readFileSync('ops/alerts.yaml', 'utf8')
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({
    name: /^\w+/.exec(text)![0],
    expr: /^ {8}expr: (?:>-\n)?([\s\S]*?)\n {8}(?:for|labels):/m.exec(text)![1]!.replace(/\s+/g, ' '),
    text,
  }))
