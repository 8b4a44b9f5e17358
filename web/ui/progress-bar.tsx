interface ProgressBarProps {
  /** 0...1, or null if unknown. */
  readonly share: number | null
  readonly label: string
}

/** A progress bar that fills in reading direction. */
export function ProgressBar({ share, label }: ProgressBarProps) {
  const known = share === null ? {} : { value: Math.round(share * 100), max: 100 }
  return <progress class="bar" aria-label={label} {...known} />
}
