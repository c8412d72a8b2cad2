import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { Font } from '@react-pdf/renderer'

/**
 * Fonts in order of preference for each letter. Roboto covers everyday text (Latin for Europe and Vietnam, Greek, Cyrillic), has tabular
 * figures, and accents that are correct without positioning, which the renderer does wrong (4.9.0 scales the offsets twice). Noto covers
 * Arabic and Hebrew, Inter the rest of Latin. Noto's own Latin decomposes letters, so that they cannot be copied from the file. Droid
 * covers Chinese, Japanese and Korean in one weight and 1.6 MB; see docs/decisions/pdf-scripts.md.
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
const everyday = Object.keys(files)
const eastAsian = 'Droid Sans Fallback'

for (const [family, weights] of Object.entries(files)) {
  Font.register({
    family,
    fonts: Object.entries(weights).map(([weight, url]) => ({ src: fileURLToPath(url), fontWeight: Number(weight) })),
  })
}

const maxUnbrokenLength = 24
// Only words that would overflow are broken, such as an address without spaces.
Font.registerHyphenationCallback((word) => (word.length <= maxUnbrokenLength ? [word] : (word.match(/.{1,12}/gsu) ?? [word])))

/** `families` in order of preference; `toDrawable` replaces letters that none of them has. */
export type Fonts = { families: string[]; toDrawable: (text: string) => string }

type HasLetter = (letter: string) => boolean

/**
 * The fonts for these texts. The East Asian font is only loaded for text that needs it, because it takes 0.2 s and 100 MB. Letters that no
 * font has (Devanagari, Thai, emoji) are named by their code points: a box would hide what was written, and another letter would mislead.
 */
export async function fontsFor(texts: string): Promise<Fonts> {
  const inEveryday = await (everydayLetters ??= lettersOf(everyday))
  if (lettersIn(texts).every(inEveryday)) return { families: everyday, toDrawable: replaceMissing(inEveryday) }
  const inEastAsian = await (eastAsianLetters ??= registerEastAsian().then(() => lettersOf([eastAsian])))
  return { families: [...everyday, eastAsian], toDrawable: replaceMissing((letter) => inEveryday(letter) || inEastAsian(letter)) }
}

let everydayLetters: Promise<HasLetter> | undefined
let eastAsianLetters: Promise<HasLetter> | undefined

type FontFile = {
  characterSet: number[]
  hasGlyphForCodePoint: (codePoint: number) => boolean
  glyphForCodePoint: (codePoint: number) => unknown
}

async function lettersOf(families: string[]): Promise<HasLetter> {
  const fonts: FontFile[] = []
  for (const fontFamily of families) {
    for (const fontWeight of [400, 600]) {
      await Font.load({ fontFamily, fontWeight })
      const { data } = Font.getFont({ fontFamily, fontWeight })
      if (!data) throw new Error(`The font ${fontFamily} cannot be read`)
      const font = data as unknown as FontFile
      nameGlyphs(font)
      fonts.push(font)
    }
  }
  return (letter) => fonts.some((font) => font.hasGlyphForCodePoint(letter.codePointAt(0)!))
}

/**
 * fontkit keeps a glyph with the letter it was first asked for, and asks for the parts of É, such as E, without one. Every E of a later PDF
 * would then be drawn, but could not be copied or searched. So each glyph is asked for with its letter before anything is drawn. Ligatures
 * and the forms of Arabic letters are left out: the letters that they are made of are to be copied.
 */
function nameGlyphs(font: FontFile): void {
  for (const codePoint of font.characterSet) {
    const letter = String.fromCodePoint(codePoint)
    if (letter.normalize('NFKC') === letter) font.glyphForCodePoint(codePoint)
  }
}

async function registerEastAsian(): Promise<void> {
  // Not as WOFF, which the renderer would unpack completely for each letter.
  const compressed = await fs.promises.readFile(new URL('DroidSansFallback.ttf.br', import.meta.url))
  const src = `data:font/ttf;base64,${brotliDecompressSync(compressed).toString('base64')}`
  Font.register({ family: eastAsian, fonts: [400, 600].map((fontWeight) => ({ src, fontWeight })) })
}

const lettersIn = (text: string) => [...text.normalize('NFC')]

/** Letters that no font has, as their code points: '[U+0905 U+0928]'. What is invisible anyway, such as a joiner between letters, is left out. */
const replaceMissing =
  (isKnown: HasLetter) =>
  (text: string): string => {
    let drawn = ''
    let missing: string[] = []
    const close = () => {
      if (!missing.every((letter) => /\p{Default_Ignorable_Code_Point}/u.test(letter)))
        drawn += `[${missing.map((letter) => `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`).join(' ')}]`
      missing = []
    }
    for (const letter of lettersIn(text)) {
      // An emoji may consist of several characters, joined by an invisible one that a font has.
      const isJoined = missing.length > 0 && /\p{Default_Ignorable_Code_Point}/u.test(letter)
      if (isJoined || (letter !== '\n' && !isKnown(letter))) {
        missing.push(letter)
        continue
      }
      close()
      drawn += letter
    }
    close()
    return drawn
  }
