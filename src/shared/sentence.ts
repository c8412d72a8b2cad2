/** Adds a period unless the text already ends with one, as times of day do ('4:30 p.m.'). */
export const asSentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)
