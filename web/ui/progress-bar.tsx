interface ProgressBarProps {
  /** From 0 to 1, or null if unknown. */
  readonly share: number | null
  readonly label: string
}

/** A bar that fills from the side where reading starts. Native progress elements animate through layout, so this does not use one. */
export function ProgressBar({ share, label }: ProgressBarProps) {
  if (share === null)
    return (
      <div class="bar" role="progressbar" aria-label={label}>
        <div class="bar-fill unknown" />
      </div>
    )
  const percent = Math.round(share * 100)
  return (
    <div
      class="bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div class="bar-fill" style={{ '--share': percent / 100 }} />
    </div>
  )
}
