/** The ASCII digits of a text, in order. Separate from `text.ts`, which imports Zod, to keep Zod out of a page's first load. */
export const digitsOf = (value: string): string => value.replace(/[^0-9]/g, '')
