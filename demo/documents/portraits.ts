import sharp from 'sharp'
import type { Random } from '../random.ts'

export type View = 'front' | 'side'

type Colour = readonly [red: number, green: number, blue: number]

const [width, height] = [600, 800]
/** Lit skin tones; shadows are a fraction of them. */
const skins: readonly Colour[] = [
  [236, 200, 178],
  [222, 178, 150],
  [198, 150, 120],
  [160, 112, 84],
  [120, 80, 58],
]
const hairs: readonly Colour[] = [
  [38, 28, 24],
  [74, 50, 34],
  [120, 88, 56],
  [160, 150, 144],
]
const walls: readonly Colour[] = [
  [198, 206, 212],
  [178, 192, 206],
  [206, 204, 198],
]

/**
 * Draws a portrait as patients take it: a face in front of a plain wall in soft shapes, slightly out of focus, with the grain of a phone
 * camera.
 */
export async function drawPortrait(view: View, random: Random, isLit = view === 'front'): Promise<Buffer> {
  const [skin, hair, wall] = [random.pick(skins), random.pick(hairs), random.pick(walls)]
  const shade = (colour: Colour, light: number) => `rgb(${colour.map((part) => Math.round(Math.min(255, part * light))).join(' ')})`
  const tilt = random.int(-3, 3)
  const [wide, long] = [random.int(128, 144), random.int(182, 198)]
  const shirt = random.pick(['#5b6b7d', '#8a8f88', '#3f4a52', '#a59a8c'])
  const lips = shade([skin[0] * 0.92, skin[1] * 0.66, skin[2] * 0.66], 1)
  const eye = (x: number) => `
    <ellipse cx="${x}" cy="372" rx="25" ry="10" fill="#f3efec"/><circle cx="${x}" cy="372" r="10" fill="${shade([96, 72, 52], 1)}"/>
    <circle cx="${x}" cy="372" r="4.5" fill="#120e0c"/><circle cx="${x + 3}" cy="369" r="1.8" fill="#fff"/>
    <path d="M${x - 27} 371 Q${x} 353 ${x + 27} 371" stroke="${shade(skin, 0.5)}" stroke-width="4" fill="none"/>
    <path d="M${x - 32} 344 Q${x} 326 ${x + 32} 342" stroke="${shade(hair, 0.9)}" stroke-width="9" fill="none" stroke-linecap="round"/>`
  const front = `
    <ellipse cx="300" cy="352" rx="${wide + 26}" ry="${long + 22}" fill="url(#hair)"/>
    <path d="M244 520 h112 v110 q-56 50 -112 0 z" fill="${shade(skin, 0.82)}"/>
    <ellipse cx="${300 - wide}" cy="392" rx="16" ry="34" fill="${shade(skin, 0.84)}"/><ellipse cx="${300 + wide}" cy="392" rx="16" ry="34" fill="${shade(skin, 0.78)}"/>
    <ellipse cx="300" cy="390" rx="${wide}" ry="${long}" fill="url(#skin)"/>
    <path d="M${300 - wide - 6} 330 Q300 ${-20 + random.int(0, 30)} ${300 + wide + 6} 330 Q${300 + wide * 0.5} 250 300 246 Q${300 - wide * 0.5} 250 ${300 - wide - 6} 330 z" fill="url(#hair)"/>
    ${eye(244)}${eye(356)}
    <path d="M292 372 Q284 430 274 450 Q286 464 300 462 Q314 464 326 450 Q316 430 308 372" fill="${shade(skin, 0.93)}" fill-opacity=".55"/>
    <path d="M276 452 Q288 462 300 459 Q312 462 324 452" stroke="${shade(skin, 0.6)}" stroke-width="4" fill="none"/>
    <path d="M256 502 Q280 492 300 498 Q320 492 344 502 Q300 532 256 502 z" fill="${lips}"/>
    <path d="M256 502 Q300 510 344 502" stroke="${shade(skin, 0.45)}" stroke-width="3" fill="none"/>`
  const side = `
    <ellipse cx="330" cy="350" rx="${wide + 36}" ry="${long + 8}" fill="url(#hair)"/>
    <path d="M300 500 L300 640 L420 640 L420 470 z" fill="${shade(skin, 0.8)}"/>
    <path d="M250 226 Q196 250 190 330 Q192 352 186 364 Q170 404 152 434 Q152 448 178 450 Q186 464 180 478 Q170 486 182 496 Q172 506 184 518 Q182 556 210 572 Q258 590 330 546 L380 420 Q390 300 330 236 Q290 214 250 226 z" fill="url(#skin)"/>
    <ellipse cx="352" cy="400" rx="20" ry="36" fill="${shade(skin, 0.86)}"/><path d="M344 380 q20 18 4 42" stroke="${shade(skin, 0.6)}" stroke-width="4" fill="none"/>
    <path d="M250 226 Q330 170 420 240 Q450 330 420 420 Q396 330 330 292 Q280 262 236 286 Q230 250 250 226 z" fill="url(#hair)"/>
    <path d="M196 366 q22 -16 44 2" stroke="${shade(skin, 0.4)}" stroke-width="5" fill="none"/><circle cx="212" cy="370" r="7" fill="#2a1d16"/>
    <path d="M194 340 q26 -18 56 -4" stroke="${shade(hair, 0.9)}" stroke-width="9" fill="none" stroke-linecap="round"/>
    <path d="M180 497 q20 -4 34 4" stroke="${shade(skin, 0.5)}" stroke-width="4" fill="none"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>
    <radialGradient id="wall" cx=".4" cy=".3" r="1"><stop offset="0" stop-color="${shade(wall, 1.08)}"/><stop offset="1" stop-color="${shade(wall, 0.72)}"/></radialGradient>
    <radialGradient id="skin" cx=".38" cy=".36" r=".8"><stop offset="0" stop-color="${shade(skin, 1.06)}"/><stop offset=".6" stop-color="${shade(skin, 0.96)}"/><stop offset="1" stop-color="${shade(skin, 0.66)}"/></radialGradient>
    <linearGradient id="hair" x1="0" x2="1" y2="1"><stop offset="0" stop-color="${shade(hair, 1.3)}"/><stop offset="1" stop-color="${shade(hair, 0.8)}"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#wall)"/>
    <path d="M90 800 Q110 650 240 622 Q300 664 360 622 Q500 650 520 800 z" fill="${shirt}"/>
    <g transform="rotate(${tilt} 300 500)">${view === 'front' ? front : side}</g></svg>`
  const grain = { width, height, channels: 3 as const, noise: { type: 'gaussian' as const, mean: 128, sigma: 9 } }
  const noise = await sharp({ create: { ...grain, background: '#808080' } })
    .png()
    .toBuffer()
  return (
    sharp(Buffer.from(svg))
      .flatten()
      // Patients take the side view without a light.
      .modulate({ brightness: isLit ? 1 : 0.3 })
      .blur(isLit ? 1.3 : 2.5)
      .composite([{ input: noise, blend: 'soft-light' }])
      .jpeg({ quality: 82 })
      .toBuffer()
  )
}
