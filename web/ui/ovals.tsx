/** The product's logo, `size` pixels wide and high. */
export function Ovals({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <ellipse cx="12" cy="16" rx="8" ry="11" />
      <ellipse cx="20" cy="16" rx="8" ry="11" />
    </svg>
  )
}
