const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720">
<rect width="1280" height="720" fill="#b9c2c9"/><rect x="880" width="400" height="720" fill="#cfd6da"/>
<path d="M430 720c20-110 90-150 210-150s190 40 210 150Z" fill="#4c6b7a"/>
<path d="M585 500h110v100q-55 40-110 0Z" fill="#b9896a"/>
<ellipse cx="640" cy="355" rx="135" ry="180" fill="#d3a27f"/>
<path d="M500 340c-10-150 70-190 140-190s155 45 140 190c-20-70-60-95-140-95s-120 25-140 95Z" fill="#3a2b24"/>
<circle cx="588" cy="345" r="11" fill="#2a211d"/><circle cx="692" cy="345" r="11" fill="#2a211d"/>
<path d="M565 315q23-14 46 0m58 0q23-14 46 0" stroke="#3a2b24" stroke-width="7" fill="none"/>
<path d="M640 350q-14 45-14 55 14 12 28 0" stroke="#b07f60" stroke-width="6" fill="none"/>
<path d="M595 450q45 26 90 0" stroke="#9c5a4c" stroke-width="8" fill="none"/></svg>`

/** Replaces the camera picture with the picture at the address or a drawn face. */
export function standIn(address: string | null): HTMLImageElement {
  const picture = new Image()
  picture.className = 'stand-in'
  picture.alt = ''
  picture.src = address ?? `data:image/svg+xml,${encodeURIComponent(drawing)}`
  return picture
}
