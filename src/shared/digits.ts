/** Only the ASCII digits of a text, in order. Apart from `text.ts`, which brings Zod along: a page's first load does without it. */
export const digitsOf = (value: string): string => value.replace(/[^0-9]/g, '')
