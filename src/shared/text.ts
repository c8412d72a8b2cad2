// Line breaks, control characters, text direction marks and invisible characters. Joiners within words stay.
const outOfLine = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

// Characters that render nothing, such as joiners, soft hyphens, and Korean and Braille fillers.
const unseen = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u

/** The text, or '' if nothing in it is visible. */
export const visibleText = (value: string): string => (unseen.test(value) ? '' : value)

/** A text on one line, without invisible characters and direction marks; '' if nothing visible remains. */
export function inOneLine(value: string): string {
  return visibleText(value.replace(outOfLine, ' ').trim())
}

/** Whether a text contains a web address, which no name does. */
export const hasWebAddress = (text: string): boolean =>
  /:\/\/|\bwww\.|\w\.[a-z]{2,}\/|\w\.(com|net|org|info|biz|xyz|top|site|online|shop|link|click)\b/i.test(text)

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const notStorable = 'This contains characters that cannot be stored'

/** Whether PostgreSQL can store this text and return it unchanged. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()

/** A text of several lines without control characters, as pasted and dictated text may have them. Line breaks and tabs stay. */
export const plainText = (value: string): string =>
  value
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')

// Letters that Unicode does not take apart into a plain letter and a mark.
const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }

/** A name as it is compared: case, accents and punctuation aside. */
export const comparable = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => plainLetters[letter]!)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
