/** A score from 0 to 100 as a bar. The number is shown next to it as text. */
export function ScoreBar({ value }: { value: number | null }) {
  const tone = value === null ? 'none' : value < 50 ? 'poor' : 'fair'
  return (
    <svg class={`play-bar ${tone}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="rail" width="100" height="6" />
      {value !== null && <rect class="full" width={Math.max(0, value)} height="6" />}
    </svg>
  )
}
