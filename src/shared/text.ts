// Line ends, other control characters, and what turns the direction of the text behind it or is not seen at all. Joiners within words stay.
const outOfLine = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

/** A text on one line, without what cannot be seen or turns the direction of what follows. */
export const inOneLine = (value: string): string => value.replace(outOfLine, ' ').trim()

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const notStorable = 'This contains characters that cannot be stored'

/** Whether PostgreSQL can keep this text and return it unchanged. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()
