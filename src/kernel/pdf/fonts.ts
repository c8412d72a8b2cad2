import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { Font } from '@react-pdf/renderer'

/**
 * Asked in this order for each letter. Roboto has what is written here every day (Latin with all of Europe's and Vietnam's, Greek, Cyrillic), figures
 * of one width, and accents that stand right where they are not moved: the renderer moves none (4.9.0 scales their offsets twice). Noto has
 * Arabic and Hebrew, Inter the rest of Latin. Noto's own Latin takes letters apart, after which they cannot be copied out of the file. Droid has
 * Chinese, Japanese and Korean in one weight and in 1.6 MB; see docs/decisions/pdf-scripts.md.
 */
const files = {
  Roboto: {
    400: import.meta.resolve('@expo-google-fonts/roboto/400Regular/Roboto_400Regular.ttf'),
    600: import.meta.resolve('@expo-google-fonts/roboto/600SemiBold/Roboto_600SemiBold.ttf'),
  },
  'Noto Sans Arabic': {
    400: import.meta.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
    600: import.meta.resolve('@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf'),
  },
  'Noto Sans Hebrew': {
    400: import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
    600: import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf'),
  },
  Inter: {
    400: import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    600: import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  },
} as const
const eastAsian = 'Droid Sans Fallback'
export const fontFamily = [...Object.keys(files), eastAsian]

for (const [family, weights] of Object.entries(files)) {
  Font.register({
    family,
    fonts: Object.entries(weights).map(([weight, url]) => ({ src: fileURLToPath(url), fontWeight: Number(weight) })),
  })
}

// Not as WOFF, all of which the renderer would unpack again for each letter.
const ttf = brotliDecompressSync(fs.readFileSync(new URL('DroidSansFallback.ttf.br', import.meta.url)))
const src = `data:font/ttf;base64,${ttf.toString('base64')}`
Font.register({ family: eastAsian, fonts: [400, 600].map((fontWeight) => ({ src, fontWeight })) })

const longest = 24
// Nothing is hyphenated but what would run over the edge, such as an address without a space.
Font.registerHyphenationCallback((word) => (word.length <= longest ? [word] : (word.match(/.{1,12}/gsu) ?? [word])))

type Known = { hasGlyphForCodePoint: (codePoint: number) => boolean }

async function knownLetters(): Promise<(letter: string) => boolean> {
  const fonts: Known[] = []
  for (const family of fontFamily) {
    await Font.load({ fontFamily: family, fontWeight: 400 })
    const { data } = Font.getFont({ fontFamily: family, fontWeight: 400 })
    if (!data) throw new Error(`The font ${family} cannot be read`)
    fonts.push(data as unknown as Known)
  }
  return (letter) => fonts.some((font) => font.hasGlyphForCodePoint(letter.codePointAt(0)!))
}

/** A text as it can be drawn: what no font has (Devanagari, Thai, emoji) is a box, as a letter of another would mislead. */
export async function textReader(): Promise<(text: string) => string> {
  const isKnown = await knownLetters()
  return (text) => [...text.normalize('NFC')].map((letter) => (letter === '\n' || isKnown(letter) ? letter : '□')).join('')
}
