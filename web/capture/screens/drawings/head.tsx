/** The head that all drawings share, in a 96-unit box. Drawings of actions move a part of it. */
export function Head() {
  return (
    <g class="head">
      <path class="ear ear-left" d="M21 36c-7-2-8 14 1 13" />
      <path class="ear ear-right" d="M75 36c7-2 8 14-1 13" />
      <ellipse class="skull" cx="48" cy="42" rx="27" ry="34" />
      <g class="features">
        <g class="eyes">
          <circle cx="38" cy="37" r="3.2" />
          <circle cx="58" cy="37" r="3.2" />
        </g>
        <path class="lids" d="M33 38h10m10 0h10" />
        <path class="nose" d="M48 39v10h-3" />
        <path class="mouth" d="M40 59h16" />
        <path class="mouth-smile" d="M36 54c4 12 20 12 24 0" />
      </g>
    </g>
  )
}
