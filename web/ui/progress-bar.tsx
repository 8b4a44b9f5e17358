interface ProgressBarProps {
  /** 0...1, or null while nobody knows. */
  readonly share: number | null
  readonly label: string
}

/** A bar that fills from the side where reading starts. */
export function ProgressBar({ share, label }: ProgressBarProps) {
  const known = share === null ? {} : { value: Math.round(share * 100), max: 100 }
  return <progress class="bar" aria-label={label} {...known} />
}
