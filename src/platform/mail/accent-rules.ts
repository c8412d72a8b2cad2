/** The default of the practice's colour: --accent in tokens.css, for the buttons of emails, which know no variables. */
export const accent = '#1f6455'

/** --accent for a hue from 0 to 360: oklch(0.455 0.072 hue), as a hexadecimal sRGB colour. White text on it has enough contrast for every hue. */
export function accentOf(hue: number): string {
  const [lightness, chroma, angle] = [0.455, 0.072, (hue * Math.PI) / 180]
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  // OKLab to linear sRGB, with the matrices of its definition (bottosson.github.io/posts/oklab).
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return `#${linear.map((part) => toHex(encode(Math.min(1, Math.max(0, part))))).join('')}`
}

/** From linear light to sRGB, both from 0 to 1. */
const encode = (part: number): number => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055)

const toHex = (part: number): string =>
  Math.round(part * 255)
    .toString(16)
    .padStart(2, '0')
