/** A date or time that stays on one line. */
export const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0')
